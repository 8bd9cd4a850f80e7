/** The portable sender: whatever `fetch` does to an answer, the headers describe the bytes. @module */
import { toStandard } from "../../../src/core/http/body.ts";
import { fromStream } from "../../../src/core/http/read-along.ts";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Body, Outgoing } from "../../../src/core/runtime.ts";
import { sendWithFetch } from "../../../src/core/way/send-fetch.ts";
import { chunked, cut, reply } from "../../support/answers.ts";
import type { Header } from "../../support/http.ts";
import { listen, type Upstream } from "../../support/upstream.ts";
import { alike, words } from "../../support/rows.ts";

let upstream: Upstream;
beforeEach(async () => {
  upstream = await listen();
  return () => upstream.close();
});
afterEach(() => vi.unstubAllGlobals());

function outgoing(parts: Partial<Outgoing> = {}): Outgoing {
  return {
    method: "GET",
    origin: new URL(upstream.origin),
    path: "/p?x=%26",
    headers: new Headers(),
    body: null,
    addresses: undefined,
    signal: new AbortController().signal,
    ...parts,
  };
}

async function bytesOf(body: Body): Promise<Buffer> {
  return Buffer.from(await new Response(toStandard(body)).arrayBuffer());
}

describe("the request of the portable sender", () => {
  it.each(words`GET DELETE PATCH PROPFIND`)("has its method, path and fields: %s", async (method) => {
    const headers = new Headers({ "x-own": "1", "accept-encoding": "gzip, br", "accept-language": "de" });
    await sendWithFetch(outgoing({ method, headers }));
    expect(upstream.request.line).toBe(`${method} /p?x=%26 HTTP/1.1`);
    expect(upstream.request.header("x-own")).toBe("1");
    expect(upstream.request.header("accept-language")).toBe("de");
    expect(upstream.request.header("accept-encoding")).toBe("identity");
    expect(headers.get("accept-encoding")).toBe("gzip, br");
  });

  it.each([
    { about: "bytes", body: () => new TextEncoder().encode("body") },
    { about: "a stream", body: () => fromStream(new Blob(["body"]).stream() as ReadableStream<Uint8Array>) },
  ])("has its body, $about", async ({ body }) => {
    const headers = new Headers({ "content-type": "text/x" });
    await sendWithFetch(outgoing({ method: "POST", headers, body: body() }));
    expect(upstream.request.body.toString()).toBe("body");
    expect(upstream.request.header("content-type")).toBe("text/x");
  });

  it.each(words`GET HEAD`)("is refused with a body by %s, which fetch cannot send", async (method) => {
    const sent = sendWithFetch(outgoing({ method, body: new TextEncoder().encode("body") }));
    await expect(sent).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(`a body with ${method}`),
    });
    expect(upstream.targets).toEqual([]);
  });

  it("follows no redirect", async () => {
    upstream.answer = reply(302, { Location: "/next" }, "moved");
    const { status, headers, body } = await sendWithFetch(outgoing());
    expect(status).toBe(302);
    expect(headers.get("location")).toBe("/next");
    expect((await bytesOf(body)).toString()).toBe("moved");
    expect(upstream.targets).toEqual(["/p?x=%26"]);
  });

  it("ends with its signal", async () => {
    upstream.answer = () => {};
    const controller = new AbortController();
    const sent = sendWithFetch(outgoing({ signal: controller.signal }));
    const request = await upstream.next();
    controller.abort(new Error("caller gone"));
    await expect(sent).rejects.toThrow("caller gone");
    await request.gone;
  });
});

describe("an answer without a coding", () => {
  it("passes as it came", async () => {
    const fields: Header[] = [["X-Own", "1"], ["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]];
    upstream.answer = reply(404, fields, "nothing");
    const { status, headers, body } = await sendWithFetch(outgoing());
    expect(status).toBe(404);
    expect([...headers].filter(([name]) => name === "set-cookie").map(([, value]) => value))
      .toEqual(["a=1", "b=2"]);
    expect(headers.get("content-length")).toBe("7");
    expect((await bytesOf(body)).toString()).toBe("nothing");
  });

  it.each([204, 304])("has no body for %s", async (status) => {
    upstream.answer = reply(status, { ETag: '"a"' });
    const answer = await sendWithFetch(outgoing());
    expect(answer).toMatchObject({ status, body: null });
    expect(answer.headers.get("etag")).toBe('"a"');
  });

  it("of HEAD keeps its metadata", async () => {
    upstream.answer = reply(200, { "Content-Encoding": "gzip" }, "coded");
    const { headers, body } = await sendWithFetch(outgoing({ method: "HEAD" }));
    expect(headers.get("content-encoding")).toBe("gzip");
    expect(headers.get("content-length")).toBe("5");
    expect((await bytesOf(body)).length).toBe(0);
  });

  it("that is cut off fails", async () => {
    upstream.answer = cut("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart");
    const { body } = await sendWithFetch(outgoing());
    await expect(bytesOf(body)).rejects.toThrow();
  });
});

describe("an answer with a coding that nobody offered", () => {
  const TEXT = "text ".repeat(100);
  const CODED = [
    ...alike("coding", { bytes: gzipSync(TEXT) })`gzip GZIP x-gzip`,
    { coding: "deflate", bytes: deflateSync(TEXT) },
    { coding: "zstd", bytes: Buffer.from("KLUv/WD0AGUAACh0ZXh0IAEA7FCLFg==", "base64") },
  ];
  // Their bytes don't tell whether they were decoded; Node's fetch does decode them.
  const DECODED = [
    { coding: "br", bytes: brotliCompressSync(TEXT) },
    { coding: "gzip, br", bytes: brotliCompressSync(gzipSync(TEXT)) },
  ];

  it.each([...CODED, ...DECODED])(
    "is described as what fetch made of it: $coding",
    async ({ coding, bytes }) => {
      upstream.answer = reply(200, { "Content-Encoding": coding, "X-Own": "1" }, bytes);
      const { headers, body } = await sendWithFetch(outgoing());
      // Where fetch decodes them, neither the coding nor the length of the coded bytes may stay.
      const isCoded = headers.has("content-encoding");
      expect((await bytesOf(body)).toString("latin1")).toBe(isCoded ? bytes.toString("latin1") : TEXT);
      expect(headers.get("x-own")).toBe("1");
      expect(headers.has("content-length")).toBe(isCoded);
    },
  );

  it("is described so in chunks too", async () => {
    const bytes = gzipSync(TEXT);
    upstream.answer = chunked(200, { "Content-Encoding": "gzip" }, [bytes.subarray(0, 1), bytes.subarray(1)]);
    const { headers, body } = await sendWithFetch(outgoing());
    const isCoded = headers.has("content-encoding");
    expect((await bytesOf(body)).toString("latin1")).toBe(isCoded ? bytes.toString("latin1") : TEXT);
  });

  it.each(CODED)(
    "keeps its fields where fetch hands the bytes on as they came: $coding",
    async ({ coding, bytes }) => {
      const fields = { "content-encoding": coding, "content-length": String(bytes.length) };
      vi.stubGlobal("fetch", () => Promise.resolve(new Response(new Uint8Array(bytes), { headers: fields })));
      const { headers, body } = await sendWithFetch(outgoing());
      expect(Object.fromEntries(headers)).toMatchObject(fields);
      expect(await bytesOf(body)).toEqual(bytes);
    },
  );

  it.each([
    { about: "an unknown one", coding: "x-own" },
    { about: "aes128gcm", coding: "aes128gcm" },
    { about: "identity", coding: "identity" },
    { about: "a list with an unknown one", coding: "x-own, gzip" },
  ])("keeps one that no fetch decodes: $about", async ({ coding }) => {
    upstream.answer = reply(200, { "Content-Encoding": coding }, "text");
    const { headers, body } = await sendWithFetch(outgoing());
    expect((await bytesOf(body)).toString()).toBe("text");
    expect(headers.get("content-encoding")).toBe(coding);
    expect(headers.get("content-length")).toBe("4");
  });
});

it("sends no login that would hold for a connection of others", async () => {
  const headers = new Headers({ authorization: "Negotiate YII=" });
  await expect(sendWithFetch(outgoing({ headers }))).rejects.toMatchObject({ code: "not_implemented" });
  expect(upstream.requests).toEqual([]);
});
