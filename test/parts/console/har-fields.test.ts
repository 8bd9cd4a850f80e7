/** Field lines, interim responses and messages in HAR. @module */
import { expect, it } from "vitest";
import type { CapturedMessage, FieldLine } from "../../../src/parts/capture/capture.ts";
import { valuesOf, writeFields } from "../../../src/parts/console/har-content.ts";
import { writeInterims, writeMessage } from "../../../src/parts/console/har-content.ts";
import { rowsOf } from "../../support/rows.ts";

const LINES: FieldLine[] = [["X-A", "1"], ["b", ""], ["x-a", "2"]];
const PAIRS = [{ name: "X-A", value: "1" }, { name: "b", value: "" }, { name: "x-a", value: "2" }];

it("writes fields line by line, in their order and letters", () => {
  expect(writeFields(LINES)).toEqual(PAIRS);
  expect(valuesOf(LINES, "x-a")).toEqual(["1", "2"]);
});

it("writes interim responses, if there are any, with the time in seconds", () => {
  const interim = { atMs: 250.5, status: 103, statusText: "Early Hints", headers: LINES };
  const written = [{ time: 1_000.2505, status: 103, statusText: "Early Hints", headers: PAIRS }];
  expect(writeInterims([interim], 1_000_000)).toEqual(written);
  expect(writeInterims(undefined, 0)).toBeUndefined();
});

it.each(rowsOf(["message", "har"], [
  [{ from: "caller", kind: "text", base64: btoa("hi") }, { type: "send", opcode: 1, data: "hi" }],
  [{ from: "target", kind: "binary", base64: "AP8=" }, { type: "receive", opcode: 2, data: "AP8=" }],
  [{ from: "target", kind: "close", base64: "A+g=" }, { type: "receive", opcode: 8, data: "A+g=" }],
  [{ from: "caller", kind: "ping", base64: "" }, { type: "send", opcode: 9, data: "" }],
  [{ from: "caller", kind: "pong", base64: "" }, { type: "send", opcode: 10, data: "" }],
  [{ from: "caller", kind: "text", base64: "qgA=", isCompressed: true }, {
    type: "send",
    opcode: 2,
    data: "qgA=",
    _compressed: "text",
  }],
  [{ from: "target", kind: "text", base64: btoa("hi"), size: 9 }, {
    type: "receive",
    opcode: 1,
    data: "hi",
    _size: 9,
  }],
  [{ from: "target", kind: "text", base64: btoa("\xef\xbb\xbfa") }, {
    type: "receive",
    opcode: 1,
    data: "\ufeffa",
  }],
]))("writeMessage $message", ({ message, har }) => {
  const whole = { atMs: 500, size: atob(message.base64).length, ...message } as CapturedMessage;
  expect(writeMessage(whole, 1_000_000)).toEqual({ time: 1_000.5, ...har });
});
