/** The names that may go out beside a key. With the whole request: `dress.test.ts`. @module */
import { describe, expect, it } from "vitest";
import { dropNames } from "../../../src/parts/gate/bound-names.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";

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
