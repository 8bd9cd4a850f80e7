/**
 * Content codings: no byte of a body is decoded, and every field that describes one stays true.
 * @module
 */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Answer, Fields, Pool } from "../support/topic.ts";
import { chunked, cut, headBytes, pairsOf, raw, rowsOf, useLink } from "../support/topic.ts";

const TEXT = Buffer.from("All work and no play makes Jack a dull boy. ".repeat(5));

/** A Zstandard frame of one raw block: Node 20 can't make one (RFC 8878 §3.1.1). */
function zstd(bytes: Buffer): Buffer {
  const header = (bytes.length << 3) | 1;
  const frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, bytes.length, header & 255, (header >> 8) & 255, header >> 16];
  return Buffer.concat([Buffer.from(frame), bytes]);
}

const CODINGS = [
  { name: "gzip", coding: "gzip", bytes: gzipSync(TEXT) },
  { name: "x-gzip", coding: "x-gzip", bytes: gzipSync(TEXT) },
  { name: "br", coding: "br", bytes: brotliCompressSync(TEXT) },
  { name: "zstd", coding: "zstd", bytes: zstd(TEXT) },
  { name: "deflate (zlib)", coding: "deflate", bytes: deflateSync(TEXT) },
  { name: "deflate (raw)", coding: "deflate", bytes: deflateRawSync(TEXT) },
  { name: "gzip, br", coding: "gzip, br", bytes: brotliCompressSync(gzipSync(TEXT)) },
  { name: "identity", coding: "identity", bytes: TEXT },
  { name: "none", coding: undefined, bytes: TEXT },
  { name: "gzip that is none", coding: "gzip", bytes: TEXT },
  { name: "gzip that is cut", coding: "gzip", bytes: gzipSync(TEXT).subarray(0, 30) },
  { name: "unknown", coding: "rot13", bytes: TEXT },
];

const COMMON = {
  "Content-Type": "text/plain; charset=utf-8",
  ETag: '"33a64df5-coded"',
  "Last-Modified": "Wed, 21 Oct 2026 07:28:00 GMT",
  "Cache-Control": "public, max-age=60, no-transform",
  "Accept-Ranges": "bytes",
  "Content-Language": "de, en",
  "Content-MD5": "Q2hlY2sgSW50ZWdyaXR5IQ==",
  "Repr-Digest": "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:",
  Date: "Wed, 21 Oct 2026 07:28:01 GMT",
  Age: "7",
};

const FIRST = 5;
const LAST = 24;

const SHAPES = rowsOf(["shape", "line", "asks", "status", "from", "to"], [
  ["GET", "GET /p", {}, 200, 0, Infinity],
  ["POST", "POST /p", {}, 200, 0, Infinity],
  ["HEAD", "HEAD /p", {}, 200, 0, 0],
  ["GET with Range", "GET /p", { Range: `bytes=${FIRST}-${LAST}` }, 206, FIRST, LAST + 1],
  ["HEAD with Range", "HEAD /p", { Range: `bytes=${FIRST}-${LAST}` }, 206, 0, 0],
  ["GET of an error", "GET /p", {}, 404, 0, Infinity],
]);

type Coded = (typeof CODINGS)[number];

/** One body of each kind, for our own wire, which reads no coding, and for what bytes meet on their way. */
export const FEW_CODINGS: readonly Coded[] = CODINGS.filter(({ name }) =>
  ["gzip", "none", "gzip that is cut"].includes(name)
);

/** What describes these bytes, as the target says it. */
function describing({ coding, bytes, status }: Coded & (typeof SHAPES)[number]): Fields {
  const part = status === 206;
  return {
    ...COMMON,
    "Content-Encoding": coding,
    "Content-Length": String(part ? LAST + 1 - FIRST : bytes.length),
    "Content-Range": part ? `bytes ${FIRST}-${LAST}/${bytes.length}` : undefined,
  };
}

/** The same fields, as the answer has them. */
function sameFields(answer: Answer, fields: Fields): (readonly [string, string | undefined])[] {
  return pairsOf(fields).map(([name]) => [name, answer.header(name)] as const);
}

const OFFERED = "br;q=1.0, gzip;q=0.8, *;q=0.1";
const OFFERS = [
  { offered: undefined },
  { offered: "identity" },
  { offered: "gzip" },
  { offered: OFFERED },
  { offered: "*" },
  { offered: "identity;q=0" },
  { offered: "GZIP ,  deflate" },
];

const ASKED = OFFERS.flatMap((offer) => [
  { ...offer, line: "GET /p", fields: {} },
  { ...offer, line: "HEAD /p", fields: {} },
  { ...offer, line: "POST /p", fields: {} },
  { ...offer, line: "GET /p", fields: { Range: "bytes=0-1" } },
]);

/** @param codings all of them on Node, once for our own wire, and on workerd, whose client knows some */
export function describeCodings(
  pool: Pool,
  codings: readonly Coded[] = ["node", "worker"].includes(pool.runtime) ? CODINGS : FEW_CODINGS,
): void {
  const cases = codings.flatMap((coding) => SHAPES.map((shape) => ({ ...coding, ...shape })));
  const asked = codings === CODINGS ? ASKED : ASKED.filter(({ offered }) => offered === OFFERED);
  describe("codings", () => {
    const link = useLink(pool);

    it.each(cases)("hand on $name for $shape", async (example) => {
      const { bytes, line, asks, status, from, to } = example;
      const fields = describing(example);
      const body = bytes.subarray(from, to);
      const head = headBytes(`HTTP/1.1 ${status} Scripted`, [...pairsOf(fields), [
        "Vary",
        "Accept-Encoding",
      ]]);
      link.upstream.answer = raw(Buffer.concat([head, body]));
      const answer = await link.call(line, { fields: { "Accept-Encoding": "gzip, br", ...asks } });
      expect(answer).toMatchObject({ status, ended: "end" });
      expect(sameFields(answer, fields)).toEqual(pairsOf(fields));
      expect(answer.headersNamed("vary").join(", ")).toBe("Accept-Encoding, proxy_host, Cookie");
      expect(answer.body.equals(body)).toBe(true);
    });

    it.each(codings)("hand on $name in chunks", async ({ coding, bytes }) => {
      const fields = { ...COMMON, "Content-Encoding": coding };
      link.upstream.answer = chunked(200, fields, [bytes.subarray(0, 7), bytes.subarray(7)]);
      const answer = await link.call("GET /p");
      expect(answer).toMatchObject({ status: 200, ended: "end" });
      expect(sameFields(answer, fields)).toEqual(pairsOf(fields));
      expect([undefined, String(bytes.length)]).toContain(answer.header("content-length"));
      expect(answer.body.equals(bytes)).toBe(true);
    });

    it.each(codings)("hand on $name that ends with the connection", async ({ coding, bytes }) => {
      const fields = { ...COMMON, "Content-Encoding": coding };
      link.upstream.answer = cut(Buffer.concat([headBytes("HTTP/1.1 200 OK", fields), bytes]));
      const answer = await link.call("GET /p");
      expect(answer).toMatchObject({ status: 200, ended: "end" });
      expect(sameFields(answer, fields)).toEqual(pairsOf(fields));
      expect(answer.body.equals(bytes)).toBe(true);
    });

    it.each(codings)("hand on $name without content", async ({ coding }) => {
      const fields = { ...COMMON, "Content-Encoding": coding, "Content-Length": "0" };
      link.upstream.answer = raw(headBytes("HTTP/1.1 200 OK", fields));
      const answer = await link.call("GET /p");
      expect(answer).toMatchObject({ status: 200, text: "", ended: "end" });
      expect(sameFields(answer, fields)).toEqual(pairsOf(fields));
    });

    it.each(codings)("hand on $name of an upload", async ({ coding, bytes }) => {
      await link.call("PUT /p", { fields: { "Content-Encoding": coding }, body: bytes });
      expect(link.upstream.request.header("content-encoding")).toBe(coding);
      expect(link.upstream.request.header("content-length")).toBe(String(bytes.length));
      expect(link.upstream.request.body.equals(bytes)).toBe(true);
    });

    it.each(asked)("offer $offered for $line $fields", async ({ offered, line, fields }) => {
      await link.call(line, { fields: { "Accept-Encoding": offered, ...fields } });
      expect(link.upstream.request.header("accept-encoding")).toBe(offered);
    });
  });

  describe("codings of url", () => {
    const link = useLink(pool);

    it.each(codings)("hand on $name", async ({ coding, bytes }) => {
      const fields = { ...COMMON, "Content-Encoding": coding, "Content-Length": String(bytes.length) };
      link.upstream.answer = raw(Buffer.concat([headBytes("HTTP/1.1 200 OK", fields), bytes]));
      const answer = await link.proxy.call(`GET /__proxy__/?url=${link.upstream.origin}/p`);
      expect(sameFields(answer, fields)).toEqual(pairsOf(fields));
      expect(answer.body.equals(bytes)).toBe(true);
    });
  });
}
