/**
 * The names that may go out beside a key. With the whole request: `dress.test.ts`.
 * @module
 */
import { describe, expect, it } from "vitest";
import { checkHostBeside, dropNames } from "../../../src/exchange/gate/bound-names.ts";
import { Fields } from "../../../src/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";

const FOREIGN = { fields: { host: "attacker.test" } };
const TARGET = new URL("https://api.test");

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

describe("the caller's Host beside a key", () => {
  it.each(["localhost:8080", "127.0.0.1:8080", "a-test.w.localhost:8080"])(
    "may be %s, a name of the proxy",
    (host) => {
      expect(() => checkHostBeside(exchangeOf({ fields: { host } }), TARGET)).not.toThrow();
    },
  );

  it("is refused where it is no name of the proxy", () => {
    expect(() => checkHostBeside(exchangeOf(FOREIGN), TARGET)).toThrow(/Name it in HOSTS/);
    const named = exchangeOf({ ...FOREIGN, options: { hosts: ["attacker.test"] } });
    expect(() => checkHostBeside(named, TARGET)).not.toThrow();
  });
});
