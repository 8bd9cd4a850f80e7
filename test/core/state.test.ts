/** What a proxy keeps: its id, its counters, and who is told of a request. */
import { describe, expect, it } from "vitest";
import { readOptions } from "../../src/core/settings/config.ts";
import type { RequestRecord } from "../../src/core/exchange/record.ts";
import { OpenRequests } from "../../src/core/exchange/open-requests.ts";
import { State } from "../../src/core/state.ts";
import { rowsOf } from "../support/rows.ts";
import { exchangeOf } from "../support/exchange.ts";

describe("a state", () => {
  it("has an id of its own", () => {
    const ids = [new State(readOptions({})).loopId, new State(readOptions({})).loopId];
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^fetchvia-[\da-f-]{36}$/);
  });

  it.each([{ metrics: true, has: true }, { metrics: false, has: false }])(
    "has metrics where they are $metrics",
    ({ metrics, has }) => expect(new State(readOptions({ metrics })).metrics !== undefined).toBe(has),
  );

  it("tells log and metrics when a request is over", () => {
    const logged: RequestRecord[] = [];
    const state = new State(readOptions({ metrics: true }), { log: (record) => void logged.push(record) });
    const record = state.begin("GET");
    expect(state.metrics?.format()).toContain("fetchvia_in_flight 1\n");
    expect(logged).toEqual([]);
    record.answered(200, 0);
    expect(state.metrics?.format()).toContain("fetchvia_in_flight 0\n");
    expect(logged).toEqual([record]);
  });

  it("frees a place when a request is over", async () => {
    const state = new State(readOptions({ maxConcurrent: 1 }));
    const [one, two] = [state.begin("GET"), state.begin("GET")];
    const admit = async (record: RequestRecord) =>
      await state.doorkeeper.admit({ ...exchangeOf(), record }, false, "none");
    await admit(one);
    await expect(admit(two)).rejects.toThrow(expect.objectContaining({ code: "overloaded" }));
    one.answered(200, 0);
    await expect(admit(two)).resolves.toBeUndefined();
  });

  it.each(rowsOf(["options", "message"], [
    [{ workers: 2 }, "WORKERS is 2, expected 1 here"],
    [{ callerTokens: true }, "CALLER_TOKENS is true, expected SIGNING_KEY with it"],
    [{ capture: "heads" as const, console: false }, "CAPTURE is heads, expected CONSOLE with it"],
    [{ revokedTokens: "ci" }, "REVOKED_TOKENS is set, expected SIGNING_KEY with it"],
    [{ rateLimitStore: "redis://a.test" }, "expected RATE_LIMIT with it"],
    [{ rateLimitStore: "redis://a.test", rateLimit: "1/1s" }, "Pass a rateStore instead"],
    [{ noUpstream: ["a.test"] }, "NO_UPSTREAM is set, expected UPSTREAM_PROXY with it"],
    [{ upstreamDns: "remote" as const }, "UPSTREAM_DNS is set, expected UPSTREAM_PROXY with it"],
  ]))("refuses $options, which nothing would act on", ({ options, message }) => {
    expect(() => new State(readOptions(options))).toThrow(message);
  });

  it("takes the id and the ticket that its processes share", () => {
    const state = new State(readOptions({}), { id: "1", ticket: "2" });
    expect([state.loopId, state.traffic?.ticket]).toEqual(["fetchvia-1", "2"]);
  });

  it("keeps no list of its own of what runs, unless somebody watches and no server keeps one", async () => {
    const open = new OpenRequests();
    const [served, alone] = [new State(readOptions({}), { open }), new State(readOptions({}))];
    alone.begin("GET");
    const watch = async (state: State) =>
      (await state.traffic!.openWatchers()).watch(new AbortController().signal);
    const bodies = [await watch(served), await watch(alone)];
    const [one, other] = [served.begin("GET"), alone.begin("GET")];
    expect([[...open.records()], served.traffic?.open]).toEqual([[one], undefined]);
    expect([...alone.traffic!.open!.records()]).toEqual([other]);
    for (const body of bodies) body.cancel();
  });

  it("reads the metrics of all, and lends its own", async () => {
    const reads: (() => string)[] = [];
    const state = new State(readOptions({ metrics: true }), {
      shareMetrics: (read) => {
        reads.push(read);
        return () => Promise.resolve([read(), "other"]);
      },
    });
    expect(await state.readMetrics()).toEqual([state.metrics?.format(), "other"]);
    expect(reads.map((read) => read())).toEqual([state.metrics?.format()]);
  });
});
