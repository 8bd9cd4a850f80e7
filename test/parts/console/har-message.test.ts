import { expect, it } from "vitest";
import { writeMessage } from "../../../src/parts/console/har-message.ts";
import type { CapturedMessage } from "../../../src/parts/capture/capture.ts";
import { rowsOf } from "../../support/rows.ts";

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
  }],
]))("writeMessage $message", ({ message, har }) => {
  const whole = { atMs: 500, size: 9, ...message } as CapturedMessage;
  expect(writeMessage(whole, 1_000_000)).toEqual({ time: 1_000.5, ...har });
});
