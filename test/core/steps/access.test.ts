/** The verdict on one target: settings, lists, listener, Host and resolved addresses, without a socket. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkAccess } from "../../../src/core/steps/access.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { createProxy } from "../../../src/index.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Resolver } from "../../../src/core/address/dns-cache.ts";
import type { Runtime } from "../../../src/core/runtime.ts";
import { rowsOf } from "../../support/rows.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tokenOf } from "../../support/token.ts";

const PUBLIC = "93.184.216.34";

const NAMES: Readonly<Record<string, string[]>> = {
  "public.test": [PUBLIC],
  "both.test": [PUBLIC, "2606:4700::1111"],
  "private.test": ["10.1.2.3"],
  "mixed.test": [PUBLIC, "10.1.2.3"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "metadata.test": ["169.254.169.254"],
  "zone.test": ["fe80::1%lo"],
  "odd.test": ["127.1"],
  "own.test": ["127.0.0.1"],
};

interface Situation {
  options?: Options;
  runtime?: Runtime;
  /** The Host of the request; a local one unless given. */
  host?: string;
  isSecure?: boolean;
}

/** What a target comes to: its addresses, or the code of the error; and the names that were looked up. */
async function judge(
  target: string,
  { options = {}, runtime, host = "localhost:8080", isSecure = false }: Situation,
) {
  const asked: string[] = [];
  const resolve = (name: string) => {
    asked.push(name);
    return Promise.resolve(NAMES[name.replace(/\.$/, "")] ?? []);
  };
  const exchange = exchangeOf({
    fields: { host },
    options,
    runtime: runtime ?? { resolve, listensOnLoopback: true },
  });
  const address = { origin: new URL(target), path: "/", basePath: "", selector: "url" as const };
  const known = { ...exchange, caller: { ...exchange.caller, isSecure }, resolver: new Resolver(1000) };
  const check = async () => await checkAccess(address, known, address);
  return { verdict: await check().catch(({ code }) => code), asked };
}

describe("a target of a local caller", () => {
  it.each([
    { target: "http://zone.test", verdict: "address_prohibited" },
    { target: "http://odd.test", verdict: "address_prohibited" },
    { target: "http://nowhere.test", verdict: "dns_error" },
  ])("$target: $verdict", async ({ target, verdict }) => {
    expect(await judge(target, {})).toEqual({ verdict, asked: [new URL(target).hostname] });
  });
});

describe("where nobody can look names up", () => {
  it.each(rowsOf(["options", "target", "verdict"], [
    [{}, "http://public.test", "address_prohibited"],
    [{ privateTargets: false }, "http://public.test", "address_prohibited"],
    [{ privateTargets: true }, "http://public.test", "address_prohibited"],
    [{ allowTargets: "public.test" }, "http://public.test", undefined],
    [{ allowTargets: "public.test:81" }, "http://public.test", "forbidden"],
    [{ allowTargets: "*" }, "http://public.test", "address_prohibited"],
    [{ allowTargets: "localhost" }, "http://localhost", undefined],
    [{ allowTargets: "public.test", denyTargets: "10.0.0.0/8" }, "http://public.test", "forbidden"],
    [{ trustNames: true }, "http://public.test", undefined],
    [{ trustNames: true, allowTargets: "public.test" }, "http://public.test", undefined],
    [{ trustNames: true, allowTargets: "other.test" }, "http://public.test", "forbidden"],
    [{ trustNames: true }, "http://10.1.2.3", "address_prohibited"],
    [{ allowTargets: "*.test" }, "http://public.test", "address_prohibited"],
    [{ allowTargets: "93.0.0.0/8" }, "http://public.test", "forbidden"],
    [{ privateTargets: true, denyTargets: "10.0.0.0/8" }, "http://public.test", "forbidden"],
    [{}, `http://${PUBLIC}`, [PUBLIC]],
    [{}, "http://10.1.2.3", "address_prohibited"],
    [{ privateTargets: true }, "http://10.1.2.3", ["10.1.2.3"]],
    [{ privateTargets: true }, "http://169.254.169.254", "address_prohibited"],
  ]))("$options: $target is $verdict", async ({ options, target, verdict }) => {
    expect((await judge(target, { options, runtime: {} })).verdict).toEqual(verdict);
  });

  it.each([
    { target: "http://public.test", verdict: undefined },
    { target: "http://10.1.2.3", verdict: "address_prohibited" },
    { target: "http://localhost", verdict: "address_prohibited" },
    { target: "http://a.localhost.", verdict: "address_prohibited" },
  ])("but the platform filters: $target is $verdict", async ({ target, verdict }) => {
    expect((await judge(target, { runtime: { filtersEgress: true } })).verdict).toEqual(verdict);
  });
});

it("a private name that nobody can look up is for callers of a known name only, even if it is listed", async () => {
  const options = { allowTargets: "localhost" };
  const { verdict } = await judge("http://localhost", { options, runtime: {}, host: "evil.test" });
  expect(verdict).toBe("address_prohibited");
});

describe("the message", () => {
  const LISTED = { allowTargets: "public.test,93.0.0.0/8", denyTargets: "public.test:81,10.0.0.0/8" };

  it.each(rowsOf(["to", "options", "says"], [
    ["http://elsewhere.test", { allowTargets: "a.test" }, "ALLOW_TARGETS does not name it"],
    ["http://10.1.2.3", { allowTargets: "a.test" }, "ALLOW_TARGETS does not name it"],
    ["http://private.test", { allowTargets: "93.0.0.0/8" }, "ALLOW_TARGETS does not name it"],
    ["http://public.test:81", LISTED, "DENY_TARGETS refuses it"],
    ["http://10.1.2.3", LISTED, "DENY_TARGETS refuses it"],
    ["http://private.test", { denyTargets: "10.0.0.0/8" }, "DENY_TARGETS refuses it"],
  ]))("says which list refuses $to with $options: $says", async ({ to, options, says }) => {
    const address = { origin: new URL(to), path: "/", basePath: "", selector: "url" as const };
    const resolve = (name: string) => Promise.resolve(NAMES[name] ?? []);
    const exchange = exchangeOf({ options, runtime: { resolve, listensOnLoopback: true } });
    const known = { ...exchange, resolver: new Resolver(1000) };
    const check = async () => await checkAccess(address, known, address);
    await expect(check()).rejects.toThrow(`Cannot reach ${address.origin.host}: ${says}. `);
  });

  it("names what allows a name that nobody can look up", async () => {
    const response = await createProxy().fetch(
      new Request("http://localhost/__proxy__/?url=https://api.test/"),
    );
    expect(await response.json()).toEqual({
      title: "Proxy Error",
      detail: "Cannot reach api.test: its addresses cannot be judged here. " +
        "Hand over a runtime, or name it in allowTargets",
    });
  });
});

describe("the portable sender", () => {
  const fetched = vi.fn((_input: string) => Promise.resolve(new Response("there")));
  beforeEach(() => {
    fetched.mockClear();
    vi.stubGlobal("fetch", fetched);
  });
  afterEach(() => void vi.unstubAllGlobals());
  const call = (target: string, options: Options = {}) =>
    createProxy(options).fetch(new Request("http://localhost/p", { headers: { proxy_host: target } }));

  it.each([
    { target: "http://name.test" },
    { target: "http://name.test", options: { privateTargets: true } },
    { target: "http://name.test", options: { allowTargets: "*.test" } },
    { target: "http://localhost:3000" },
    { target: "http://127.0.0.1" },
    { target: "http://2130706433" },
    { target: "http://[::ffff:127.0.0.1]" },
    { target: "http://10.1.2.3" },
    { target: "http://169.254.169.254" },
  ])("does not go to $target with $options", async ({ target, options }) => {
    const response = await call(target, options);
    expect(response.status).toBe(403);
    expect(response.headers.get("proxy-status"))
      .toMatch(/^fetchvia; error=destination_ip_prohibited; details="Cannot reach /);
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([
    { target: `http://${PUBLIC}`, options: {} },
    { target: "http://[2606:4700::1111]", options: {} },
    { target: "http://name.test", options: { trustNames: true, allowTargets: "name.test" } },
    { target: "http://name.test", options: { trustNames: true } },
    { target: "http://name.test", options: { allowTargets: "name.test" } },
  ])("goes to $target with $options", async ({ target, options }) => {
    const response = await call(target, options);
    expect([response.status, await response.text()]).toEqual([200, "there"]);
    expect(fetched.mock.calls.map(([input]) => input)).toEqual([`${target}/p`]);
  });

  it("judges where a redirect leads", async () => {
    fetched.mockResolvedValueOnce(
      new Response(null, { status: 302, headers: { location: "http://10.1.2.3/" } }),
    );
    const response = await createProxy().fetch(
      new Request(`http://localhost/__proxy__/?url=http://${PUBLIC}/`),
    );
    expect(response.status).toBe(403);
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

it.each([
  { about: "a token that is for other targets", claims: { targets: ["other.test"] } },
  { about: "a token that is for other methods", claims: { methods: ["POST"] } },
  { about: "a token that is for other paths", claims: { paths: ["/v1/"] } },
  {
    about: "a token in a field in which the target takes no key",
    fields: ["x-api-key"],
    code: "token_missing",
  },
  { about: "a part", isByPart: true },
  { about: "a port that browsers open for no page", host: "data.test:25", sent: BROWSER.script },
])("a name is never looked up where $about decides without", async (row) => {
  const { claims, fields, code, isByPart, host = "data.test", sent } = row;
  const resolve = vi.fn(() => Promise.resolve([PUBLIC]));
  const decide = () => {
    throw new ProxyError("forbidden", "not this one");
  };
  const exchange = {
    ...exchangeOf({ fields: sent, runtime: { resolve } }, () => isByPart ? [{ decide }] : []),
    resolver: new Resolver(1000),
    ...(claims || fields) && { token: tokenOf(claims, { fields: fields ?? [] }) },
  };
  const address = { origin: new URL(`http://${host}`), path: "/", basePath: "", selector: "url" as const };
  await expect((async () => await checkAccess(address, exchange, address))()).rejects
    .toMatchObject({ code: code ?? "forbidden" });
  expect(resolve).not.toHaveBeenCalled();
});

describe("a caller's token", () => {
  const address = { origin: new URL("http://both.test"), path: "/", basePath: "", selector: "url" as const };
  const resolve = (name: string) => Promise.resolve(NAMES[name] ?? []);

  it.each([
    { about: "some of them", claimed: [PUBLIC], dialled: [PUBLIC] },
    { about: "one that the name does not have", claimed: [PUBLIC, "93.184.216.99"], dialled: [PUBLIC] },
  ])("leaves those addresses of a name that it allows: $about", async ({ claimed, dialled }) => {
    const token = tokenOf();
    vi.spyOn(token, "checkAddresses").mockReturnValue(claimed);
    const exchange = { ...exchangeOf({ runtime: { resolve } }), resolver: new Resolver(1000), token };
    expect(await checkAccess(address, exchange, address)).toEqual(dialled);
  });
});
