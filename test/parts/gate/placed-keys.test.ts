import { describe, expect, it } from "vitest";
import type { HopRequest } from "../../../src/core/exchange/exchange.ts";
import { placeKeys } from "../../../src/parts/gate/placed-keys.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tableOf } from "../../support/table.ts";

const table = tableOf({ "a.test": { keys: ["KEY"] }, "b.test": { keys: ["OTHER"] } });
const exchange = { ...exchangeOf({ fields: { host: "localhost:8080" } }), asker: "program" as const };

/** Places the keys of a hop; without changes to a named, whole address of a.test. */
function place(hop: Partial<HopRequest> = {}) {
  const whole: HopRequest = {
    origin: new URL("https://a.test"),
    path: "/",
    headers: new Fields(),
    addresses: ["192.0.2.1"],
    isNamed: true,
    isWhole: true,
    ...hop,
  };
  return placeKeys(whole, table.find(whole.origin.origin), table.callerKeys, exchange);
}

describe("keys that callers place", () => {
  it("are filled into fields and the query", () => {
    const headers = new Fields([["x-a", "1 {{KEY}}"], ["x-b", "{{UNKNOWN}}"]]);
    const placed = place({ path: "/{{KEY}}?a={{KEY}}&b=%7B%7bKEY%7D%7d&c=%7B1%7D", headers });
    expect([...placed.headers]).toEqual([["x-a", "1 k3y/+ secret"], ["x-b", "{{UNKNOWN}}"]]);
    expect(placed.path).toBe("/{{KEY}}?a=k3y%2F%2B%20secret&b=k3y%2F%2B%20secret&c=%7B1%7D");
    expect(placed.sent).toEqual(new Map([["KEY", "k3y/+ secret"]]));
  });

  it("leave everything else as it is", () => {
    const headers = new Fields([["x-a", "{{UNKNOWN}}"]]);
    expect(place({ headers, path: "/?a={{UNKNOWN}}" })).toEqual({ headers, path: "/?a={{UNKNOWN}}" });
  });

  it("go out by https only", () => {
    const unsafe = { origin: new URL("http://a.test"), path: "/?a={{KEY}}" };
    expect(() => place(unsafe)).toThrow("keys go out over https only");
  });

  it("stay out of the path of a base", () =>
    expect(place({ path: "/?a={{KEY}}", isWhole: false }).path).toBe("/?a={{KEY}}"));
});
