/** What the page says about capture. @module */
import { expect, it } from "vitest";
import { tellCapture } from "../../../src/console/traffic/capture-switch.ts";

const STATE = { bodyBytes: null, requests: 0, bytes: 0, maxBytes: 67_108_864 };

it.each([
  { state: STATE, line: "Capture is off: headers and bodies are not kept." },
  {
    state: { ...STATE, requests: 12, bytes: 3_400 },
    line: "Capture is off. Still kept, in memory only: 12 requests, 3.3 KiB of 64 MiB.",
  },
  {
    state: { ...STATE, bodyBytes: 0 },
    line: "Headers are kept in memory only, secrets of headers masked: 0 requests, 0 B of 64 MiB.",
  },
  {
    state: { ...STATE, bodyBytes: 65_536, until: new Date(2026, 0, 1, 14, 3, 7).getTime() },
    line:
      "Headers and 64 KiB of each body are kept in memory only, secrets of headers masked: 0 requests, 0 B of 64 MiB. " +
      "It ends at 14:03:07.",
  },
])("capture $line", ({ state, line }) => expect(tellCapture(state)).toBe(line));
