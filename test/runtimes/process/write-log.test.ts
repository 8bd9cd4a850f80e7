/** When lines have colours. */
import { expect, it } from "vitest";
import { hasColours } from "../../../src/runtimes/process/write-log.ts";

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
