/** `GATE=report` as a part: it lets pass and notes, and needs a record. @module */
import { expect, it } from "vitest";
import { makeReport } from "../../../src/parts/report/part.ts";
import { enforce, hooksOf } from "../../../src/core/exchange/hooks.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { exchangeOf } from "../../support/exchange.ts";

const fail = (failure: unknown) => () => {
  throw failure;
};

it("lets refusals pass, notes the first one of a hop, and nothing else that fails", async () => {
  const rules = makeReport({ audit: { to: "stderr", isLoose: false } }).rules!()!;
  const exchange = { ...exchangeOf(), parts: hooksOf([rules]) };
  const [first, last] = ["first", "last"].map((text) => new ProxyError("forbidden", text));
  expect(enforce(exchange, () => 1)).toBe(1);
  expect(exchange.record.pardoned).toBeUndefined();
  expect([enforce(exchange, fail(first)), enforce(exchange, fail(last))]).toEqual([undefined, undefined]);
  const [late, fault] = [new ProxyError("rate_limited", "late"), new TypeError("a fault")];
  expect(() => enforce(exchange, fail(fault))).toThrow("a fault");
  await expect(enforce(exchange, () => Promise.reject(fault))).rejects.toThrow("a fault");
  expect(await enforce(exchange, () => Promise.reject(late))).toBeUndefined();
  expect(exchange.record.pardoned).toBe(first);
  const hop = () => ({ origin: new URL("http://a.test"), path: "/", method: "GET", isSocket: false });
  const noted = [hop(), hop()].map((one) => {
    exchange.record.hop = one;
    for (const refusal of [last, first]) enforce(exchange, fail(refusal));
    return exchange.record.pardoned;
  });
  // What was let pass at the door is the first of the first hop.
  expect(noted).toEqual([first, last]);
  expect(() => enforce(exchangeOf(), fail(first))).toThrow("first");
});

it("is refused without a record", () =>
  expect(() => makeReport({ audit: undefined })).toThrow("GATE is report, expected AUDIT with it"));
