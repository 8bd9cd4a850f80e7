/** `/__proxy__/send`: what goes out for a request in two parts, and who may ask for it. @module */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import { isStreaming } from "../../../src/core/http/body.ts";
import type { Exchange, Target } from "../../../src/core/exchange/exchange.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { MAX_REQUEST_FIELD, REQUEST_FIELD } from "../../../src/parts/console/page-facts.ts";
import { answerSend } from "../../../src/parts/console/send-page.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf, type Request, TICKET } from "../../support/exchange.ts";
import { VERSION } from "../../../src/core/settings/version.ts";

const URL_ONLY = { url: "https://a.test/p" };
const BYTES = Uint8Array.of(0, 255, 13, 10);

interface Forwarded {
  exchange: Exchange;
  target: Target;
}

/** Sends a head, and gives back what was forwarded. */
async function send(head: unknown, request: Request = {}): Promise<Forwarded & { reply: Reply }> {
  let forwarded: Forwarded | undefined;
  const field = typeof head === "string" ? head : encodeArg(head);
  const fields = {
    ...BROWSER.script,
    "x-fetchvia-ticket": TICKET,
    [REQUEST_FIELD]: field,
    ...request.fields,
  };
  const exchange = exchangeOf({ method: "POST", path: "/__proxy__/send", ...request, fields });
  const reply = await answerSend(exchange, (exchange, target) => {
    forwarded = { exchange, target };
    return Promise.resolve({ status: 200, headers: new Fields([["set-cookie", "a=1"]]), body: null });
  });
  return { ...forwarded as Forwarded, reply };
}

const linesOf = ({ exchange }: Forwarded) => [...exchange.described?.headers ?? []];

describe("a request in two parts", () => {
  it("takes nothing from the fields of the request that brings it", async () => {
    const sent = await send(URL_ONLY, { fields: { cookie: "a=1", authorization: "Basic x", "x-own": "1" } });
    expect(linesOf(sent)).toEqual([["user-agent", `fetchvia/${VERSION}`]]);
  });

  it("leaves out what the proxy sets itself", async () => {
    const names = ["host", "content-length", "connection", "transfer-encoding", "proxy-authorization", "te"];
    const sent = await send({ ...URL_ONLY, headers: names.map((name) => [name, "1"]) });
    expect(linesOf(sent).map(([name]) => name)).toEqual(["user-agent"]);
  });

  it.each([
    { method: "POST", length: ["content-length", "0"] },
    { method: "GET", length: undefined },
  ])("says of an empty body what browsers say: $method", async ({ method, length }) => {
    const sent = await send({ ...URL_ONLY, method }, { fields: { "content-length": "0" } });
    expect(sent.exchange.described?.body).toBeNull();
    expect(linesOf(sent).find(([name]) => name === "content-length")).toEqual(length);
  });

  it.each([
    { about: "a short one in memory, as a redirect may ask for it again", length: "4", streams: false },
    { about: "one of unknown length", length: undefined, streams: true },
    { about: "a long one", length: "8388609", streams: true },
    { about: "one whose redirects are not followed", length: "4", redirect: "manual", streams: true },
  ])("sends a stream: $about", async ({ length, redirect, streams }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(BYTES);
        controller.close();
      },
    });
    const sent = await send({ ...URL_ONLY, redirect }, { body, fields: { "content-length": length } });
    expect(isStreaming(sent.exchange.described?.body ?? null)).toBe(streams);
    expect(sent.target.follow).toBe(!streams);
  });

  it("is answered with a seal", async () => {
    const { reply } = await send(URL_ONLY);
    expect(reply.headers.get("set-cookie")).toBeNull();
    expect(reply.headers.get("x-fetchvia-head")).not.toBeNull();
  });

  it.each([
    { about: "a program", fields: { "sec-fetch-site": undefined, "x-fetchvia-ticket": undefined } },
    { about: "the console", fields: {} },
  ])("is taken from $about", async ({ fields }) => {
    expect((await send(URL_ONLY, { fields })).target.origin.host).toBe("a.test");
  });

  it.each([
    { about: "no Base64", head: "§", message: /expected the Base64 of a JSON object/ },
    { about: "too much", head: "A".repeat(MAX_REQUEST_FIELD + 1), message: /at most 49152 bytes/ },
    { about: "no address", head: {}, message: /url is missing/ },
    { about: "a body", head: { ...URL_ONLY, body: "x" }, message: /it has a body/ },
    { about: "an unknown field", head: { ...URL_ONLY, cookies: 1 }, message: /cookies is unknown/ },
    { about: "headers that are no list", head: { ...URL_ONLY, headers: { a: "1" } }, message: /is no list/ },
    { about: "an entry that is no pair", head: { ...URL_ONLY, headers: [["a"]] }, message: /no pair/ },
    { about: "a value that is none", head: { ...URL_ONLY, headers: [["a", 1]] }, message: /not a string/ },
    { about: "a line break", head: { ...URL_ONLY, headers: [["a", "1\r\nb: 2"]] }, message: /not allowed/ },
    { about: "a name that is none", head: { ...URL_ONLY, headers: [["a b", "1"]] }, message: /field name/ },
  ])("is refused with $about", ({ head, message }) =>
    expect(send(head))
      .rejects.toMatchObject({ code: "bad_request", message: expect.stringMatching(message) }));

  it("is refused with another method", () =>
    expect(send(URL_ONLY, { method: "PUT" })).rejects.toMatchObject({ code: "method_not_allowed" }));
});
