import { expect, it } from "vitest";
import { writeMarkdown } from "../../../src/console/inspector/markdown.ts";
import { captureGet, capturePost, captureTrailers, kept } from "./captures.ts";
import { typedRows } from "../../support/rows.ts";

const NONE = { request: undefined, response: undefined };

it("writes request line, headers, body, response and times", () => {
  const capture = capturePost();
  const [hop] = capture.hops;
  hop!.response!.headers = [["x-kind", "order"]];
  hop!.request.headers = [["x-a", "1"]];
  expect(writeMarkdown(capture, { request: '{\n  "a": 1\n}', response: "plain" })).toBe(`### Request

\`\`\`http
POST https://api.test/order?draft=1&q=a+b
x-a: 1
\`\`\`

\`\`\`json
{
  "a": 1
}
\`\`\`

### Response

\`\`\`http
201 Created
x-kind: order
\`\`\`

\`\`\`
plain
\`\`\`

### Times

171 ms in all, look-up 3.0 ms, connect 20 ms, tls 40 ms, send 1.0 ms, wait 100 ms, transfer 5.5 ms.
`);
});

it("writes trailers", () =>
  expect(writeMarkdown(captureTrailers(), NONE)).toContain("Trailers:\n\n```http\nX-Sum: a"));

type Case = { what: string; fence: string; text: string };
it.each(typedRows<Case, readonly ["what", "fence", "text"]>(["what", "fence", "text"], [
  ["none", "```", "a `` b"],
  ["three", "````", "a\n```\nb"],
  ["more, not at the start of a line", "``````", "a `````"],
]))("makes a fence that is longer than any in the text: $what", ({ fence, text }) => {
  const capture = captureGet("https://api.test/", { headers: [["x-a", text]], body: "x" });
  const written = writeMarkdown(capture, { ...NONE, response: text });
  expect(written).toContain(`\n\n${fence}\n${text}\n${fence}\n\n`);
  expect(written).toContain(`${fence}http\n200`);
});

const SECRETS: readonly [name: string, value: string][] = [
  ["authorization", "Bearer s3cret-value"],
  ["cookie", "sid=s3cret-value"],
  ["set-cookie", "sid=s3cret-value; Path=/"],
  ["x-api-key", "s3cret-value"],
  ["referer", "https://a.test/?token=s3cret-value"],
];

it("masks what capture masks, also in what this page or a file shows unmasked", () => {
  const capture = captureGet("https://u:s3cret-value@api.test/?access_token=s3cret-value", {
    headers: SECRETS.map(([name, value]) => [name, value]),
    body: "x",
  });
  const [hop] = capture.hops;
  hop!.request.headers = SECRETS.map(([name, value]) => [name, value]);
  capture.isOwn = true;
  capture.requestBody = kept("x");
  const body = '{"password":"s3cret-value","name":"tea"}';
  const written = writeMarkdown(capture, { request: body, response: "api_key=s3cret-value&name=tea" });
  expect(written).not.toContain("s3cret");
  expect(written).toContain("authorization: Bearer ***\ncookie: sid=***");
  expect(written).toContain('{"password":"***","name":"tea"}');
});

it("keeps the masks of capture, whose digests tell secrets apart", () => {
  const capture = captureGet("https://api.test/", { headers: [["x-api-key", "***(43 bytes, 9f3c)"]] });
  expect(writeMarkdown(capture, NONE)).toContain("x-api-key: ***(43 bytes, 9f3c)");
});

it("says what is left out, and takes no sign of Markdown from a file's reasons", () => {
  const capture = captureGet("https://api.test/", { body: "x" });
  capture.error = "[x](http://evil.test)<b>";
  capture.responseBody = { ...kept("abc"), withheld: "it is `compressed`" };
  const withheld = writeMarkdown(capture, NONE);
  expect(withheld).toContain("Error: xhttpevil.testb.");
  expect(withheld).toContain("Body: 3 B, not kept: it is compressed.");
  capture.responseBody = kept("abc");
  expect(writeMarkdown(capture, NONE)).toContain("\n\nBody: 3 B.\n");
  const long = writeMarkdown(capture, { ...NONE, response: "a".repeat(20_001) });
  expect(long).toContain(`${"a".repeat(20_000)}\n\`\`\`\n\nThe body has 3 B; this is its beginning.`);
  expect(writeMarkdown({ ...capture, hops: [], response: undefined } as never, NONE))
    .toContain("Response\n\nNone.");
});
