/** What a proxy keeps: its id, its counters, and who is told of a request. */
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readConfig, readOptions } from "../../src/core/settings/config.ts";
import { OpenRequests, type RequestRecord } from "../../src/core/exchange/record.ts";
import { type LiveSettings, makeLatePart, type Part } from "../../src/core/part.ts";
import { State } from "../../src/core/state.ts";
import { rowsOf } from "../support/rows.ts";
import { exchangeOf, incomingOf } from "../support/exchange.ts";

describe("a state", () => {
  it("has an id of its own", () => {
    const ids = [new State(readOptions({})).loopId, new State(readOptions({})).loopId];
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^fetchvia-[\da-f-]{36}$/);
  });

  it("asks its parts what they do in the steps when its settings change, and then only; theirs comes last", () => {
    const settings: { -readonly [Name in keyof LiveSettings]: LiveSettings[Name] } = {
      config: readOptions({}),
      revoked: new Set(),
      version: 1,
      part: { name: "b", rules: () => ({ find: second }) },
    };
    const [first, second] = [() => undefined, () => undefined];
    const state = new State(
      settings.config,
      { settings },
      () => [{ name: "a", rules: () => ({ find: first }) }],
    );
    const { hooks } = state;
    expect([hooks.find, state.hooks === hooks]).toEqual([[first, second], true]);
    settings.version = 2;
    expect(state.hooks).not.toBe(hooks);
  });

  it("knows the rules of parts once they have loaded, whoever asked for them before", async () => {
    const find = () => undefined;
    const part = makeLatePart("a", () => Promise.resolve({ find }));
    const state = new State(readOptions({}), {}, () => [part]);
    expect([state.isPrepared, state.hooks.find]).toEqual([false, []]);
    await state.prepare();
    expect([state.isPrepared, state.hooks.find]).toEqual([true, [find]]);
  });

  it("tells its parts of a request in their order, and then the log", () => {
    const told: unknown[] = [];
    const part = (name: string): Part => ({
      name,
      begin: ({ method }) => void told.push([name, "begin", method]),
      arrive: (_record, _incoming, path) => void told.push([name, "arrive", path]),
      aim: (_record, method, { origin }) => void told.push([name, "aim", method, origin.host]),
      end: ({ status }) => void told.push([name, "end", status]),
    });
    const log = ({ status }: RequestRecord) => void told.push(["log", status]);
    const state = new State(readOptions({}), { log }, () => [part("a"), { name: "silent" }, part("b")]);
    const record = state.begin("GET");
    for (const arrive of state.arrivals) arrive(record, incomingOf({}), "/p", {});
    state.note({ ...exchangeOf(), record }, {
      selector: "header",
      origin: new URL("http://a.test"),
      basePath: "",
      path: "/x",
    });
    expect(record).toMatchObject({ selector: "header", target: "a.test" });
    record.answered(200, 0);
    expect(told).toEqual([
      ["a", "begin", "GET"],
      ["b", "begin", "GET"],
      ["a", "arrive", "/p"],
      ["b", "arrive", "/p"],
      ["a", "aim", "GET", "a.test"],
      ["b", "aim", "GET", "a.test"],
      ["a", "end", 200],
      ["b", "end", 200],
      ["log", 200],
    ]);
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

  it.each(rowsOf(["environment", "message"], [
    [{ WORKERS: "2" }, "WORKERS is 2, expected 1 here"],
    [{ CALLER_TOKENS: "true" }, "CALLER_TOKENS is true, expected SIGNING_KEY with it"],
    [{ CAPTURE: "heads", CONSOLE: "false" }, "CAPTURE is heads, expected CONSOLE with it"],
    [{ REVOKED_TOKENS: "ci" }, "REVOKED_TOKENS is set, expected SIGNING_KEY with it"],
    [{ RATE_LIMIT_STORE: "redis://a.test" }, "expected RATE_LIMIT with it"],
    [{ RATE_LIMIT_STORE: "redis://a.test", RATE_LIMIT: "1/1s" }, "Pass a rateStore instead"],
    [{ NO_UPSTREAM: "a.test" }, "NO_UPSTREAM is set, expected UPSTREAM_PROXY with it"],
    [{ UPSTREAM_DNS: "remote" }, "UPSTREAM_DNS is set, expected UPSTREAM_PROXY with it"],
  ]))("refuses $environment, which nothing would act on", ({ environment, message }) => {
    expect(() => new State(readConfig(environment))).toThrow(message);
  });

  it("takes the id and the ticket that its processes share", () => {
    const state = new State(readOptions({}), { id: "1", ticket: "2" });
    expect([state.loopId, state.ticket]).toEqual(["fetchvia-1", "2"]);
  });

  it("lets small collections of V8 take the records of requests that have ended", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as (options: { type: "minor" | "major" }) => void;
    const countOld = () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space")!.space_used_size;
    const state = new State(readOptions({}), { open: new OpenRequests() });
    const running: RequestRecord[] = [];
    const serve = (rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        for (let count = 0; count < 500; count += 1) {
          running.push(state.begin("GET"));
          for (const over of running.splice(0, Math.max(0, running.length - 32))) over.answered(200, 0);
        }
        collect({ type: "minor" });
      }
    };
    serve(2);
    // From here on, what keeps the running ones is old.
    collect({ type: "major" });
    const before = countOld();
    serve(40);
    // Each record takes 280 bytes: a `Set` of the open ones kept all of them, 6 MB.
    expect(countOld() - before).toBeLessThan(2_000_000);
  });
});
