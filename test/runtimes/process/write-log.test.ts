/** How lines are written, and when they have colours. */
import { afterEach, expect, it, vi } from "vitest";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { readConfig } from "../../../src/core/settings/config.ts";
import { stdout } from "../../../src/runtimes/process/output.ts";
import { createLog, hasColours } from "../../../src/runtimes/process/write-log.ts";

afterEach(() => void vi.restoreAllMocks());

it.each([
  { log: "auto", isTerminal: true, line: /^[^{].* GET / },
  { log: "auto", isTerminal: false, line: /^\{"/ },
  { log: "text", isTerminal: false, line: /^[^{].* GET / },
  { log: "json", isTerminal: true, line: /^\{"/ },
])("LOG=$log, on a terminal: $isTerminal, writes lines such as $line", ({ log, isTerminal, line }) => {
  vi.spyOn(process, "stdout", "get").mockReturnValue({ isTTY: isTerminal } as typeof process.stdout);
  const push = vi.spyOn(stdout, "push").mockReturnValue(undefined as never);
  createLog(readConfig({ LOG: log, NO_COLOR: "1" }))!(new RequestRecord("GET", []));
  expect(push.mock.calls).toEqual([[expect.stringMatching(line)]]);
});

it.each([
  { environment: {}, terminal: true, pipe: false },
  { environment: { TERM: "xterm-256color" }, terminal: true, pipe: false },
  { environment: { TERM: "dumb" }, terminal: false, pipe: false },
  { environment: { NO_COLOR: "1" }, terminal: false, pipe: false },
  { environment: { NO_COLOR: "0" }, terminal: false, pipe: false },
  { environment: { NO_COLOR: "" }, terminal: true, pipe: false },
  { environment: { FORCE_COLOR: "1" }, terminal: true, pipe: true },
  { environment: { FORCE_COLOR: "3", TERM: "dumb" }, terminal: true, pipe: true },
  { environment: { FORCE_COLOR: "0" }, terminal: false, pipe: false },
  { environment: { FORCE_COLOR: "false" }, terminal: false, pipe: false },
  { environment: { FORCE_COLOR: "" }, terminal: true, pipe: false },
  { environment: { FORCE_COLOR: "1", NO_COLOR: "1" }, terminal: true, pipe: true },
])("colours with $environment: terminal $terminal, pipe $pipe", ({ environment, terminal, pipe }) => {
  expect([hasColours(environment, true), hasColours(environment, false)]).toEqual([terminal, pipe]);
});
