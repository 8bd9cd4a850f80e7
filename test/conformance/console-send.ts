/**
 * `/__proxy__/send` with a request in two parts: the bytes that the target gets, and who is refused.
 * @module
 */
import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import { decodeHead } from "../../src/core/address/sealed-head.ts";
import { BROWSER } from "../support/browser-fields.ts";
import type { Answer, Pool, Shared, Upstream } from "../support/topic.ts";
import { expectError, listen, reply, routes } from "../support/topic.ts";

/** Every byte there is, and what a text would lose: an invalid sequence, a byte order mark, line ends. */
const BYTES = Buffer.from([
  ...Array.from({ length: 256 }, (_, byte) => byte),
  0xef,
  0xbb,
  0xbf,
  13,
  10,
  0xc3,
]);
const APP = "https://app.test";
const MEGABYTE = 1_048_576;

/** The ticket in the console's page. */
export async function readTicket(proxy: Shared): Promise<string> {
  const { text } = await proxy.call("GET /__proxy__/", { fields: { Accept: "text/html", ...BROWSER.typed } });
  return /&#34;ticket&#34;:&#34;([^&]+)&#34;/.exec(text)?.[1] ?? "";
}

export function describeConsoleSend(pool: Pool): void {
  const proxy = pool.with();
  const granting = pool.with({ CORS_ORIGINS: APP });
  const small = pool.with({ MAX_REQUEST_BYTES: "1000" });
  let upstream: Upstream;
  let ticket: string;
  beforeEach(async () => {
    [upstream, ticket] = await Promise.all([listen(), readTicket(proxy)]);
    upstream.answer = routes({
      "/": reply(200, [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]], "ok"),
      "/moved": reply(307, { Location: "/" }),
    });
    return () => upstream.close();
  });
  const send = (
    head: Record<string, unknown>,
    body: Buffer | string = "",
    fields: Record<string, string> = {},
    to: Shared = proxy,
  ): Promise<Answer> => {
    const written = encodeArg({ url: `${upstream.origin}/`, ...head });
    const own = { ...BROWSER.script, "X-Fetchvia-Ticket": ticket, "X-Fetchvia-Request": written, ...fields };
    return to.call("POST /__proxy__/send", { fields: own, body, timeout: 20_000 });
  };

  describe("the console's request", () => {
    it("goes out byte for byte, its repeated fields line by line", async () => {
      const headers = [["X-A", "1"], ["Content-Type", "application/x-own"], ["x-a", "2"], ["x-a", "1"]];
      const answer = await send({ method: "PUT", headers }, BYTES);
      const [received] = upstream.requests;
      expect(received).toMatchObject({ method: "PUT", body: BYTES });
      expect(received?.headersNamed("x-a")).toEqual(["1", "2", "1"]);
      expect(received?.header("content-length")).toBe(String(BYTES.length));
      expect(received?.header("x-fetchvia-request") ?? received?.header("x-fetchvia-ticket")).toBeUndefined();
      expect(answer.header("set-cookie")).toBeUndefined();
      const head = decodeHead(answer.header("x-fetchvia-head") ?? "");
      expect(head?.headers.filter(([name]) => /^set-cookie$/i.test(name))).toHaveLength(2);
    });

    it("is 20 MB long, and no byte is lost", async () => {
      const body = randomBytes(20 * MEGABYTE);
      expect((await send({ method: "POST" }, body)).status).toBe(200);
      expect(upstream.requests[0]?.body.equals(body)).toBe(true);
    });

    it("has a head of 48 KiB at most", async () => {
      const value = "x".repeat(34_000);
      expect((await send({ headers: [["x-long", value]] })).status).toBe(200);
      expect(upstream.requests[0]?.header("x-long")).toBe(value);
      expectError(await send({ headers: [["x-long", "x".repeat(37_000)]] }), { status: 400, names: /49152/ });
    });

    it("is sent again after a 307", async () => {
      expect((await send({ url: `${upstream.origin}/moved`, method: "POST" }, BYTES)).status).toBe(200);
      expect(upstream.requests.map(({ target, body }) => [target, body]))
        .toEqual([["/moved", BYTES], ["/", BYTES]]);
    });

    it("obeys the limit of uploads", async () => {
      const own = { "X-Fetchvia-Ticket": await readTicket(small) };
      expect((await send({ method: "POST" }, Buffer.alloc(1_000), own, small)).status).toBe(200);
      expectError(await send({ method: "POST" }, Buffer.alloc(1_001), own, small), { status: 413 });
    });

    it.each([
      { about: "of a page of the same origin", fields: { "X-Fetchvia-Ticket": "" } },
      { about: "with another ticket", fields: { "X-Fetchvia-Ticket": "x" } },
    ])("is refused without the ticket: $about", async ({ fields }) => {
      expectError(await send({}, "", fields), { status: 403, names: /ticket/ });
      expect(upstream.requests).toEqual([]);
    });

    it("is refused without the ticket: of a page that may read every answer", async () => {
      const fields = { "X-Fetchvia-Ticket": "", "Origin": APP, "Sec-Fetch-Site": "cross-site" };
      expectError(await send({}, "", fields, granting), { status: 403, names: /ticket/ });
      expect(upstream.requests).toEqual([]);
    });

    it("may come as an argument too, as ever", async () => {
      const body = JSON.stringify({ url: `${upstream.origin}/`, method: "POST", body: "a" });
      const fields = { "X-Fetchvia-Ticket": ticket, ...BROWSER.script };
      expect((await proxy.call("POST /__proxy__/send", { fields, body })).status).toBe(200);
      expect(upstream.requests[0]).toMatchObject({ method: "POST", body: Buffer.from("a") });
    });
  });
}
