import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { readFault, uploadStalled, uploadTooLarge } from "../../../src/core/http/upload-fault.ts";
import { rowsOf } from "../../support/rows.ts";
import { incoming, target } from "../../support/handle.ts";

const silent = () => new ReadableStream<Uint8Array>();
const bytes = (size: number) =>
  new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(size)) });
const failing = (message: string) =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error(message)) });
const EARLY = "The request body ended early";
const FRAMED = { "transfer-encoding": "chunked" };

it.each([
  { failure: uploadStalled(50), status: 408, names: "no bytes arrived for 50 ms" },
  { failure: uploadTooLarge(10), status: 413, names: "10 bytes" },
])("the failures of an upload: $status names its limit", ({ failure, status, names }) => {
  expect([failure.status, failure.message]).toEqual([status, expect.stringContaining(names)]);
});

it.each(rowsOf(["about", "failure", "status", "says"], [
  [
    "a malformed chunk on Deno",
    new Error("invalid HTTP/1 request: Invalid"),
    400,
    "Cannot read the request body: its framing is not valid HTTP/1.1",
  ],
  ["a reset on Deno", new Error("unexpected EOF while reading HTTP/1 body"), 499, EARLY],
  ["a half-close on Deno", new Error("Cannot read request body as …"), 499, EARLY],
  ["a caller who leaves Node", new Error("aborted"), 499, EARLY],
  [
    "the limit of a framework",
    Object.assign(new Error("Content-length of 3145728 exceeds limit"), { status: 413 }),
    413,
    "Cannot take the request body: the server in front of the proxy takes none this large",
  ],
  ["another status", Object.assign(new Error("aborted"), { status: 400 }), 499, EARLY],
  ["what is no Error", "cut", 499, EARLY],
]))("readFault of $about is a $status", ({ failure, status, says }) => {
  const fault = readFault(failure);
  expect([fault.status, fault.cause]).toEqual([status, failure]);
  expect(fault.message).toBe(says);
  expect(readFault(fault)).toBe(fault);
});

describe("an argument that is posted", () => {
  it("by a caller who leaves is nobody's failure, and nobody is asked", async () => {
    const { sent, runtime } = target();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("reset")),
    });
    const response = await createProxy().handle(incoming("/__proxy__/fetch", FRAMED, "POST", body), runtime);
    expect([response.status, sent]).toEqual([499, []]);
  });

  it.each(rowsOf(["about", "options", "body", "status", "says"], [
    ["stalls", { idleTimeoutMs: 30 }, silent, 408],
    ["is too large", { maxRequestBytes: 10 }, () => bytes(11), 413],
    [
      "is malformed",
      {},
      () => failing("invalid HTTP/1 request: Invalid"),
      400,
      "Cannot read the request body: its framing is not valid HTTP/1.1",
    ],
    ["breaks off", {}, () => failing("unexpected EOF"), 499],
    ["is too large for any argument", {}, () => bytes(64 * 1024 * 1024 + 1), 413],
  ]))("that $about is a $status, and nobody is asked", async ({ options, body, status }) => {
    const { sent, runtime } = target();
    const request = incoming("/__proxy__/fetch", FRAMED, "POST", body());
    const response = await createProxy(options).handle(request, runtime);
    expect([response.status, (await response.json() as { title: string }).title, sent.length])
      .toEqual([status, "Fetch API Error", 0]);
  });
});
