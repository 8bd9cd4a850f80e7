/**
 * What is said when things are read again. Over signals: `test/conformance/reread.ts`.
 * @module
 */
import process from "node:process";
import { describe, expect, it, vi } from "vitest";
import { rereadAll, watchHangup } from "../../../src/runtimes/process/reread.ts";
import { ConfigError } from "../../../src/settings/config.ts";
import { waitFor } from "../../support/wait.ts";

const BAD = () => Promise.reject(new ConfigError("X is 1, expected 2"));
const BROKEN = () => Promise.reject(new TypeError("secret"));
const NEW = () => Promise.resolve("X, much newer");
const SAME = () => Promise.resolve(undefined);

describe("reading again", () => {
  it.each([
    {
      about: "nothing",
      rereads: [],
      lines: [
        "nothing is read again at SIGHUP: neither TLS_CERT nor TARGETS nor a file in REVOKED_TOKENS is set",
      ],
    },
    { about: "the same", rereads: [SAME, SAME], lines: ["nothing is new since it was read"] },
    { about: "something new", rereads: [SAME, NEW], lines: ["read again: X, much newer"] },
    {
      about: "something bad beside something new",
      rereads: [BAD, NEW],
      lines: ["cannot read again: X is 1, expected 2. The old stays in force", "read again: X, much newer"],
    },
    {
      about: "what fails in another way, which stays here",
      rereads: [BROKEN],
      lines: ["cannot read again: an internal error. The old stays in force"],
    },
  ])("says what has become of $about", async ({ rereads, lines }) => {
    expect(await rereadAll(rereads)).toEqual(lines);
  });
});

describe("SIGHUP", () => {
  it("reads again once for signals that arrive together, then anew, and ends nothing", async () => {
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
});
