import { describe, expect, it } from "vitest";
import { dress } from "../../../src/exchange/gate/dress.ts";
import type { Exchange } from "../../../src/exchange/exchange.ts";
import { Fields } from "../../../src/http/fields.ts";
import type { Options } from "../../../src/settings/config.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tableOf } from "../../support/table.ts";

const table = tableOf({
  "a.test": { set: { authorization: "Bearer {{KEY}}", "?key": "{{KEY}}", "x-new": "1" }, remove: ["x-old"] },
  "b.test": { host: "caller" },
  "c.test": {},
  "e.test": { host: "caller", set: { "x-key": "{{KEY}}", "x-forwarded-host": "set.test" } },
  "f.test": { host: "caller", keys: ["OTHER"] },
});
const exchange = {
  ...exchangeOf({ fields: { host: "localhost:8080" } }),
  table,
  asker: "program" as const,
};

/** Dresses a request to this address. */
function dressed(address: string, fields: [string, string][] = [], asked: Exchange = exchange) {
  const { origin, pathname, search } = new URL(address);
  const headers = new Fields([["host", new URL(origin).host], ...fields]);
  const hop = { origin: new URL(origin), path: pathname + search, headers, isNamed: true, isWhole: true };
  return dress({ ...hop, addresses: undefined }, asked);
}

describe("the dress of a request", () => {
  it("has what the entry sets, and not what it removes", () => {
    const fields: [string, string][] = [["authorization", "mine"], ["x-old", "1"], ["x-kept", "1"]];
    const { headers, sent } = dressed("https://a.test/p", fields);
    expect([...headers]).toEqual([
      ["host", "a.test"],
      ["authorization", "Bearer k3y/+ secret"],
      ["x-kept", "1"],
      ["x-new", "1"],
    ]);
    expect(sent).toEqual(new Map([["KEY", "k3y/+ secret"]]));
  });

  it.each([
    ["/p", "/p?key=k3y%2F%2B%20secret"],
    ["/p?a=%2f&b", "/p?a=%2f&b&key=k3y%2F%2B%20secret"],
    ["/p?key=mine&a=1&%6Bey=2&Key=3", "/p?a=1&Key=3&key=k3y%2F%2B%20secret"],
  ])(
    "sets the parameter in %s",
    (path, expected) => expect(dressed(`https://a.test${path}`).path).toBe(expected),
  );

  it("has the caller's Host where the entry says so", () => {
    expect(dressed("https://b.test/").headers.get("host")).toBe("localhost:8080");
  });

  it.each(["https://c.test/p?key=1", "https://d.test/p"])("is the request itself for %s", (address) => {
    expect(dressed(address, [["x-a", "1"]])).toMatchObject({ path: address.slice("https://c.test".length) });
    expect(dressed(address).sent).toBeUndefined();
  });

  it("is refused where the key may not go", () => {
    expect(() => dressed("http://a.test/")).toThrow("keys go out over https only");
  });

  const from = (host: string, options: Options = {}): Exchange => ({
    ...exchangeOf({ fields: { host }, options: { hosts: "app.test", proxyToken: "t", ...options } }),
    table,
    asker: "program",
  });

  it.each(["attacker.test", "10.1.2.3", "a%2f.localhost", "localhost.test"])(
    "is refused with a key and the Host %s, where the entry sends it",
    (host) => {
      expect(() => dressed("https://e.test/", [], from(host))).toThrow("no name of this proxy");
      const placed: [string, string][] = [["x-a", "{{OTHER}}"]];
      expect(() => dressed("https://f.test/", placed, from(host))).toThrow("no name of this proxy");
      expect(dressed("https://f.test/", [], from(host)).headers.get("host")).toBe(host);
    },
  );

  it.each(["app.test", "APP.test:81", "localhost", "a.localhost:1", "127.0.0.1"])(
    "has a key and the Host %s, which is a name of the proxy",
    (host) => expect(dressed("https://e.test/", [], from(host)).headers.get("host")).toBe(host),
  );

  it("has no name of the caller's beside a key but what the entry sets", () => {
    const fields: [string, string][] = [
      ["x_forwarded_host", "x"],
      ["x-forwarded-host", "x"],
      ["x-host", "x"],
      [
        "forwarded",
        "host=x",
      ],
    ];
    const { headers } = dressed("https://e.test/", fields);
    expect([...headers].filter(([, value]) => value.includes("x"))).toEqual([]);
    expect(headers.get("x-forwarded-host")).toBe("set.test");
  });

  it.each([
    { host: "attacker.test", kept: [["forwarded", "for=1;proto=http"]] },
    {
      host: "app.test",
      kept: [["forwarded", 'for=1;host="app.test";proto=http'], ["x-forwarded-host", "app.test"]],
    },
  ])("has what FORWARD_CLIENT writes of $host", ({ host, kept }) => {
    const fields: [string, string][] = [
      ["forwarded", `for=1;host="${host}";proto=http`],
      ["x-forwarded-host", host],
    ];
    const { headers } = dressed("https://a.test/", fields, from(host, { forwardClient: true }));
    expect([...headers].filter(([name]) => name.includes("forwarded"))).toEqual(kept);
  });

  it("is the very same object without a table", () => {
    const hop = { origin: new URL("https://a.test"), path: "/", headers: new Fields(), addresses: undefined };
    const named = { ...hop, isNamed: true, isWhole: true };
    expect(dress(named, { ...exchange, table: undefined })).toBe(named);
  });
});
