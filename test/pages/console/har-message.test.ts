import { describe, expect, it } from "vitest";
import { writeMessage } from "../../../src/pages/console/har-message.ts";
import type { CapturedMessage } from "../../../src/exchange/capture/capture.ts";

describe("writeMessage", () => {
  it.each([
    {
      message: { from: "caller", kind: "text", base64: btoa("hi") },
      har: { type: "send", opcode: 1, data: "hi" },
    },
    {
      message: { from: "target", kind: "binary", base64: "AP8=" },
      har: { type: "receive", opcode: 2, data: "AP8=" },
    },
    {
      message: { from: "target", kind: "close", base64: "A+g=" },
      har: { type: "receive", opcode: 8, data: "A+g=" },
    },
    { message: { from: "caller", kind: "ping", base64: "" }, har: { type: "send", opcode: 9, data: "" } },
    { message: { from: "caller", kind: "pong", base64: "" }, har: { type: "send", opcode: 10, data: "" } },
    {
      message: { from: "caller", kind: "text", base64: "qgA=", isCompressed: true },
      har: { type: "send", opcode: 2, data: "qgA=" },
    },
  ])("$message", ({ message, har }) => {
    const whole = { atMs: 500, size: 9, ...message } as CapturedMessage;
    expect(writeMessage(whole, 1_000_000)).toEqual({ time: 1_000.5, ...har });
  });
});
