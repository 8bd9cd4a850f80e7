import { describe, expect, it } from "vitest";
import type { Body } from "../../../src/core/http/body.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { fromStream } from "../../../src/core/http/read-along.ts";
import { toResponse } from "../../../src/core/http/reply.ts";

const GET = { method: "GET" };
const bytes = new TextEncoder().encode("body");
const stream = () => fromStream(new Response(bytes).body!);

describe("toResponse", () => {
  it.each([
    { about: "bytes", body: bytes, text: "body" },
    { about: "a stream", body: stream(), text: "body" },
    { about: "nothing", body: null, text: "" },
  ] as { about: string; body: Body; text: string }[])("makes one of $about", async ({ body, text }) => {
    const headers = new Fields([["x-a", "1"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
    const response = toResponse({ status: 201, statusText: "Made", headers, body }, GET);
    expect([response.status, response.statusText, response.headers.get("x-a")]).toEqual([201, "Made", "1"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe(text);
  });

  it.each(["a\r\nb", "\u{20ac}"])("drops a reason that HTTP has no form for: %j", (statusText) => {
    const reply = { status: 200, statusText, headers: new Fields(), body: null };
    expect(toResponse(reply, GET).statusText).toBe("");
  });

  it.each([
    { fields: [["x-b", "2"], ["x-a", "1"]] },
    { fields: [["x-a", "1"], ["x-a", "2"]], joined: [["x-a", "1, 2"]] },
    { fields: [["constructor", "1"], ["tostring", "2"]] },
    { fields: [["__proto__", "1"], ["x-a", "2"]] },
    { fields: [["1", "b"], ["0", "a"]] },
  ] as { fields: [string, string][]; joined?: [string, string][] }[])(
    "keeps every field: $fields",
    ({ fields, joined = fields }) => {
      const { headers } = toResponse(
        { status: 200, statusText: "", headers: new Fields(fields), body: null },
        GET,
      );
      expect(new Map(headers)).toEqual(new Map(joined));
    },
  );

  it.each([
    { method: "HEAD", status: 200, fields: [], body: "a stream" },
    { method: "HEAD", status: 200, fields: [["content-length", "5"]], body: "none" },
    { method: "HEAD", status: 204, fields: [], body: "none" },
    { method: "HEAD", status: 304, fields: [], body: "none" },
    { method: "GET", status: 200, fields: [], body: "none" },
  ] as { method: string; status: number; fields: [string, string][]; body: string }[])(
    "lets no server say a length of 0 that nobody said: $method, $status, $fields",
    async ({ method, status, fields, body }) => {
      const response = toResponse(
        { status, statusText: "", headers: new Fields(fields), body: null },
        { method },
      );
      expect(response.body === null ? "none" : "a stream").toBe(body);
      expect(await response.text()).toBe("");
    },
  );

  it.each([
    { about: "bytes", body: bytes },
    { about: "a stream", body: stream() },
  ] as { about: string; body: Body }[])("leaves $about out for HEAD", ({ body }) => {
    const headers = new Fields([["content-length", "4"]]);
    const response = toResponse({ status: 200, headers, body }, { method: "HEAD" });
    expect([response.body, response.headers.get("content-length")]).toEqual([null, "4"]);
  });

  it("gives an answer of the proxy's own no reason", () =>
    expect(toResponse({ status: 404, headers: new Fields(), body: null }, GET).statusText).toBe(""));
});
