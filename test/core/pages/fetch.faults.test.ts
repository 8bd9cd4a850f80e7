/** What `/__proxy__/fetch` refuses, and the redirects that it follows. @module */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import { createProxy } from "../../../src/index.ts";
import type { Incoming } from "../../../src/core/runtime.ts";
import { incoming, target } from "../../support/handle.ts";
import { words } from "../../support/rows.ts";

const FORMAT = "Invalid Base64 or JSON format";
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Asks, and tells what was answered and how often the target was asked. */
async function ask(request: Incoming) {
  const { sent, runtime } = target();
  const response = await createProxy().handle(request, runtime);
  return { response, answer: await response.json(), count: sent.length };
}

describe("an argument that is none", () => {
  it.each([
    { reason: "no Base64", query: "arg=!" },
    { reason: "padding where none belongs", query: "arg=e30==" },
    { reason: "malformed percent-encoding", query: "arg=e30%" },
    { reason: "percent-encoded twice", query: "arg=e30%253D" },
    { reason: "only a line end", query: "arg=%0D%0A" },
    { reason: "a tab", query: "arg=e30%09" },
    { reason: "no UTF-8", query: `arg=${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64")}` },
    { reason: "the JSON itself", query: `arg={"url":"http://a.test/"}` },
  ])("gets the answer of the specification: $reason", async ({ query }) => {
    const { response, answer, count } = await ask(incoming(`/__proxy__/fetch?${query}`));
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(answer).toEqual({ title: "Fetch API Error", detail: FORMAT });
    expect(response.headers.get("proxy-status"))
      .toMatch(/; details="(?:not Base64: .+|not UTF-8 at byte|JSON ends at) ?\d+"$/);
    expect(count).toBe(0);
  });

  it.each([
    { reason: "Base64", body: base64("{}") },
    { reason: "empty", body: "" },
  ])("gets it for POST too: $reason", async ({ body }) => {
    const { response, answer, count } = await ask(
      incoming("/__proxy__/fetch", {}, "POST", new TextEncoder().encode(body)),
    );
    expect(response.status).toBe(400);
    expect(answer).toEqual({ title: "Fetch API Error", detail: FORMAT });
    expect(count).toBe(0);
  });

  it("gets it for POST without a body", async () =>
    expect((await ask(incoming("/__proxy__/fetch", {}, "POST"))).answer).toMatchObject({ detail: FORMAT }));
});

describe("an argument with a fault", () => {
  it.each([
    { fields: { url: "file:///etc/passwd" }, culprit: "url" },
    { fields: { url: "http://a.test/", method: "TRACE" }, culprit: "method" },
    { fields: { url: "http://a.test/", headers: [] }, culprit: "headers" },
    { fields: { url: "http://a.test/", redirect: "error" }, culprit: "redirect" },
    { fields: { url: "http://a.test/", timeout: 1 }, culprit: "timeout" },
    { fields: JSON.parse('{"url":"http://a.test/","__proto__":{}}'), culprit: "__proto__" },
  ])("is a 400 that names $culprit", async ({ fields, culprit }) => {
    const { response, answer, count } = await ask(incoming(`/__proxy__/fetch?arg=${encodeArg(fields)}`));
    expect(response.status).toBe(400);
    expect(Object.keys(answer)).toEqual(["title", "detail"]);
    expect(answer.title).toBe("Fetch API Error");
    expect(answer.detail).toContain(culprit);
    expect(answer.detail).not.toBe(FORMAT);
    expect(count).toBe(0);
  });

  it.each(["", ...words`? ?Arg=e30 ?x=1`])(
    "is a 400 that names arg where it is missing: %s",
    async (query) => {
      const { response, answer } = await ask(incoming(`/__proxy__/fetch${query}`));
      expect(response.status).toBe(400);
      expect(answer).toEqual({ title: "Fetch API Error", detail: expect.stringMatching(/\barg\b.*missing/) });
    },
  );

  it("never shows the credentials in url", async () => {
    const arg = encodeArg({ url: "http://user:secret@a.test:99999/" });
    expect(JSON.stringify((await ask(incoming(`/__proxy__/fetch?arg=${arg}`))).answer))
      .not.toContain("secret");
  });
});
