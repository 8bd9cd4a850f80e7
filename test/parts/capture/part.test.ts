/** Capture as a part: off it records nothing and loads nothing; on it records from the first request. */
import { expect, it } from "vitest";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";
import { makeCapture } from "../../../src/parts/capture/part.ts";
import { incomingOf } from "../../support/exchange.ts";
import { hostOf } from "../../support/part.ts";
import { rowsOf } from "../../support/rows.ts";

/** The runtime of a caller on this machine. */
const LOCAL = { clientAddress: "127.0.0.1" };

const make = (options: Options, lent = {}) => {
  const config = readOptions(options);
  return makeCapture(config, hostOf(config, lent));
};

it.each(rowsOf(["about", "options", "lent", "loads"], [
  ["it is off", {}, {}, false],
  ["it is on", { capture: "heads" as const }, {}, true],
  ["other processes may ask", {}, { shareCapture: () => () => Promise.resolve([]) }, true],
]))("is loaded at the start where $about: $loads", ({ options, lent, loads }) => {
  expect(make(options, lent).prepare !== undefined).toBe(loads);
});

it("records nothing while it is off, and goes on once it is switched on", async () => {
  const part = make({});
  const [before, after] = [new RequestRecord("GET", []), new RequestRecord("GET", [])];
  part.arrive?.(before, incomingOf({}), "/p", LOCAL);
  const { own } = await part.load();
  part.arrive?.(before, incomingOf({}), "/p", LOCAL);
  own.switch({ bodyBytes: 0, at: 1 });
  part.arrive?.(after, incomingOf({}), "/p", LOCAL);
  expect([before.capture, after.capture !== undefined]).toEqual([undefined, true]);
});

it.each([
  { about: "before it is loaded", isLoaded: false },
  { about: "once it is loaded", isLoaded: true },
])("records while a console is open, and no longer: $about", async ({ isLoaded }) => {
  const part = make({});
  const begin = () => {
    const record = new RequestRecord("GET", []);
    part.arrive?.(record, incomingOf({}), "/p", LOCAL);
    return record.capture !== undefined;
  };
  for (const load of isLoaded ? [part.load] : []) await load();
  part.watch(true);
  await part.load();
  const during = begin();
  part.watch(false);
  expect([during, begin()]).toEqual([true, false]);
});

it("records a request that comes once it is loaded", async () => {
  const part = make({ capture: "heads" });
  const [early, late] = [new RequestRecord("GET", []), new RequestRecord("GET", [])];
  part.arrive?.(early, incomingOf({}), "/p", LOCAL);
  await part.prepare?.();
  part.arrive?.(late, incomingOf({}), "/p", LOCAL);
  expect([early.capture, late.capture !== undefined]).toEqual([undefined, true]);
  late.target = "a.test";
  part.end?.(late);
  const { own } = await part.load();
  expect(own.read(late.id, null)).toMatchObject({ isRunning: false });
});
