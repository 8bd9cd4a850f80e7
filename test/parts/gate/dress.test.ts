import { describe, expect, it } from "vitest";
import { changesFields, dress, dropNames } from "../../../src/parts/gate/dress.ts";
import type { Exchange } from "../../../src/core/exchange/exchange.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Fields, KeptFields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { mint } from "../../support/mint.ts";
import { tableOf } from "../../support/table.ts";

const table = tableOf({
  "a.test": { set: { authorization: "Bearer {{KEY}}", "?key": "{{KEY}}", "x-new": "1" }, remove: ["x-old"] },
  "b.test": { host: "caller" },
  "c.test": {},
  "e.test": { host: "caller", set: { "x-key": "{{KEY}}", "x-forwarded-host": "set.test" } },
  "g.test": { set: { "?filter%5Bid%5D": "1", "?a+b": "1" } },
  "f.test": { host: "caller", keys: ["OTHER"] },
});
const exchange = { ...exchangeOf({ fields: { host: "localhost:8080" } }), asker: "program" as const };

/** Dresses a request to this address. */
function dressed(address: string, fields: [string, string][] = [], asked: Exchange = exchange) {
  const { origin, pathname, search } = new URL(address);
  const headers = new Fields([["host", new URL(origin).host], ...fields]);
  const hop = { origin: new URL(origin), path: pathname + search, headers, isNamed: true, isWhole: true };
  return dress({ ...hop, addresses: undefined }, table, asked, { bytes: 0 })!;
}

describe("the dress of a request", () => {
  it.each([
    ["/p", "/p?key=k3y%2F%2B%20secret"],
    ["/p?a=%2f&b", "/p?a=%2f&b&key=k3y%2F%2B%20secret"],
    ["/p?key=mine&a=1&%6Bey=2&Key=3", "/p?a=1&Key=3&key=k3y%2F%2B%20secret"],
  ])(
    "sets the parameter in %s",
    (path, expected) => expect(dressed(`https://a.test${path}`).path).toBe(expected),
  );

  it.each([
    ["/p?filter[id]=2&filter%5bid%5D=3&b", "/p?b&filter%5Bid%5D=1&a+b=1"],
    ["/p?a%20b=2&a+b=3&a%2Bb=4&%zz=5", "/p?a%2Bb=4&%zz=5&filter%5Bid%5D=1&a+b=1"],
  ])(
    "sets parameters whose names are encoded, in %s",
    (path, expected) => expect(dressed(`https://g.test${path}`).path).toBe(expected),
  );

  it.each(["https://c.test/p?key=1", "https://d.test/p"])("is the request itself for %s", (address) => {
    expect(dressed(address, [["x-a", "1"]])).toMatchObject({ path: address.slice("https://c.test".length) });
    expect(dressed(address).redact).toBeUndefined();
  });

  it("has no key where a refusal was let pass, and all else of the entry", () => {
    const asked = exchangeOf({ fields: { host: "localhost:8080" } });
    asked.record.pardoned = new ProxyError("forbidden", "a refusal");
    const placed: [string, string][] = [["x-old", "1"], ["x-own", "{{OTHER}}"]];
    const { path, headers } = dressed("https://a.test/p?key=mine", placed, asked);
    expect(path).toBe("/p?key=mine");
    expect([...headers]).toEqual([["host", "a.test"], ["x-own", "{{OTHER}}"], ["x-new", "1"]]);
  });

  it("is made once of fields that come again, and anew for another entry, Host or settings", () => {
    const kept = new KeptFields(new Fields([["x-old", "1"], ["x-forwarded-host", "h"]]));
    const other = exchangeOf({ fields: { host: "localhost:9090" } });
    const own = exchangeOf({ fields: { host: "localhost:8080" }, options: { forwardClient: true } });
    const make = (headers: Fields, host: string, asked: Exchange) => {
      const hop = { origin: new URL(`https://${host}`), path: "/", isNamed: true, isWhole: true };
      return dress({ ...hop, headers, addresses: undefined }, table, asked, { bytes: 0 })!.headers;
    };
    const asked = [exchange, other, own].map((one): Exchange => ({ ...one, asker: "program" }));
    const ways = ["a.test", "e.test", "b.test"].flatMap((host) => asked.map((one) => [host, one] as const));
    for (const [host, one] of ways) {
      for (const [next, two] of ways) {
        make(kept, host, one);
        const made = make(kept, next, two);
        expect([...made]).toEqual([...make(new Fields([...kept]), next, two)]);
        expect(make(new Fields(kept), next, two)).toBe(made);
      }
    }
  });

  it("is made once of fields of one shape, with the values that each has and the entry does not set", () => {
    const shape = new KeptFields(new Fields([["x-old", "1"], ["x-id", "1"], ["x-new", "0"]]), [
      "x-old",
      "x-id",
      "x-new",
    ]);
    const asked: Exchange = { ...exchange, asker: "program" };
    const hop = { origin: new URL("https://a.test"), path: "/", isNamed: true, isWhole: true };
    const make = (headers: Fields) =>
      dress({ ...hop, headers, addresses: undefined }, table, asked, { bytes: 0 })!.headers as Fields;
    const made = ["1", "2", "3"].map((value) => make(shape.fill([value, value, value])));
    expect(made.map((headers) => [...headers]))
      .toEqual(
        ["1", "2", "3"].map((
          value,
        ) => [...make(new Fields([["x-old", value], ["x-id", value], ["x-new", value]]))]),
      );
    expect(new Set(made.map((headers) => headers.shape)).size).toBe(1);
    expect([...made[0]!.shape!].filter(([name]) => name !== "x-new").map(([, value]) => value)).not.toContain(
      "1",
    );
  });

  it("stays where the key is in the connection", () => {
    const { cert, key } = mint({ subject: "client" });
    const secured = tableOf({ "a.test": { cert: "client.crt", key: "client.key" } }, {
      "client.crt": cert,
      "client.key": key,
    });
    const asked = exchangeOf();
    asked.record.pardoned = new ProxyError("forbidden", "a refusal");
    const hop = {
      origin: new URL("https://a.test"),
      path: "/",
      headers: new Fields(),
      isNamed: true,
      isWhole: true,
    };
    expect(() => dress({ ...hop, addresses: undefined }, secured, asked, { bytes: 0 }))
      .toThrow(asked.record.pardoned);
  });

  it("has no name of the caller's beside a key but what the entry sets", () => {
    const fields: [string, string][] = [
      ["x_forwarded_host", "x"],
      ["x-forwarded-host", "x"],
      ["x-host", "x"],
      ["forwarded", "host=x"],
    ];
    const { headers } = dressed("https://e.test/", fields);
    expect([...headers].filter(([, value]) => value.includes("x"))).toEqual([]);
    expect(headers.get("x-forwarded-host")).toBe("set.test");
  });
});

it.each([
  { members: { set: { a: "1" } }, expected: true },
  { members: { remove: ["a"] }, expected: true },
  { members: { host: "caller" }, expected: true },
  { members: { set: { "?a": "1" } }, expected: false },
])("tells that $members changes fields: $expected", ({ members, expected }) => {
  expect(tableOf({ "a.test": members }).entries.map(changesFields)).toEqual([expected]);
});

const FOREIGN = { fields: { host: "attacker.test" } };
describe("fields beside a key", () => {
  it.each([
    ["x-forwarded-host", "evil.test"],
    ["x_forwarded_host", "evil.test"],
    ["x-original-host", "evil.test"],
    ["forwarded", "host=evil.test"],
    ["x-http-host-override", "evil.test"],
  ])("do not name another host: %s", (name, value) => {
    const headers = new Fields([["accept", "*/*"], [name, value]]);
    expect([...dropNames(headers, exchangeOf(FOREIGN))]).toEqual([["accept", "*/*"]]);
    expect([...headers]).toHaveLength(2);
  });

  it("stay as they are where none names a host", () => {
    const headers = new Fields([["x-forwarded-for", "192.0.2.1"], ["hostile", "1"]]);
    expect(dropNames(headers, exchangeOf(FOREIGN))).toBe(headers);
  });
});
