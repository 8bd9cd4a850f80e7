/**
 * Conditional and partial requests: the conditions reach the target as they are, and its verdict the caller.
 * @module
 */
import { describe, expect, it } from "vitest";
import { alike, headBytes, pairsOf, type Pool, raw, useLink } from "../support/topic.ts";

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

const VERDICTS = [
  { name: "304", line: "GET /p", status: 304, fields: METADATA, body: "" },
  { name: "304 to HEAD", line: "HEAD /p", status: 304, fields: METADATA, body: "" },
  { name: "412", line: "PUT /p", status: 412, fields: { ...METADATA, "Content-Length": "4" }, body: "nope" },
  { name: "416", line: "GET /p", status: 416, fields: partOf("*/1234", "0"), body: "" },
  { name: "206 of one range", line: "GET /p", status: 206, fields: partOf("0-4/1234", "5"), body: "hello" },
  {
    name: "206 of a range without an end",
    line: "GET /p",
    status: 206,
    fields: partOf("0-4/*", "5"),
    body: "hello",
  },
  { name: "206 of several ranges", line: "GET /p", status: 206, fields: PARTS, body: "--x\r\n--x--\n" },
  { name: "200 to HEAD of a large file", line: "HEAD /p", status: 200, fields: LARGE, body: "" },
];

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
