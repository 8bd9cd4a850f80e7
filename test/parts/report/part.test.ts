/** `GATE=report` as a part: it lets pass and notes, and needs a record. @module */
import { expect, it } from "vitest";
import { makeReport } from "../../../src/parts/report/part.ts";
import { enforce, hooksOf } from "../../../src/core/exchange/hooks.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { exchangeOf } from "../../support/exchange.ts";

const fail = (failure: unknown) => () => {
  throw failure;
};

it("lets refusals pass, notes the last one, and nothing else that fails", async () => {
  const rules = makeReport({ audit: { to: "stderr", isLoose: false } }).rules!()!;
  const exchange = { ...exchangeOf(), parts: hooksOf([rules]) };
  const [first, last] = ["first", "last"].map((text) => new ProxyError("forbidden", text));
  expect(enforce(exchange, () => 1)).toBe(1);
  expect(exchange.record.pardoned).toBeUndefined();
  expect([enforce(exchange, fail(first)), enforce(exchange, fail(last))]).toEqual([undefined, undefined]);
  const [late, fault] = [new ProxyError("rate_limited", "late"), new TypeError("a fault")];
  expect(() => enforce(exchange, fail(fault))).toThrow("a fault");
  await expect(enforce(exchange, () => Promise.reject(fault))).rejects.toThrow("a fault");
  expect(exchange.record.pardoned).toBe(last);
  expect(await enforce(exchange, () => Promise.reject(late))).toBeUndefined();
  expect(exchange.record.pardoned).toBe(late);
  expect(() => enforce(exchangeOf(), fail(first))).toThrow("first");
});

it("is refused without a record", () => {
  expect(() => makeReport({ audit: undefined })).toThrow("GATE is report, expected AUDIT with it");
});
