/** The proxy's own answers. */
import { describe, expect, it } from "vitest";
import { answerJson, answerText, answerWith } from "../../../src/core/http/answer.ts";
import { toResponse } from "../../../src/core/http/reply.ts";

const GET = { method: "GET" };

describe("an answer", () => {
  it("with a text says its length in bytes", async () => {
    const reply = answerWith(201, [["x-a", "1"]], "é");
    expect([reply.status, reply.statusText]).toEqual([201, undefined]);
    expect([...reply.headers]).toEqual([["x-a", "1"], ["content-length", "2"]]);
    expect(await toResponse(reply, GET).text()).toBe("é");
  });

  it("without one says none", () => {
    const reply = answerWith(303, [["location", "/"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
    expect([reply.body, reply.headers.has("content-length")]).toEqual([null, false]);
    expect(toResponse(reply, GET).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });
});

describe("a JSON answer", () => {
  it.each([
    { value: {}, text: "{}" },
    { value: { status: "ok" }, text: '{"status":"ok"}' },
    { value: { host: null }, text: '{"host":null}' },
    { value: { detail: 'é😀\n"\u0000' }, text: '{"detail":"é😀\\n\\"\\u0000"}' },
    { value: { detail: "\ud800" }, text: '{"detail":"\\ud800"}' },
    { value: { detail: "</script>" }, text: '{"detail":"</script>"}' },
  ])("writes $text with its length in bytes", async ({ value, text }) => {
    const reply = answerJson(value);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toEqual({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(await toResponse(reply, GET).text()).toBe(text);
  });

  it.each([
    { status: 400, field: ["allow", "GET"], name: "allow", value: "GET" },
    { status: 503, field: ["retry-after", "1"], name: "retry-after", value: "1" },
    { status: 200, field: ["content-type", "text/html"], name: "content-type", value: "application/json" },
    { status: 200, field: ["content-length", "999"], name: "content-length", value: "2" },
  ] as { status: number; field: [string, string]; name: string; value: string }[])(
    "has status $status and field $name: $value",
    ({ status, field, name, value }) => {
      const reply = answerJson({}, status, [field]);
      expect(reply.status).toBe(status);
      expect(reply.headers.get(name)).toBe(value);
    },
  );

  it("keeps several Set-Cookie fields apart and leaves the given fields as they were", () => {
    const headers = new Headers([["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
    expect([...answerJson({}, 200, headers).headers].slice(0, 2)).toEqual([...headers]);
    expect([...headers.keys()]).toEqual(["set-cookie", "set-cookie"]);
  });
});

it("makes a plain text for Prometheus", async () => {
  const reply = answerText("a 1\n");
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await toResponse(reply, GET).text()).toBe("a 1\n");
});
