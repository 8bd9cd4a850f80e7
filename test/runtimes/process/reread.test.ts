/** What is said when things are read again. Over signals: `test/conformance/reread.ts`. */
import process from "node:process";
import { expect, it, vi } from "vitest";
import { rereadAll, watchHangup } from "../../../src/runtimes/process/reread.ts";
import { stderr } from "../../../src/runtimes/process/output.ts";
import { ConfigError } from "../../../src/core/settings/config.ts";
import { rowsOf } from "../../support/rows.ts";
import { waitFor } from "../../support/wait.ts";

const BAD = () => Promise.reject(new ConfigError("X is 1, expected 2"));
const BROKEN = () => Promise.reject(new TypeError("secret"));
const NEW = () => Promise.resolve("X, much newer");
const SAME = () => Promise.resolve(undefined);

it.each(rowsOf(["about", "rereads", "lines"], [
  ["nothing", [], [
    "nothing is read again at SIGHUP: none of TLS_CERT, TARGETS, AUDIT and a file in REVOKED_TOKENS is set",
  ]],
  ["the same", [SAME, SAME], ["nothing is new since it was read"]],
  ["something new", [SAME, NEW], ["read again: X, much newer"]],
  ["something bad beside something new", [BAD, NEW], [
    "cannot read again: X is 1, expected 2. The old stays in force",
    "read again: X, much newer",
  ]],
  ["what fails in another way, which stays here", [BROKEN], [
    "cannot read again: an internal error. The old stays in force",
  ]],
]))("reading again says what has become of $about", async ({ rereads, lines }) => {
  expect(await rereadAll(rereads)).toEqual(lines);
});

it("SIGHUP reads again once for signals that arrive together, then anew, and ends nothing", async () => {
  const before = new Set(process.listeners("SIGHUP"));
  const events: string[] = [];
  let finish = () => {};
  const reread = async () => {
    events.push("begin");
    await new Promise<void>((resolve) => (finish = resolve));
    events.push("end");
    return [];
  };
  const stop = vi.fn();
  watchHangup(Promise.resolve({ reread }), stop);
  const [listener] = process.listeners("SIGHUP").filter((known) => !before.has(known));
  listener?.("SIGHUP");
  listener?.("SIGHUP");
  await waitFor(() => expect(events).toEqual(["begin"]));
  listener?.("SIGHUP");
  finish();
  await waitFor(() => expect(events).toEqual(["begin", "end", "begin"]));
  finish();
  await waitFor(() => expect(events).toHaveLength(4));
  process.off("SIGHUP", listener!);
  expect(events).toEqual(["begin", "end", "begin", "end"]);
  expect(stop).not.toHaveBeenCalled();
});

it("SIGHUP says the same line once within a second, and a new one at once", async () => {
  const before = new Set(process.listeners("SIGHUP"));
  const push = vi.spyOn(stderr, "push").mockReturnValue();
  const now = vi.spyOn(performance, "now");
  const answers = [["nothing is new"], ["nothing is new"], ["read again: X"], ["read again: X"]];
  const times = [0, 999, 999, 1_999];
  let count = 0;
  watchHangup(Promise.resolve({ reread: () => Promise.resolve(answers[count++]!) }), () => {});
  const [listener] = process.listeners("SIGHUP").filter((known) => !before.has(known));
  for (const [index, time] of times.entries()) {
    now.mockReturnValue(time);
    listener?.("SIGHUP");
    await waitFor(() => expect(count).toBe(index + 1));
  }
  await waitFor(() => expect(push).toHaveBeenCalledTimes(3));
  process.off("SIGHUP", listener!);
  expect(push.mock.calls.flat())
    .toEqual(["fetchvia: nothing is new", "fetchvia: read again: X", "fetchvia: read again: X"]);
  vi.restoreAllMocks();
});
