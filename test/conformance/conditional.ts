/**
 * Conditional and partial requests: the conditions reach the target as they are, and its verdict the caller.
 * @module
 */
import { describe, expect, it } from "vitest";
import { alike, headBytes, pairsOf, type Pool, raw, rowsOf, useLink } from "../support/topic.ts";

const CONDITIONS = [
  { name: "If-None-Match", value: 'W/"a", "b"' },
  { name: "If-None-Match", value: "*" },
  ...alike("name", { value: '"a"' })`If-Match If-Range`,
  ...alike("name", { value: "Wed, 21 Oct 2026 07:28:00 GMT" })`If-Modified-Since If-Unmodified-Since`,
  { name: "Range", value: "bytes=0-4" },
  { name: "Range", value: "bytes=-5, 0-1" },
  { name: "Range", value: "lines=1-2" },
  ...alike("name", { value: "no-cache" })`Cache-Control Pragma`,
  { name: "Prefer", value: "return=minimal" },
];

const METADATA = {
  ETag: 'W/"33a64df5"',
  "Cache-Control": "max-age=60",
  "Content-Location": "/p.en",
  Date: "Wed, 21 Oct 2026 07:28:01 GMT",
  Expires: "Wed, 21 Oct 2026 08:28:01 GMT",
  "Last-Modified": "Wed, 21 Oct 2026 07:28:00 GMT",
};

const PARTS = { ...METADATA, "Content-Type": "multipart/byteranges; boundary=x", "Content-Length": "11" };
const LARGE = { ...METADATA, "Content-Length": "5000000000", "Accept-Ranges": "bytes" };
const partOf = (range: string, length: string) => ({
  ...METADATA,
  "Content-Range": `bytes ${range}`,
  "Content-Length": length,
});

const VERDICTS = rowsOf(["name", "line", "status", "fields", "body"], [
  ["304", "GET /p", 304, METADATA, ""],
  ["304 to HEAD", "HEAD /p", 304, METADATA, ""],
  ["412", "PUT /p", 412, { ...METADATA, "Content-Length": "4" }, "nope"],
  ["416", "GET /p", 416, partOf("*/1234", "0"), ""],
  ["206 of one range", "GET /p", 206, partOf("0-4/1234", "5"), "hello"],
  ["206 of a range without an end", "GET /p", 206, partOf("0-4/*", "5"), "hello"],
  ["206 of several ranges", "GET /p", 206, PARTS, "--x\r\n--x--\n"],
  ["200 to HEAD of a large file", "HEAD /p", 200, LARGE, ""],
]);

export function describeConditions(pool: Pool): void {
  describe("conditions", () => {
    const link = useLink(pool);

    it.each(CONDITIONS)("reach the target, $name: $value", async ({ name, value }) => {
      await link.call("GET /p", { fields: { [name]: value } });
      expect(link.upstream.request.headersNamed(name)).toEqual([value]);
    });
  });
}

export function describeConditional(pool: Pool): void {
  describe("conditions", () => {
    const link = useLink(pool);

    it.each(VERDICTS)(
      "come back as the target judges them: $name",
      async ({ line, status, fields, body }) => {
        const head = headBytes(`HTTP/1.1 ${status} Odd`, fields);
        link.upstream.answer = raw(Buffer.concat([head, Buffer.from(body)]));
        const answer = await link.call(line);
        expect(answer).toMatchObject({ status, text: body, ended: "end" });
        const expected = pairsOf(fields);
        expect(expected.map(([name]) => [name, answer.header(name)])).toEqual(expected);
      },
    );
  });
}
