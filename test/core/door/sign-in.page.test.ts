/** The page where users sign in: who gets it, what its form does, and that it leads nowhere else. @module */
import { describe, expect, it, vi } from "vitest";
import { answerSignInPage, takeSignIn } from "../../../src/core/door/sign-in.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { alike, rowsOf } from "../../support/rows.ts";

const options = { proxyToken: "s3cret" };
const WINDOW = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const MISSING = new ProxyError("token_missing", "m", { headers: { "www-authenticate": "Bearer" } });
const PATH = "/__proxy__/sign-in";

const textOf = ({ body }: { body: unknown }) => new TextDecoder().decode(body as Uint8Array);

describe("answerSignInPage", () => {
  it.each([
    { about: "a window", fields: WINDOW },
    { about: "a window over plain http", fields: { "upgrade-insecure-requests": "1", accept: "text/html" } },
  ])("shows the page to $about", ({ fields }) => {
    const exchange = exchangeOf({ path: "/a?b=<c>", fields, options });
    const reply = answerSignInPage(exchange, MISSING);
    expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(textOf(reply)).toContain('name="next" value="/a?b=&#60;c&#62;"');
    expect(textOf(reply)).toContain("This proxy asks for its token.");
    expect(exchange.record.error).toBe("token_missing");
  });

  it.each([
    { about: "a program", fields: {}, refusal: MISSING },
    { about: "a program that prefers HTML", fields: { accept: "text/html" }, refusal: MISSING },
    { about: "a script", fields: { ...WINDOW, "sec-fetch-mode": "cors" }, refusal: MISSING },
    { about: "a frame", fields: { ...WINDOW, "sec-fetch-dest": "iframe" }, refusal: MISSING },
    { about: "a form", fields: WINDOW, method: "POST", refusal: MISSING },
    { about: "another refusal", fields: WINDOW, refusal: new ProxyError("forbidden", "m") },
    { about: "a failure", fields: WINDOW, refusal: new Error("m") },
  ])("throws what everyone else gets: $about", ({ fields, method = "GET", refusal }) => {
    expect(() => answerSignInPage(exchangeOf({ fields, method, options }), refusal)).toThrow(refusal);
  });

  it("says that the token in the address is wrong, and goes on without it", () => {
    const exchange = exchangeOf({ path: "/__proxy__/?token=x&url=http://a.test/", fields: WINDOW, options });
    const text = textOf(answerSignInPage(exchange, MISSING));
    expect(text).toContain("That is not a token of this proxy.");
    expect(text).toContain('value="/__proxy__/?url=http://a.test/"');
  });

  it("has no form on a label, whose origin is the target's", () => {
    const fields = { ...WINDOW, host: "a-test.w.localhost:8080" };
    const text = textOf(answerSignInPage(exchangeOf({ fields, options }), MISSING));
    expect(text).not.toContain("<form");
    expect(text).toContain("/__proxy__/?token=");
  });
});

describe("takeSignIn", () => {
  const post = (form: Record<string, string>, fields = {}) =>
    exchangeOf({
      method: "POST",
      path: PATH,
      fields: { ...WINDOW, ...fields },
      body: new TextEncoder().encode(String(new URLSearchParams(form))),
      options,
    });

  it.each([
    { next: "/a?b=c", to: "/a?b=c" },
    ...alike("next", { to: "/__proxy__/" })`//evil.test/ /\evil.test/ https://evil.test/`,
    { next: "/a\r\nset-cookie: x=1", to: "/__proxy__/" },
    { next: PATH, to: "/__proxy__/" },
    { next: "", to: "/__proxy__/" },
  ])("keeps a right token, and goes from $next to $to", async ({ next, to }) => {
    const check = vi.fn((token: string) => Promise.resolve(token));
    const { status, headers } = await takeSignIn(post({ token: "s3cret", next }), check);
    expect([status, headers.get("location")]).toEqual([303, to]);
    expect(headers.get("set-cookie")).toMatch(/^proxy_token=s3cret; /);
    expect(check).toHaveBeenCalledWith("s3cret");
  });

  it("shows the page again after a wrong one", async () => {
    const reply = await takeSignIn(post({ token: "x", next: "/a" }), () => Promise.reject(MISSING));
    expect(reply.status).toBe(401);
    expect(reply.headers.get("set-cookie")).toBeNull();
    expect(textOf(reply)).toContain("That is not a token of this proxy.");
    expect(textOf(reply)).toContain('name="next" value="/a"');
  });

  it.each(rowsOf(["about", "exchange", "code"], [
    ["by GET", () => exchangeOf({ path: PATH, options }), "method_not_allowed"],
    ["on a label", () => post({ token: "s3cret" }, { host: "a-test.w.localhost:8080" }), "forbidden"],
    ["with a form that is too long", () => post({ token: "x".repeat(70_000) }), "request_too_large"],
  ]))("refuses $about", async ({ exchange, code }) => {
    await expect(takeSignIn(exchange(), (token) => Promise.resolve(token))).rejects.toMatchObject({ code });
  });
});
