/** Credentials that a browser sends by itself: to the host that asked for them, and to no other. @module */
import { describe, expect, it } from "vitest";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { judgeCookies, judgeCredentials } from "../../../src/core/may/credentials.ts";
import type { Upstream } from "../../../src/core/runtime.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { createProxy, type Proxy } from "../../../src/index.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { type Fields, incoming, target } from "../../support/handle.ts";

const BASIC_A = "Basic YTpwYXNzd29yZA==";
const BASIC_B = "Basic Yjpvcmhlcg==";
const PAGE = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const CHALLENGE = { status: 401, headers: new Headers({ "www-authenticate": 'Basic realm="x"' }) };

/** A browser in front of one proxy: it keeps the mark and sends credentials wherever it goes. */
class Browser {
  readonly #proxy: Proxy;
  #mark = "";

  constructor(options: Options = {}) {
    this.#proxy = createProxy(options);
  }

  /** Opens a page of a host; gives the credentials that arrived there. */
  async open(
    host: string,
    authorization: string | undefined,
    answer: Partial<Upstream> = {},
    fields: Fields = PAGE,
  ) {
    const cookie = `proxy_host=${host}${this.#mark && `; proxy_auth=${this.#mark}`}`;
    return await this.ask("/", { ...fields, cookie, authorization }, answer);
  }

  async ask(path: string, fields: Fields, answer: Partial<Upstream> = {}) {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    const { sent, runtime } = target(answer);
    const response = await this.#proxy.handle(incoming(path, given), runtime);
    for (const line of response.headers.getSetCookie()) {
      const [, mark] = /^proxy_auth=([^;]*); Path=\/; HttpOnly; SameSite=Lax$/.exec(line) ?? [];
      if (mark) this.#mark = mark;
    }
    return { arrived: sent[0]?.headers.get("authorization") ?? null, response, mark: this.#mark };
  }
}

const A = "http://a.test";
const B = "http://b.test";

describe("by the cookie", () => {
  it("do not go to a host that asks for its own", async () => {
    const browser = new Browser();
    await browser.open(A, undefined, CHALLENGE);
    await browser.open(A, BASIC_A);
    await browser.open(B, BASIC_A, CHALLENGE);
    expect((await browser.open(B, BASIC_A)).arrived).toBeNull();
    expect((await browser.open(B, BASIC_B)).arrived).toBe(BASIC_B);
    expect((await browser.open(A, BASIC_B)).arrived).toBeNull();
    expect((await browser.open(A, BASIC_A)).arrived).toBe(BASIC_A);
  });

  it("are not bound to a host that did not take them", async () => {
    const browser = new Browser();
    await browser.open(A, undefined, CHALLENGE);
    expect((await browser.open(A, BASIC_B, CHALLENGE)).arrived).toBe(BASIC_B);
    await browser.open(B, undefined, CHALLENGE);
    expect((await browser.open(B, BASIC_B)).arrived).toBe(BASIC_B);
  });

  it.each(["Bearer t", "Basically x", "AWS4-HMAC-SHA256 x"])(
    "holds for no other scheme: %s",
    async (value) => expect((await new Browser().open(A, value)).arrived).toBe(value),
  );

  const FROM_PAGE = { "sec-fetch-site": "same-origin" };
  it.each([
    { about: "one that says where it comes from", site: FROM_PAGE, isJudged: true },
    { about: "one that says no more", site: {}, isJudged: false },
    { about: "one of the console", site: FROM_PAGE, asker: "console" as const, isJudged: false },
    { about: "one by arg", site: FROM_PAGE, selector: "arg" as const, isJudged: false },
  ])("is asked of a handshake of a browser: $about, $isJudged", ({ site, asker, selector, isJudged }) => {
    const handshake = { upgrade: "websocket", origin: "http://localhost:8080", authorization: BASIC_A };
    const fields = { ...handshake, ...site, cookie: `proxy_host=${A}` };
    const exchange = exchangeOf({ fields, ...(asker && { asker }) });
    const address = { selector: selector ?? "cookie" as const, origin: new URL(A), path: "/", basePath: "" };
    const cookies = judgeCookies(exchange, address);
    expect(judgeCredentials(exchange, address, cookies) !== undefined).toBe(isJudged);
  });

  it("is known by all who have the key", async () => {
    const options = { signingKey: "k" };
    const { mark } = await new Browser(options).open(A, undefined, CHALLENGE);
    const cookie = `proxy_host=${A}; proxy_auth=${mark}`;
    expect((await new Browser(options).ask("/", { ...PAGE, cookie, authorization: BASIC_A })).arrived)
      .toBe(BASIC_A);
  });
});

describe("by url", () => {
  it("keep what the address itself says", async () => {
    const fields = { ...PAGE, authorization: BASIC_A };
    const { arrived } = await new Browser().ask(`/__proxy__/?url=http://b:orher@b.test/`, fields);
    expect(arrived).toBe(BASIC_B);
  });

  it.each([
    { value: 'Bearer realm="Basic"', isKept: true },
    { value: "NTLM, Bearer", isKept: false },
  ])("leaves a challenge $value: $isKept", async ({ value, isKept }) => {
    const answer = { status: 401, headers: new Headers({ "www-authenticate": value }) };
    const { response } = await new Browser().ask(`/__proxy__/?url=${A}/`, PAGE, answer);
    expect(response.headers.has("www-authenticate")).toBe(isKept);
  });
});

it("on a label they are of its own origin", async () => {
  const fields = { ...PAGE, host: "h-a-test.w.localhost:8080", authorization: BASIC_A };
  expect((await new Browser().ask("/", fields)).arrived).toBe(BASIC_A);
  expect((await new Browser().ask(`/__proxy__/?url=${B}/`, fields)).arrived).toBeNull();
  expect((await new Browser().ask("/", { ...fields, proxy_host: B })).arrived).toBeNull();
});

const PLAIN = "localhost:8080";
const STORED = "sid=1; proxy_host=https%3A%2F%2Fa.test";

function may(
  fields: Record<string, string | undefined>,
  host: string,
  target: string,
  selector: Target["selector"],
): boolean {
  const described = { origin: new URL(target), path: "/", basePath: "", selector };
  return judgeCookies(exchangeOf({ fields: { host, ...fields } }), described).sendsCookies;
}

describe("another origin", () => {
  it.each([
    { about: "host", target: "https://b.test" },
    { about: "scheme", target: "http://a.test" },
    { about: "port", target: "https://a.test:8443" },
    { about: "subdomain", target: "https://x.a.test" },
    { about: "suffix", target: "https://a.test.evil.test" },
  ])("by its $about does not receive those of the stored host", ({ target }) => {
    expect(may({ cookie: STORED }, PLAIN, target, "url")).toBe(false);
    expect(may({ cookie: STORED, "sec-fetch-site": "same-origin" }, PLAIN, target, "url")).toBe(false);
    expect(may({ cookie: STORED, proxy_host: target }, PLAIN, target, "header")).toBe(false);
  });

  it("does not receive those of a host label's, whatever its pages stored", () => {
    const fields = { cookie: "sid=1; proxy_host=https://b.test", "sec-fetch-site": "same-origin" };
    expect(may(fields, "a-test.w.localhost", "https://b.test", "header")).toBe(false);
    expect(may(fields, "a-test.w.localhost", "https://a.test", "header")).toBe(true);
  });
});

it.each([
  { about: "has no configured host", fields: {}, host: PLAIN },
  { about: "came by a host label", fields: {}, host: "a-test.w.localhost" },
  { about: "named another host in the header", fields: { proxy_host: "https://a.test" }, host: PLAIN },
])(
  "a caller that is no browser and carries no proxy_host cookie sends its cookies to any url, also where it $about",
  ({ fields, host }) => {
    expect(may({ cookie: "sid=1", ...fields }, host, "https://b.test", "url")).toBe(true);
  },
);

it("is false where there are no cookies", () => {
  expect(may({ proxy_host: "https://a.test" }, PLAIN, "https://a.test", "header")).toBe(false);
});
