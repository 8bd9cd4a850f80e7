/** What vouched addresses look like on their way in, and what a proxy in front may not claim. @module */
import { describe, expect, it } from "vitest";
import { readCallerAddress } from "../../../src/core/who/caller.ts";
import { exchangeOf, incomingOf, type Request } from "../../support/exchange.ts";
import { rowsOf, words } from "../../support/rows.ts";

const TRUSTED = "10.0.0.0/8,::1,2001:db8::/32";

function callerOf(
  clientAddress: string,
  fields: Request["fields"],
  trustedProxies: string | undefined = TRUSTED,
) {
  const options = trustedProxies === "" ? {} : { trustedProxies };
  return exchangeOf({ fields, options, runtime: { clientAddress } }).caller;
}

describe("the client's address", () => {
  it.each(rowsOf(["about", "chain", "address"], [
    ["without its port", "9.9.9.9:1234", "9.9.9.9"],
    ["IPv6 without its port", "[2620:fe::9]:1234", "2620:fe::9"],
    ["no port that is none", "9.9.9.9:", "10.0.0.1"],
    ["no octal", "09.9.9.9", "10.0.0.1"],
    ["no name", "localhost", "10.0.0.1"],
    ["no unknown", "unknown", "10.0.0.1"],
    ["nothing behind an empty entry", "9.9.9.9,", "10.0.0.1"],
    ["nothing behind two commas", "9.9.9.9,,10.0.0.2", "10.0.0.2"],
    ["one that says loopback", "127.0.0.1", "127.0.0.1"],
    ["a chain that is invented in front", "10.0.0.9, 1.1.1.1, 9.9.9.9", "9.9.9.9"],
    ["trusted proxies of both kinds", "9.9.9.9, ::1, 10.0.0.2, 2001:db8::5", "9.9.9.9"],
  ]))("is read: $about", ({ chain, address }) => {
    expect(callerOf("10.0.0.1", { "x-forwarded-for": chain }).address).toBe(address);
  });

  it.each(["x-forwarded-host", "x-forwarded-port"])("brings no %s", (name) => {
    expect(callerOf("10.0.0.1", { [name]: "evil.test" }))
      .toMatchObject({ host: "localhost:8080", origin: "http://localhost:8080" });
  });

  it.each(words`HTTPS wss http,https`)(
    "comes over https where the proto is %s, as of a WebSocket",
    (proto) => {
      expect(callerOf("10.0.0.1", { "x-forwarded-proto": proto }).isSecure).toBe(true);
    },
  );

  it.each(["", ...words`ws https,http https,`])("comes over http where the proto is %s", (proto) => {
    expect(callerOf("10.0.0.1", { "x-forwarded-proto": proto }).isSecure).toBe(false);
  });
});

it.each([
  { about: "as the caller has it", clientAddress: "10.0.0.1", address: "9.9.9.9" },
  { about: "of a stranger", clientAddress: "192.0.2.1", address: "192.0.2.1" },
  { about: "of nobody", clientAddress: undefined, address: "" },
])("the address alone is read whatever Host says: $about", ({ clientAddress, address }) => {
  const { config } = exchangeOf({ options: { trustedProxies: TRUSTED } });
  const { headers } = incomingOf({ fields: { host: "a b", "x-forwarded-for": "9.9.9.9" } });
  expect(readCallerAddress(headers, { clientAddress }, config.trustedProxies)).toBe(address);
});
