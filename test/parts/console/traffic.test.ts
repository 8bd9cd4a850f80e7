/** Live traffic: what is noted, and what it costs. @module */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Traffic } from "../../../src/parts/console/traffic.ts";
import { linkProcesses, recordOf } from "./records.ts";
import { rowsOf } from "../../support/rows.ts";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000_000_000 }));
afterEach(() => vi.useRealTimers());

describe("what is noted", () => {
  it.each(rowsOf(["about", "fields", "kept"], [
    ["a forwarded request", {}, 1],
    ["a refused request", { target: undefined, error: "token_missing" as const, status: 401 }, 1],
    ["a request to the proxy itself", { target: undefined }, 0],
  ]))("$about: $kept", ({ fields, kept }) => {
    const traffic = new Traffic();
    traffic.note(recordOf(fields));
    expect(traffic.entries).toHaveLength(kept);
  });

  it("leaves out what asks for it", () => {
    const traffic = new Traffic();
    const record = recordOf({ target: undefined, error: "forbidden" });
    traffic.ignore(record);
    traffic.note(record);
    expect(traffic.entries).toEqual([]);
  });

  it("sets no timer while nobody watches, and keeps no list of what runs", () => {
    const traffic = new Traffic();
    traffic.note(recordOf());
    expect([vi.getTimerCount(), traffic.open]).toEqual([0, undefined]);
  });

  it("holds the outgoing request, without its query", () => {
    const traffic = new Traffic();
    const record = recordOf();
    traffic.aim(record, "PUT", { origin: new URL("https://a.test"), path: "/p?token=secret" });
    traffic.note(record);
    expect(record.aim).toMatchObject({ method: "PUT", path: "/p?" });
    expect(traffic.entries).toMatchObject([{ method: "PUT", address: "https://a.test/p", isPartial: true }]);
  });
});

describe("watchers", () => {
  it("are loaded once, and are none behind the end of the proxy", async () => {
    const traffic = new Traffic();
    const [one, other] = await Promise.all([traffic.openWatchers(), traffic.openWatchers()]);
    expect(other).toBe(one);
    one.watch(new AbortController().signal);
    expect(traffic.watching).toBe(1);
    traffic.close();
    expect([traffic.watching, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it.each([
    { about: "of this process", share: undefined, told: [true, true, false] },
    { about: "of another process", share: linkProcesses(), told: [true, true, false] },
  ])("have capture on while one of them wants it, $about", async ({ share, told }) => {
    const captured: boolean[] = [];
    const own = new Traffic("", share, undefined, (isWanted) => captured.push(isWanted));
    const other = share ? new Traffic("", share) : own;
    const watchers = await other.openWatchers();
    const open = (wants: boolean) => watchers.watch(new AbortController().signal, true, wants);
    const [plain, first, second] = [open(false), open(true), open(true)];
    for (const body of [plain, first, second]) body.cancel();
    expect(captured.filter((is, at) => at < 2 || is !== captured[at - 1])).toEqual(told);
    await other.openWatchers().then((all) => all.close());
    vi.advanceTimersByTime(4_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("get nothing if they are loaded when the proxy has stopped", async () => {
    const traffic = new Traffic();
    traffic.close();
    const watchers = await traffic.openWatchers();
    expect(() => watchers.watch(new AbortController().signal))
      .toThrow(expect.objectContaining({ code: "overloaded" }));
  });
});
