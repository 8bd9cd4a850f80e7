import { describe, expect, it } from "vitest";
import { checkKeyRights } from "../../../src/parts/gate/key-rights.ts";
import type { Asker } from "../../../src/core/who/asker.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tokenOf } from "../../support/token.ts";
import { rowsOf } from "../../support/rows.ts";

const HTTPS = new URL("https://a.test");
const near = { fields: { host: "localhost:8080" } };

/** Checks for an asker on this machine. */
function check(asker: Asker, origin = HTTPS, addresses: string[] | undefined = ["192.0.2.1"]) {
  return () => checkKeyRights({ ...exchangeOf(near), asker }, origin, addresses);
}

describe("who may spend a key", () => {
  it.each(["program", "console", "granted"] as const)("a %s may", (asker) => {
    expect(check(asker)).not.toThrow();
  });

  it.each(["user", "stranger", "page"] as const)("a %s may not", (asker) =>
    expect(check(asker))
      .toThrow("pages may use it only from the proxy's own console or an origin in CORS_ORIGINS"));

  it.each([
    [["127.0.0.1"], true],
    [["::1"], true],
    [["127.0.0.1", "192.0.2.1"], false],
    [[], false],
  ])("over http it goes to %j: %s", (addresses, may) => {
    const run = check("program", new URL("http://a.test"), addresses);
    expect(may ? run : () => expect(run).toThrow("keys go out over https only")).not.toThrow();
  });

  it("over http it goes to a loopback name where nothing is looked up", () => {
    const exchange = { ...exchangeOf(near), asker: "program" as const };
    expect(() => checkKeyRights(exchange, new URL("http://localhost"), undefined)).not.toThrow();
    expect(() => checkKeyRights(exchange, new URL("http://a.test"), undefined)).toThrow("over https only");
  });

  it.each([
    { about: "another Host", asked: { ...near, fields: { host: "evil.test" } } },
    { about: "a front proxy", asked: { ...near, fields: { ...near.fields, "x-forwarded-for": "1.2.3.4" } } },
    { about: "an unknown listener", asked: { ...near, runtime: {} } },
  ])("without a token nobody by $about", ({ asked }) => {
    const exchange = { ...exchangeOf(asked), asker: "program" as const };
    expect(() => checkKeyRights(exchange, HTTPS, undefined)).toThrow("To allow others, set PROXY_TOKEN");
    const trusted = { ...exchangeOf({ ...asked, options: { proxyToken: "t" } }), asker: "program" as const };
    expect(() => checkKeyRights(trusted, HTTPS, undefined)).not.toThrow();
    const own = tokenOf();
    expect(() => checkKeyRights({ ...exchange, token: own }, HTTPS, undefined)).not.toThrow();
    const page = { ...exchange, asker: "page" as const, token: own };
    expect(() => checkKeyRights(page, HTTPS, undefined)).toThrow("pages may use it only");
  });

  it.each(rowsOf(["about", "fields", "may", "isSecure"], [
    ["over plain http", { host: "proxy.lan", cookie: "a=1; proxy_token=t" }, false],
    ["without a cookie", { host: "proxy.lan", proxy_token: "t", cookie: "a=1" }, true],
    ["on loopback", { host: "localhost:8080", cookie: "proxy_token=t" }, true],
    ["over https", { host: "proxy.lan", cookie: "proxy_token=t" }, true, true],
  ]))("with the token in a cookie, $about: $may", ({ fields, isSecure = false, may }) => {
    const asked = exchangeOf({ fields, options: { proxyToken: "t" } });
    const exchange = { ...asked, caller: { ...asked.caller, isSecure }, asker: "program" as const };
    const run = () => checkKeyRights(exchange, HTTPS, undefined);
    const refused = () => expect(run).toThrow("over plain http a page may have sent this");
    expect(may ? run : refused).not.toThrow();
  });
});
