/**
 * Who may use the forms of other proxies: exactly who may use `/__proxy__/?url=`, and nobody gets more.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { BROWSER } from "../support/browser-fields.ts";
import { FORMS } from "./address-forms.ts";
import { type Answer, fill, type Pool, type Received } from "../support/topic.ts";
import { reply, rowsOnce, useUpstream } from "../support/topic.ts";

const APP = "https://app.test";
const EVIL = "https://evil.test";
const SITE = "sec-fetch-site";
const CROSS = { [SITE]: "cross-site" };
const ASKED = "access-control-request-method";
const PREFLIGHT = { ...BROWSER.elsewhere, [ASKED]: "PUT" };
const WEBSOCKET = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

const SETTINGS = [
  { about: "the defaults", settings: {} },
  { about: "a list of origins", settings: { CORS_ORIGINS: APP } },
  { about: "any origin", settings: { CORS_ORIGINS: "*" } },
  { about: "a token", settings: { PROXY_TOKEN: "s3cret" } },
  { about: "no private targets", settings: { PRIVATE_TARGETS: "false" } },
  { about: "other targets", settings: { ALLOW_TARGETS: "a.test" } },
];

/** The ways to write one address, beside the one that they are compared with. */
const PATHS = [
  { form: "cors-anywhere", path: "/{origin}/r/git-upload-pack" },
  { form: "corsproxy", path: "/?url={encoded}" },
  { form: "corsproxy, raw", path: "/?{origin}/r/git-upload-pack" },
  { form: "scalar", path: "/?scalar_url={encoded}" },
  { form: "git", path: "/{host}/r/git-upload-pack" },
];

const CALLERS = [
  { about: "a program", method: "GET", fields: {} },
  { about: "a program with a cookie", method: "POST", fields: { cookie: "a=1" } },
  { about: "a program with a token", method: "GET", fields: { proxy_token: "s3cret" } },
  { about: "a program with a wrong token", method: "GET", fields: { proxy_token: "x" } },
  { about: "a front proxy", method: "GET", fields: { "x-forwarded-for": "192.0.2.1" } },
  { about: "a rebound name", method: "GET", fields: { host: "evil.test", ...BROWSER.script } },
  { about: "a program of a rebound name", method: "GET", fields: { host: "evil.test" } },
  { about: "a typed address", method: "GET", fields: BROWSER.typed },
  { about: "a link of another site", method: "GET", fields: { ...BROWSER.typed, ...CROSS } },
  { about: "a form of another site", method: "POST", fields: { ...BROWSER.typed, ...CROSS, origin: EVIL } },
  { about: "a form of the user", method: "POST", fields: BROWSER.typed },
  { about: "a frame of another site", method: "GET", fields: { ...BROWSER.frame, ...CROSS } },
  { about: "a script of another site", method: "GET", fields: { ...BROWSER.elsewhere, origin: EVIL } },
  { about: "a script of a listed site", method: "PUT", fields: { ...BROWSER.elsewhere, origin: APP } },
  { about: "a sandboxed script", method: "GET", fields: { ...BROWSER.elsewhere, origin: "null" } },
  { about: "an older browser's script", method: "GET", fields: { origin: EVIL } },
  { about: "a script of the same site", method: "GET", fields: { ...BROWSER.script, [SITE]: "same-site" } },
  { about: "a script of the proxy's origin", method: "GET", fields: BROWSER.script },
  { about: "a blind script", method: "GET", fields: BROWSER.blind },
  { about: "an image", method: "GET", fields: BROWSER.image },
  { about: "an image of another site", method: "GET", fields: { ...BROWSER.image, ...CROSS } },
  { about: "a page of a target", method: "GET", fields: { ...BROWSER.link, referer: "{proxy}/page" } },
  { about: "a prefetch", method: "GET", fields: { ...BROWSER.script, "sec-purpose": "prefetch" } },
  { about: "a service worker", method: "GET", fields: { ...BROWSER.script, "service-worker": "script" } },
  { about: "a browser's password", method: "GET", fields: { ...BROWSER.link, authorization: "Basic dTpw" } },
  { about: "a preflight of another site", method: "OPTIONS", fields: { origin: EVIL, ...PREFLIGHT } },
  { about: "a preflight of a listed site", method: "OPTIONS", fields: { origin: APP, ...PREFLIGHT } },
  { about: "a malformed preflight", method: "OPTIONS", fields: { origin: APP, [ASKED]: "P U T" } },
  { about: "OPTIONS for the proxy", method: "OPTIONS", fields: { "max-forwards": "0" } },
  { about: "TRACE", method: "TRACE", fields: {} },
  { about: "a WebSocket", method: "GET", fields: WEBSOCKET },
  { about: "a WebSocket of another site", method: "GET", fields: { ...WEBSOCKET, origin: EVIL } },
  { about: "half a WebSocket", method: "GET", fields: { ...WEBSOCKET, "Sec-WebSocket-Key": "" } },
];

/** What only one form has, and what differs from request to request. */
const OWN =
  /^(?:date|x-request-url|x-final-url|x-request-id|user-agent|sec-websocket-key|sec-websocket-accept)$/i;
const ONCE = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;

const plain = (text: string) =>
  text.replace(ONCE, "").replace("x-request-url, x-final-url, ", "")
    // Under another host the same path leads to that host.
    .replace(/proxy_host, Cookie(?:, )?/, "").replace(/parameter (?:scalar_)?url|the path/, "");

function verdictOf(answer: Answer, received: readonly Received[]) {
  const readable = (fields: readonly (readonly [string, string])[]) =>
    fields.filter(([name, value]) => !OWN.test(name) && plain(value) !== "")
      .map(([name, value]) => `${name}: ${plain(value)}`).sort();
  return {
    status: answer.status,
    ended: answer.ended,
    text: plain(answer.text),
    fields: readable(answer.headers),
    received: received.map(({ line, headers }) => [line, ...readable(headers)]),
  };
}

export function describeFormCallers(pool: Pool): void {
  describe("a form gives the verdict of url to", () => {
    const cases = rowsOnce(pool.runtime, SETTINGS).flatMap(({ about: rules, settings }) => {
      const proxy = pool.with({ ...FORMS, ...settings });
      return CALLERS.map((caller) => ({ ...caller, rules, proxy }));
    });
    const upstream = useUpstream();
    beforeEach(() => {
      const fields = { "Set-Cookie": "a=1", "WWW-Authenticate": "Basic", "X-Final-Url": "x" };
      upstream.answer = reply(200, fields, "ok");
    });

    it.each(cases)("$about, with $rules: $method", async ({ proxy, method, fields }) => {
      const judge = async (path: string) => {
        upstream.requests.length = 0;
        const encoded = encodeURIComponent(`${upstream.origin}/r/git-upload-pack`);
        const sent = Object.entries(fields).map(([name, value]) =>
          [name, value.replace("{proxy}", proxy.origin)] as const
        );
        const line = `${method} ${fill(path.replace("{encoded}", encoded), upstream)}`;
        return verdictOf(await proxy.call(line, { fields: Object.fromEntries(sent) }), upstream.requests);
      };
      const expected = await judge("/__proxy__/?url={encoded}");
      const judged = [];
      for (const { path } of PATHS) judged.push(await judge(path));
      expect(judged).toEqual(PATHS.map(() => expected));
    });
  });
}
