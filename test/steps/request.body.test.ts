/**
 * Step 3, methods and bodies: what goes out with its framing, and what a request says of its caller.
 * @module
 */
import { toStandard } from "../../src/http/body.ts";
import { describe, expect, it } from "vitest";
import { createProxy } from "../../src/proxy.ts";
import { argOf } from "../support/arg.ts";
import { incoming, target } from "../support/handle.ts";

const BASE = { proxy_host: "https://a.test" };
const ABC = new TextEncoder().encode("abc");
const chunks = () => stream(ABC, ABC);

/** A body that streams these chunks. */
function stream(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

describe("method", () => {
  it.each([
    { method: "GET" },
    { method: "HEAD" },
    { method: "PATCH" },
    { method: "patch" },
    { method: "Post" },
    { method: "FOO" },
    { method: "QUERY" },
    { method: "M-SEARCH" },
    { method: "OPTIONS" },
  ])("$method goes out as it is", async ({ method }) => {
    const { sent, runtime } = target();
    await createProxy().handle(incoming("/", BASE, method), runtime);
    expect(sent.map((outgoing) => outgoing.method)).toEqual([method]);
  });

  it.each([{ method: "TRACE" }, { method: "CONNECT" }])("$method is a 405", async ({ method }) => {
    const { sent, runtime } = target();
    const response = await createProxy().handle(incoming("/", BASE, method), runtime);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
    expect(response.headers.get("allow")).not.toMatch(/TRACE|CONNECT/);
    expect(sent).toEqual([]);
  });
});

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

  it.each([
    { about: "no body", fields: {}, body: null, length: null },
    { about: "a length of 0", fields: { "content-length": "0" }, body: null, length: "0" },
    { about: "a length of 00", fields: { "content-length": "00" }, body: null, length: "0" },
    {
      about: "a length of 000 and a stream",
      fields: { "content-length": "000" },
      body: stream(),
      length: "0",
    },
    {
      about: "a length of 0 and a stream",
      fields: { "content-length": "0" },
      body: stream(),
      length: "0",
    },
    { about: "a stream that is empty", fields: {}, body: stream(), length: null },
  ])("of $about is none", async ({ fields, body, length }) => {
    const { sent, runtime } = target();
    const request = incoming("/", { ...BASE, ...fields }, "POST", body);
    await createProxy().handle(request, runtime);
    expect(sent[0]?.body).toBeNull();
    expect(sent[0]?.headers.get("content-length")).toBe(length);
  });

  it.each([{ method: "GET" }, { method: "DELETE" }, { method: "OPTIONS" }])(
    "goes out with $method",
    async ({ method }) => {
      const { sent, runtime } = target();
      await createProxy().handle(incoming("/", { ...BASE, "content-length": "3" }, method, ABC), runtime);
      expect(await new Response(toStandard(sent[0]?.body ?? null)).text()).toBe("abc");
    },
  );

  it.each([
    { fields: { "content-length": "3" } },
    { fields: { "transfer-encoding": "chunked" } },
  ])("is never dropped silently where a runtime hands in none: $fields", async ({ fields }) => {
    const { sent, runtime } = target();
    const response = await createProxy().handle(
      incoming("/", { ...BASE, ...fields }),
      runtime,
    );
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

describe("what the proxy says of itself and the caller", () => {
  it.each([{ name: "via" }, { name: "forwarded" }, { name: "x-forwarded-for" }, {
    name: "x-forwarded-host",
  }])(
    "is nothing by default: $name",
    async ({ name }) => {
      const { sent, runtime } = target();
      await createProxy().handle(incoming("/", BASE), runtime);
      expect(sent[0]?.headers.has(name)).toBe(false);
    },
  );

  it.each([
    { clientAddress: "192.0.2.1", node: "192.0.2.1", address: "192.0.2.1" },
    { clientAddress: "2001:db8::1", node: '"[2001:db8::1]"', address: "2001:db8::1" },
    { clientAddress: undefined, node: "unknown", address: null },
  ])("FORWARD_CLIENT tells facts alone: $clientAddress", async ({ clientAddress, node, address }) => {
    const { sent, runtime } = target();
    const forged = { forwarded: "for=9.9.9.9", "x-forwarded-for": "9.9.9.9", "x-forwarded-proto": "https" };
    const proxy = createProxy({ forwardClient: true });
    await proxy.handle(incoming("/", { ...BASE, ...forged }), { ...runtime, clientAddress });
    const headers = sent[0]?.headers;
    expect(headers?.get("forwarded")).toBe(`for=${node};host="localhost:8080";proto=http`);
    expect(headers?.get("x-forwarded-for")).toBe(address);
    expect(headers?.get("x-forwarded-proto")).toBe("http");
    expect(headers?.get("x-forwarded-host")).toBe("localhost:8080");
  });

  it.each([
    { forwardClient: false, named: "9.9.9.9" },
    { forwardClient: true, named: "127.0.0.1" },
  ])(
    "an arg may name the caller where the proxy does not: $forwardClient",
    async ({ forwardClient, named }) => {
      const { sent, runtime } = target();
      const arg = argOf({ url: BASE.proxy_host, headers: { "x-forwarded-for": "9.9.9.9", "x-a": "1" } });
      await createProxy({ forwardClient }).handle(incoming(`/__proxy__/fetch?arg=${arg}`, {}), runtime);
      expect([sent[0]?.headers.get("x-forwarded-for"), sent[0]?.headers.get("x-a")]).toEqual([named, "1"]);
    },
  );

  it.each([
    { before: undefined, via: "1.1 edge" },
    { before: "1.0 first", via: "1.0 first, 1.1 edge" },
  ])("VIA adds this hop: $via", async ({ before, via }) => {
    const { sent, runtime } = target();
    await createProxy({ via: "edge" }).handle(
      incoming("/", { ...BASE, ...(before && { via: before }) }),
      runtime,
    );
    expect(sent[0]?.headers.get("via")).toBe(via);
  });
});
