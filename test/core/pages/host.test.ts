/**
 * `/__proxy__/?host=`: what is stored, what is expired, where it leads on, and who may ask for it.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Options } from "../../../src/core/settings/config.ts";
import { createProxy, type Proxy } from "../../../src/index.ts";
import type { Incoming } from "../../../src/core/runtime.ts";
import { type Fields, incoming, target } from "../../support/handle.ts";
import { rowsOf, typedRows, words } from "../../support/rows.ts";
import { expireCookies } from "../../../src/core/pages/host.ts";

const ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Lax; Max-Age=";
const YEAR = `${ATTRIBUTES}31536000`;

const ask = (request: Incoming) => createProxy().handle(request, target().runtime);

describe("host", () => {
  it.each([
    { host: "https://b.test", site: "same-origin", status: 403 },
    { host: "https://a.test", site: "same-origin", status: 200 },
    { host: "", site: "same-origin", status: 200 },
    { host: "https://b.test", site: undefined, status: 200 },
  ])("on the label of https://a.test $host is a $status for $site", async ({ host, site, status }) => {
    const fields = { "host": "a-test.w.localhost:8080", ...(site && { "sec-fetch-site": site }) };
    expect((await ask(incoming(`/__proxy__/?host=${host}`, fields))).status).toBe(status);
  });
});

describe("then", () => {
  it.each([
    { then: "%2Fnext%3Fa%3D1%23b", location: "http://localhost:8080/next?a=1#b" },
    { then: "/x", location: "http://localhost:8080/x" },
    { then: "%2F%2Fevil.test%2F", location: "http://localhost:8080//evil.test/" },
    { then: "/%5Cevil.test", location: "http://localhost:8080/\\evil.test" },
    { then: "/a%0D%0Ab%00%20%C3%A9", location: "http://localhost:8080/a%0D%0Ab%00%20%C3%A9" },
  ])("$then leads on to $location, and stores the host", async ({ then, location }) => {
    const fields = { cookie: "proxy_host=https://a.test/v1" };
    const response = await ask(incoming(`/__proxy__/?host=https://a.test&then=${then}`, fields));
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(location);
    expect(new URL(response.headers.get("location") ?? "").origin).toBe("http://localhost:8080");
    expect(response.headers.getSetCookie()).toEqual([`proxy_host=https%3A%2F%2Fa.test${YEAR}`]);
  });

  it.each([
    ...words`https://evil.test/ evil.test javascript:alert(1) %5C%5Cevil.test %09//evil.test %zz
      %2F__proxy__%2F%3Fhost%3Dhttps%3A%2F%2Fevil.test /__proxy__ /__proxy__%23f /x/%252e%252E/__proxy__/
      /x/../__proxy__/ /%5C..%5C__proxy__/`,
    "",
  ])("%s leads nowhere", async (then) => {
    const fields = { cookie: "proxy_host=https://a.test/v1" };
    const response = await ask(incoming(`/__proxy__/?host=https://a.test&then=${then}`, fields));
    expect(response.headers.has("location")).toBe(false);
    expect(await response.json()).toEqual({ host: "https://a.test", status: true });
  });
});

const TYPED = { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const OWN = { "sec-fetch-site": "same-origin" };
const SCRIPT = { ...OWN, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
const WINDOW = { ...OWN, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

/** A browser at the plain origin: it keeps the cookies of the proxy. */
class Browser {
  readonly #proxy: Proxy;
  readonly #cookies = new Map<string, string>();

  constructor(options: Options = {}) {
    this.#proxy = createProxy(options);
  }

  async open(path: string, fields: Fields, location?: string): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers(location === undefined ? {} : { location });
    const { runtime: lent } = target({ status: location === undefined ? 200 : 302, headers });
    const resolve = (name: string) =>
      Promise.resolve([name === "inside.test" ? "10.1.2.3" : "93.184.215.14"]);
    const runtime = { ...lent, resolve };
    const response = await this.#proxy.handle(
      incoming(path, { ...fields, ...(cookie && { cookie }) }),
      runtime,
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  /** Puts a cookie there, as a script does. */
  plant(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  get host(): string | undefined {
    const value = this.#cookies.get("proxy_host");
    return value && decodeURIComponent(value);
  }
}

const EVIL = "http://evil.test";
const INSIDE = "http://127.0.0.1:3000";
const set = (host: string) => `/__proxy__/?host=${encodeURIComponent(host)}`;

async function browserAt(host: string, options?: Options): Promise<Browser> {
  const browser = new Browser(options);
  await browser.open(set(host), TYPED);
  return browser;
}

describe("in a browser", () => {
  it.each([{ options: {} }, { options: { privateTargets: false } }])(
    "the console does, by what its page was given: $options",
    async ({ options }) => {
      const browser = await browserAt(EVIL, options);
      const page = await (await browser.open("/__proxy__/", { ...TYPED, accept: "text/html" })).text();
      const facts = /<meta name="fetchvia" content="([^"]*)"/.exec(page)?.[1] ?? "";
      const { ticket, proof } = JSON.parse(
        facts.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
      );
      expect(
        (await browser.open(set("http://a.test"), { ...SCRIPT, "x-fetchvia-ticket": ticket ?? proof }))
          .status,
      ).toBe(200);
      expect(browser.host).toBe("http://a.test");
      const form = /name="proof" value="([^"]*)"/.exec(page)?.[1] ?? "";
      const answer = await browser.open(`${set("http://b.test")}&then=%2F__proxy__%2F&proof=${form}`, WINDOW);
      expect([answer.status, answer.headers.get("location")])
        .toEqual([303, "http://localhost:8080/__proxy__/"]);
      expect((await new Browser(options).open(`${set(EVIL)}&proof=${form}`, WINDOW)).status).toBe(403);
    },
  );

  it("nothing public leads into your network", async () => {
    const browser = await browserAt(EVIL);
    const link = (await browser.open("/", WINDOW, `${INSIDE}/`)).headers.get("location") ?? "";
    const answer = await browser.open(link, WINDOW);
    expect(answer.status).toBe(403);
    expect(await answer.json())
      .toMatchObject({ detail: expect.stringMatching(/^Cannot go on to 127\.0\.0\.1:3000: evil/) });
    expect(browser.host).toBe(EVIL);
  });

  const WAYS: { from: string; to: string; options?: Options; status: number }[] = typedRows(
    ["from", "to", "status", "options"],
    [
      [EVIL, "http://93.184.215.14", 303],
      ["http://93.184.215.14", INSIDE, 403],
      [EVIL, "http://public.test", 303, { proxyLabels: { p: "http://public.test" } }],
      [EVIL, "http://inside.test", 403, { proxyLabels: { p: "http://inside.test" } }],
      [EVIL, "http://inside.test", 403, { privateTargets: "auto,inside.test" }],
      ["http://public.test", INSIDE, 303, { proxyLabels: { p: "http://public.test" } }],
      [EVIL, INSIDE, 303, { privateTargets: true }],
    ],
  );
  it.each(WAYS)("$from leads to $to with $options: $status", async ({ from, to, options, status }) => {
    const browser = await browserAt(from, options);
    const link = (await browser.open("/", WINDOW, `${to}/x`)).headers.get("location") ?? "";
    expect((await browser.open(link, WINDOW)).status).toBe(status);
  });

  it("but back to where it came from, once, as a login does", async () => {
    const browser = await browserAt(INSIDE);
    const out = (await browser.open("/login", WINDOW, "https://idp.test/auth")).headers.get("location") ?? "";
    await browser.open(out, WINDOW);
    expect(browser.host).toBe("https://idp.test");
    const back = (await browser.open("/auth", WINDOW, `${INSIDE}/callback?code=1`)).headers.get("location") ??
      "";
    const answer = await browser.open(back, WINDOW);
    expect(answer.headers.get("location")).toBe("http://localhost:8080/callback?code=1");
    expect(browser.host).toBe(INSIDE);
    await browser.open(set("https://idp.test"), TYPED);
    const again = (await browser.open("/", WINDOW, `${INSIDE}/`)).headers.get("location") ?? "";
    expect((await browser.open(again, WINDOW)).status).toBe(403);
  });
});

function expire(cookie: string | null, options: Partial<Parameters<typeof expireCookies>[2]> = {}): Headers {
  const headers = new Headers();
  expireCookies(headers, cookie, { mountPath: "", isSecure: false, isAll: false, ...options });
  return headers;
}

const gone = (name: string, path = "/", rest = "") => `${name}=; Path=${path}; HttpOnly; Max-Age=0${rest}`;

describe("expireCookies", () => {
  it.each(rowsOf(["cookie", "lines"], [
    [null, []],
    ["proxy_host=http://a.test; proxy_token=t", []],
    ["a=1; b=2; a=3", [gone("a"), gone("b")]],
    ["nameless", []],
    ["proxy_at_x~sid=1; proxy_auth=m", []],
    ["a=1; proxy_set_ui~!2Fapp=1", [gone("ui", "/app"), gone("proxy_set_ui~!2Fapp"), gone("a")]],
  ]))("$cookie: $lines", ({ cookie, lines }) => expect(expire(cookie).getSetCookie()).toEqual(lines));

  it("knows where the proxy is mounted, and over https the cookies that are partitioned too", () =>
    expect(expire("a=1", { mountPath: "/p", isSecure: true }).getSetCookie())
      .toEqual([gone("a", "/p", "; Secure"), gone("a", "/p", "; Secure; Partitioned")]));

  it.each(rowsOf(["count", "isSecure", "lines", "told"], [
    [49, false, 49, null],
    [50, false, 49, 'fetchvia; details="1 cookies are left: ask again"'],
    [24, true, 48, null],
    [26, true, 48, 'fetchvia; details="2 cookies are left: ask again"'],
  ]))("writes $lines lines for $count cookies, and tells of the others: $told", (row) => {
    const headers = expire(Array.from({ length: row.count }, (_, at) => `c${at}=1`).join("; "), row);
    expect(headers.getSetCookie()).toHaveLength(row.lines);
    expect(headers.get("proxy-status")).toBe(row.told);
  });
});
