/** Who waits for a 100, and what tells it to go on. @module */
import { expect, it, vi } from "vitest";
import type { CallerWire } from "../../../src/wire/contract.ts";
import { answerContinue } from "../../../src/wire/server/continue.ts";
import { ReceivedRequest } from "../../../src/wire/server/received-request.ts";
import { parseRequestHead, readFraming } from "../../../src/wire/server/request-head.ts";

const LENGTH = "Content-Length: 5";
const GO_ON = [["HTTP/1.1 100 Continue\r\n\r\n", "latin1"]];

it.each([
  { version: "1.1", lines: [LENGTH, "Expect: 100-continue"], written: GO_ON },
  { version: "1.1", lines: [LENGTH, "Expect: 100-Continue"], written: GO_ON },
  { version: "1.1", lines: ["Transfer-Encoding: chunked", "Expect: 100-continue"], written: GO_ON },
  { version: "1.1", lines: [LENGTH], written: [] },
  { version: "1.1", lines: [LENGTH, "Expect: x"], written: [] },
  { version: "1.1", lines: ["Expect: 100-continue"], written: [] },
  { version: "1.1", lines: ["Content-Length: 0", "Expect: 100-continue"], written: [] },
  { version: "1.0", lines: [LENGTH, "Expect: 100-continue"], written: [] },
])("HTTP/$version with $lines is told once, and capture with it: $written", ({ version, lines, written }) => {
  const head = parseRequestHead([`POST / HTTP/${version}`, "Host: a.test", ...lines].join("\r\n"));
  const source = { pause: vi.fn(), resume: vi.fn(), cancel: vi.fn() };
  const request = new ReceivedRequest(head, readFraming(head), { isSecure: false }, source);
  const write = vi.fn(() => true);
  request.onContinue = vi.fn();
  for (const _ of [1, 2]) answerContinue({ write } as Partial<CallerWire> as CallerWire, request);
  expect(write.mock.calls).toEqual(written);
  expect(request.onContinue).toHaveBeenCalledTimes(written.length);
});
