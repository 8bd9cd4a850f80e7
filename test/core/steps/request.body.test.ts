/** Step 3, methods and bodies: what goes out with its framing, and what a request says of its caller. */
import { toStandard } from "../../../src/core/http/body.ts";
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { argOf } from "../../support/arg.ts";
import { rowsOf } from "../../support/rows.ts";
import { incoming, stream, target } from "../../support/handle.ts";

const BASE = { proxy_host: "https://a.test" };
const ABC = new TextEncoder().encode("abc");
const chunks = () => stream(ABC, ABC);

describe("body", () => {
  it.each([
    { about: "bytes", fields: { "content-length": "3" }, body: () => ABC, text: "abc" },
    { about: "a stream with a length", fields: { "content-length": "6" }, body: chunks, text: "abcabc" },
    { about: "a stream in chunks", fields: { "transfer-encoding": "chunked" }, body: chunks, text: "abcabc" },
    { about: "a stream without framing", fields: {}, body: chunks, text: "abcabc" },
    { about: "bytes without framing", fields: {}, body: () => ABC, text: "abc" },
  ])("of $about goes out whole, and keeps its length field", async ({ fields, body, text }) => {
    const { sent, runtime } = target();
    const request = incoming("/", { ...BASE, ...fields }, "POST", body());
    const length = request.headers.get("content-length");
    await createProxy().handle(request, runtime);
    expect(await new Response(toStandard(sent[0]?.body ?? null)).text()).toBe(text);
    expect(sent[0]?.headers.get("content-length")).toBe(length);
    expect(sent[0]?.headers.has("transfer-encoding")).toBe(false);
  });

  it.each(rowsOf(["about", "fields", "body", "length"], [
    ["no body", {}, null, null],
    ["a length of 0", { "content-length": "0" }, null, "0"],
    ["a length of 00", { "content-length": "00" }, null, "0"],
    ["a length of 000 and a stream", { "content-length": "000" }, stream(), "0"],
    ["a length of 0 and a stream", { "content-length": "0" }, stream(), "0"],
    ["a stream that is empty", {}, stream(), null],
  ]))("of $about is none", async ({ fields, body, length }) => {
    const { sent, runtime } = target();
    const request = incoming("/", { ...BASE, ...fields }, "POST", body);
    await createProxy().handle(request, runtime);
    expect(sent[0]?.body).toBeNull();
    expect(sent[0]?.headers.get("content-length")).toBe(length);
  });

  it.each([
    { fields: { "content-length": "3" } },
    { fields: { "transfer-encoding": "chunked" } },
  ])("is never dropped silently where a runtime hands in none: $fields", async ({ fields }) => {
    const { sent, runtime } = target();
    const response = await createProxy().handle(incoming("/", { ...BASE, ...fields }), runtime);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/body.*GET/) });
    expect(sent).toEqual([]);
  });

  it("goes out with a length that all read alike", async () => {
    const { sent, runtime } = target();
    await createProxy().handle(incoming("/", { ...BASE, "content-length": "03" }, "POST", ABC), runtime);
    expect(sent[0]?.headers.get("content-length")).toBe("3");
  });

  it("is not read before the target wants it", async () => {
    const reads: number[] = [];
    const body = new ReadableStream<Uint8Array>({ pull: () => void reads.push(1) }, { highWaterMark: 0 });
    const { sent, runtime } = target();
    await createProxy().handle(incoming("/", { ...BASE, "content-length": "9" }, "POST", body), runtime);
    expect(sent).toHaveLength(1);
    expect(reads).toEqual([]);
  });
});

it.each([{ forwardClient: false, named: "9.9.9.9" }, { forwardClient: true, named: "127.0.0.1" }])(
  "what the proxy says of itself and the caller an arg may name the caller where the proxy does not: $forwardClient",
  async ({ forwardClient, named }) => {
    const { sent, runtime } = target();
    const arg = argOf({ url: BASE.proxy_host, headers: { "x-forwarded-for": "9.9.9.9", "x-a": "1" } });
    await createProxy({ forwardClient }).handle(incoming(`/__proxy__/fetch?arg=${arg}`, {}), runtime);
    expect([sent[0]?.headers.get("x-forwarded-for"), sent[0]?.headers.get("x-a")]).toEqual([named, "1"]);
  },
);
