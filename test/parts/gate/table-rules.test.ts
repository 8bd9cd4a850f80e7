/** What a table does in the steps: the functions that it needs, each for its targets alone. @module */
import { expect, it } from "vitest";
import { decodeAddress } from "../../../src/core/address/address.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { rulesOf } from "../../../src/parts/gate/table-rules.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tableOf } from "../../support/table.ts";

const ALWAYS = ["answer", "answersAlike", "dress", "find", "keyFields", "limit"];
const A = decodeAddress("https://a.test/v2/")!;

it.each([
  { members: {}, more: [] },
  { members: { methods: ["GET"] }, more: ["decide"] },
  { members: { paths: ["/v1/"] }, more: ["decide"] },
  { members: { requests: [] }, more: ["decide"] },
  { members: { set: { x: "{{KEY}}" } }, more: ["secrets"] },
  { members: { keys: ["KEY"] }, more: ["secrets"] },
])("is of $members: always, and $more", ({ members, more }) => {
  expect(Object.keys(rulesOf(tableOf({ "a.test": members }), { bytes: 0 })).sort())
    .toEqual([...ALWAYS, ...more].sort());
});

it("is done to a target with an entry, and to no other", () => {
  const rules = rulesOf(
    tableOf({
      "a.test": { paths: ["/v1/"], timeoutMs: 7, answerSet: { "x-a": "1" }, set: { "x-key": "{{KEY}}" } },
    }),
    { bytes: 0 },
  );
  const b = new URL("https://b.test");
  const exchange = exchangeOf();
  const target = { ...A, basePath: "", selector: "url" } as const;
  expect(() => rules.decide?.(A, "GET", exchange, target)).toThrow("this path is not allowed for a.test");
  expect(() => rules.decide?.({ ...A, origin: b }, "GET", exchange, target)).not.toThrow();
  expect(rules.limit?.(exchange, A.origin).config.timeoutMs).toBe(7);
  expect(rules.limit?.(exchange, b)).toBe(exchange);
  const headers = new Fields();
  rules.answer?.(headers, { finalAddress: { ...A, origin: b } }, A.origin, exchange);
  expect([...headers]).toEqual([]);
  rules.answer?.(headers, {}, A.origin, exchange);
  expect([...headers]).toEqual([["x-a", "1"]]);
  expect(rules.secrets?.clean("a k3y/+ secret")).toBe("a {{KEY}}");
});
