import { expect, it } from "vitest";
import { limitExchange } from "../../../src/parts/gate/table-rules.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tableOf } from "../../support/table.ts";

const table = tableOf({ "a.test": { timeoutMs: 7 }, "b.test": {} });

it("puts the limits of an entry in place of the settings', for its target alone", () => {
  const exchange = exchangeOf({ options: { timeoutMs: 5, maxRequestBytes: 9 } });
  const limited = limitExchange(exchange, table.find("https://a.test"));
  expect(limited.config).toMatchObject({ timeoutMs: 7, maxRequestBytes: 9 });
  expect(limited.deadlines).not.toBe(exchange.deadlines);
  expect(limitExchange(exchange, table.find("https://b.test"))).toBe(exchange);
  expect(limitExchange(exchange, table.find("https://c.test"))).toBe(exchange);
});
