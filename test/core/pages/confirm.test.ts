/** The page that asks before a link does more than look at a private target. @module */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { createProxy, type Proxy } from "../../../src/index.ts";
import type { Outgoing } from "../../../src/core/runtime.ts";
import { toStandard } from "../../../src/core/http/body.ts";
import { type Fields, incoming, target } from "../../support/handle.ts";
import { typedRows } from "../../support/rows.ts";

const OPENED = { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
const SENT = { ...OPENED, "sec-fetch-site": "same-origin", "origin": "http://localhost:8080" };
const PRIVATE = "http://127.0.0.1:3000/admin";
const POST = { url: PRIVATE, method: "POST", headers: { "x-a": "<b>" }, body: { user: "root" } };

async function open(
  path: string,
  fields: Fields = OPENED,
  proxy: Proxy = createProxy(),
  method = "GET",
  body?: string,
) {
  const { sent, runtime } = target();
  const bytes = body === undefined ? null : new TextEncoder().encode(body);
  const response = await proxy.handle(incoming(path, fields, method, bytes), runtime);
  return { sent, response, text: await response.text() };
}

/** Where the button leads. */
function readAction(text: string): string {
  return (/<form method="post" action="([^"]*)">/.exec(text)?.[1] ?? "").replaceAll("&#38;", "&");
}

const argLink = (fields: Record<string, unknown>) => `/__proxy__/fetch?arg=${encodeArg(fields)}`;
const bodyOf = (outgoing: Outgoing | undefined) => new Response(toStandard(outgoing?.body ?? null)).text();

describe("a link that does more than look", () => {
  const rows: { about: string; link: string; options?: Options }[] = typedRows(["about", "link", "options"], [
    ["a GET with another user agent", argLink({ url: PRIVATE, headers: { "user-agent": "x" } })],
    ["a GET with a password", argLink({ url: "http://a:b@127.0.0.1:3000/" })],
    ["one that the settings open", argLink(POST), { privateTargets: true }],
    ["one that a list opens", argLink(POST), { allowTargets: "127.0.0.1" }],
  ]);
  it.each(rows)("is asked about: $about", async ({ link, options }) => {
    const { sent, response, text } = await open(link, OPENED, createProxy(options));
    expect(sent).toEqual([]);
    expect(response.status).toBe(403);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(readAction(text)).toMatch(/^\/__proxy__\/fetch\?confirm=[\w-]{22}&arg=/);
  });

  it("is sent at once where a page of that very host asks", async () => {
    const fields = {
      ...OPENED,
      "sec-fetch-site": "same-origin",
      "cookie": "proxy_host=http://127.0.0.1:3000",
    };
    expect((await open(argLink(POST), fields)).sent).toHaveLength(1);
    expect((await open(argLink(POST), { ...fields, "sec-fetch-site": "none" })).sent).toHaveLength(0);
  });

  it("is asked about where a redirect leads inside", async () => {
    const { sent, runtime } = target({ status: 307, headers: new Headers({ location: PRIVATE }) });
    const request = incoming(argLink({ ...POST, url: "http://a.test/" }), OPENED);
    const response = await createProxy().handle(request, runtime);
    expect([sent.length, response.status]).toEqual([1, 403]);
    expect(await response.text()).toContain("Send this request?");
  });
});

describe("the page", () => {
  it("shows method, address, fields and body as text", async () => {
    const { text } = await open(argLink(POST));
    expect(text).toContain("<b>POST</b> <code>http://127.0.0.1:3000/admin</code>");
    expect(text).toContain('<th scope="row">x-a</th><td>&#60;b&#62;</td>');
    expect(text).toContain('<th scope="row">content-type</th><td>application/json</td>');
    expect(text).toContain("<pre>{&#34;user&#34;:&#34;root&#34;}</pre>");
    expect(text).not.toContain("content-length");
  });

  it("shows no password of an address, and no more of a text than fits", async () => {
    const { text } = await open(
      argLink({ url: "http://a:pa55@127.0.0.1:3000/", method: "PUT", body: "y".repeat(5_000) }),
    );
    expect(text).not.toContain("pa55");
    expect(text).not.toContain("y".repeat(2_001));
  });

  it("runs nothing, is framed by nobody, and gives no handle to whoever opened it", async () => {
    const { headers } = (await open(argLink(POST))).response;
    expect(headers.get("content-security-policy"))
      .toMatch(/^default-src 'none'; style-src 'nonce-[\w-]+'; form-action 'self'; base-uri 'none'; frame-/);
    expect(headers.get("cross-origin-opener-policy")).toBe("noopener-allow-popups");
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("the button", () => {
  it("sends a form that was posted to `url`", async () => {
    const proxy = createProxy();
    const { sent: before, text } = await open(
      `/__proxy__/?url=${PRIVATE}`,
      { ...SENT, "content-type": "application/x-www-form-urlencoded" },
      proxy,
      "POST",
      "a=1&b=%20",
    );
    expect(before).toEqual([]);
    const { sent } = await open(readAction(text), SENT, proxy, "POST");
    expect([sent[0]?.method, sent[0]?.headers.get("content-type"), await bodyOf(sent[0])])
      .toEqual(["POST", "application/x-www-form-urlencoded", "a=1&b=%20"]);
  });

  it.each(["x".repeat(16_385), "\u00ff"])("is not there for a body that no link holds", async (body) => {
    const { runtime, sent } = target();
    const bytes = body === "\u00ff" ? new Uint8Array([255]) : new TextEncoder().encode(body);
    const request = incoming(`/__proxy__/?url=${PRIVATE}`, SENT, "POST", bytes);
    const response = await createProxy().handle(request, runtime);
    expect([response.status, sent.length]).toEqual([403, 0]);
    expect(await response.json())
      .toMatchObject({ detail: expect.stringMatching(/^Cannot ask the user to confirm: the body /) });
  });

  it("does nothing as a link", async () => {
    const proxy = createProxy();
    const action = readAction((await open(argLink(POST), OPENED, proxy)).text);
    expect((await open(action, OPENED, proxy)).sent).toEqual([]);
  });

  it("does nothing in another proxy, such as one that was started anew, which asks again", async () => {
    const action = readAction((await open(argLink(POST))).text);
    const other = createProxy();
    const { sent, response, text } = await open(action, SENT, other, "POST");
    expect([sent, response.status]).toEqual([[], 403]);
    expect((await open(readAction(text), SENT, other, "POST")).sent).toHaveLength(1);
  });

  it("is for no page of another site", async () => {
    const action = readAction((await open(argLink(POST))).text);
    const fields = { ...SENT, "sec-fetch-site": "cross-site", "origin": "https://evil.test" };
    const { sent, response, text } = await open(action, fields, createProxy(), "POST");
    expect([sent, response.status, readAction(text)]).toEqual([[], 403, ""]);
  });
});
