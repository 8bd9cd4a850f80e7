/** Metrics as a part: counts from the start of a request to its end, and shows those of all processes. */
import { expect, it, vi } from "vitest";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { makeMetrics } from "../../../src/parts/metrics/part.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { hostOf, openOf } from "../../support/part.ts";
import { tokenOf } from "../../support/token.ts";

const ON = readOptions({ metrics: true });

it("are there where they are asked for", () => {
  const off = readOptions({});
  expect([makeMetrics(ON, hostOf(ON))?.name, makeMetrics(off, hostOf(off))]).toEqual(["metrics", undefined]);
});

it("count a request while it runs", async () => {
  const part = makeMetrics(ON, hostOf(ON));
  const read = async () => await (await openOf(part, "/metrics", exchangeOf()))?.text();
  const record = new RequestRecord("GET", []);
  part?.begin?.(record);
  expect(await read()).toContain("fetchvia_in_flight 1\n");
  part?.end?.(record);
  expect(await read()).toContain("fetchvia_in_flight 0\n");
  expect(await openOf(part, "/metric", exchangeOf())).toBeUndefined();
});

it("read those of all processes, and lend their own", async () => {
  const reads: (() => string)[] = [];
  const shareMetrics = (read: () => string) => {
    reads.push(read);
    return () => Promise.resolve([read(), read()]);
  };
  const part = makeMetrics(ON, hostOf(ON, { shareMetrics }));
  part?.begin?.(new RequestRecord("GET", []));
  expect(await (await openOf(part, "/metrics", exchangeOf()))?.text()).toContain("fetchvia_in_flight 2\n");
  expect(reads.map((read) => read().includes("fetchvia_in_flight 1\n"))).toEqual([true]);
});

it("ask no process for a caller with a token of its own, who may not see them", async () => {
  const readAll = vi.fn();
  const part = makeMetrics(ON, hostOf(ON, { shareMetrics: () => readAll }));
  const exchange = { ...exchangeOf(), token: tokenOf() };
  await expect(openOf(part, "/metrics", exchange))
    .rejects.toThrow(expect.objectContaining({ code: "forbidden" }));
  expect(readAll).not.toHaveBeenCalled();
});
