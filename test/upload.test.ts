import { describe, expect, it } from "vitest";
import { createProxy } from "../src/proxy.ts";
import { uploadStalled, uploadTooLarge } from "../src/upload.ts";
import { incoming, target } from "./support/handle.ts";

const silent = () => new ReadableStream<Uint8Array>();
const bytes = (size: number) => new Response(new Uint8Array(size)).body;
const FRAMED = { "transfer-encoding": "chunked" };

describe("the failures of an upload", () => {
  it.each([
    { failure: uploadStalled(50), status: 408, names: "50 ms" },
    { failure: uploadTooLarge(10), status: 413, names: "10 bytes" },
  ])("$status names its limit", ({ failure, status, names }) => {
    expect([failure.status, failure.message]).toEqual([status, expect.stringContaining(names)]);
  });
});

describe("an argument that is posted", () => {
  it.each([
    { about: "stalls", options: { idleTimeoutMs: 30 }, body: silent, status: 408 },
    { about: "is too large", options: { maxRequestBytes: 10 }, body: () => bytes(11), status: 413 },
    {
      about: "is too large for any argument",
      options: {},
      body: () => bytes(64 * 1024 * 1024 + 1),
      status: 413,
    },
  ])("that $about is a $status, and nobody is asked", async ({ options, body, status }) => {
    const { sent, runtime } = target();
    const request = incoming("/__proxy__/fetch", FRAMED, "POST", body());
    const response = await createProxy(options).handle(request, runtime);
    expect([response.status, (await response.json() as { title: string }).title, sent.length])
      .toEqual([status, "Fetch API Error", 0]);
  });
});
