/**
 * The proxy's own JSON answers.
 * @module
 */
import { expect, it } from "vitest";
import { answerJson } from "../../src/http/answer.ts";

it.each([
  { value: {}, text: "{}" },
  { value: { status: "ok" }, text: '{"status":"ok"}' },
  { value: { host: null }, text: '{"host":null}' },
  { value: { detail: 'é😀\n"\u0000' }, text: '{"detail":"é😀\\n\\"\\u0000"}' },
  { value: { detail: "\ud800" }, text: '{"detail":"\\ud800"}' },
  { value: { detail: "</script>" }, text: '{"detail":"</script>"}' },
])("writes $text with its length in bytes", async ({ value, text }) => {
  const response = answerJson(value);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(await response.text()).toBe(text);
});

const FIELDS: { status: number; headers: Record<string, string>; name: string; value: string }[] = [
  { status: 400, headers: { allow: "GET" }, name: "allow", value: "GET" },
  { status: 503, headers: { "retry-after": "1" }, name: "retry-after", value: "1" },
  { status: 200, headers: { "Content-Type": "text/html" }, name: "content-type", value: "application/json" },
  { status: 200, headers: { "content-length": "999" }, name: "content-length", value: "2" },
];

it.each(FIELDS)("has status $status and field $name: $value", ({ status, headers, name, value }) => {
  const response = answerJson({}, status, headers);
  expect(response.status).toBe(status);
  expect(response.headers.get(name)).toBe(value);
});

it("keeps several Set-Cookie fields apart and leaves the given fields as they were", () => {
  const headers = new Headers([["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
  expect(answerJson({}, 200, headers).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect([...headers.keys()]).toEqual(["set-cookie", "set-cookie"]);
});
