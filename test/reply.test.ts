import { describe, expect, it } from "vitest";
import { type Body, toFlow } from "../src/body.ts";
import { Fields } from "../src/fields.ts";
import { toResponse } from "../src/reply.ts";

const bytes = new TextEncoder().encode("body");
const stream = () => new Response(bytes).body as ReadableStream<Uint8Array>;

describe("toResponse", () => {
  it("gives a Response as it is", () => {
    const response = new Response("x");
    expect(toResponse(response)).toBe(response);
  });

  it.each([
    { about: "bytes", body: bytes, text: "body" },
    { about: "a stream", body: stream(), text: "body" },
    { about: "chunks that are pushed", body: toFlow(stream()), text: "body" },
    { about: "nothing", body: null, text: "" },
  ] as { about: string; body: Body; text: string }[])("makes one of $about", async ({ body, text }) => {
    const headers = new Fields([["x-a", "1"], ["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
    const response = toResponse({ status: 201, statusText: "Made", headers, body });
    expect([response.status, response.statusText, response.headers.get("x-a")]).toEqual([201, "Made", "1"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe(text);
  });
});
