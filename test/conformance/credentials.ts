/**
 * User and password in an address: they become `Authorization`, and show nowhere.
 * @module
 */
import { describe, expect, it } from "vitest";
import { NOWHERE } from "../support/nowhere.ts";
import type { Header, Pool, Received, Selector, Upstream } from "../support/topic.ts";
import { argOf, ask, reply, routes, rowsWith, useTarget, useUpstream } from "../support/topic.ts";

const BASIC = `Basic ${btoa("user:p4ssw0rd")}`;
const ON_A_LABEL = "on a label, which is one host's, pass";
const BROWSER: Header = ["Sec-Fetch-Site", "same-origin"];

/** Credentials that browsers keep and send by themselves. */
const OF_REQUESTS = [
  { scheme: "Basic", credentials: BASIC },
  { scheme: "Digest", credentials: 'Digest username="user", response="p4ssw0rd"' },
];
/** Those that log a whole connection in. */
const OF_CONNECTIONS = [
  { scheme: "Negotiate", credentials: "Negotiate p4ssw0rd" },
  { scheme: "NTLM", credentials: "ntlm p4ssw0rd" },
];

export function describeCredentials(pool: Pool): void {
  // What a browser sends to whatever host stands at the proxy's origin goes to the one that asked for it.
  describe("credentials that a browser sends by itself", () => {
    const { proxy, upstream, askBy } = useTarget(pool);
    const open = pool.with({ PRIVATE_TARGETS: "true" });
    const other = useUpstream();
    const noted = (cookies: string[]) =>
      cookies.map((line) => /^(proxy_auth=[^;]+); Path=\/; HttpOnly; SameSite=Lax$/.exec(line)?.[1] ?? line);
    const shown = (requests: readonly Received[]) =>
      requests.map((request) => request.header("authorization"));
    const send = (target: Upstream, credentials: string | undefined, cookie: string | undefined) =>
      ask(proxy, "cookie", target.origin, "GET /p", {
        fields: { "Sec-Fetch-Site": "same-origin", Authorization: credentials, Cookie: cookie },
      });
    const challenge = (scheme: string) => reply(401, { "WWW-Authenticate": `${scheme} realm="a"` });

    it.each(
      [...OF_REQUESTS, ...OF_CONNECTIONS].flatMap((row) =>
        (["header", "cookie", "url", "at"] satisfies Selector[]).map((selector) => ({ ...row, selector }))
      ),
    )("stay here where no target asked: $scheme by $selector", async ({ credentials, selector }) => {
      const fields: Header[] = [BROWSER, ["Authorization", credentials]];
      expect((await ask(open, selector, upstream.origin, "GET /p", { fields })).status).toBe(200);
      expect(upstream.request.head).not.toContain("p4ssw0rd");
      expect(shown(upstream.requests)).toEqual([undefined]);
    });

    it.each([...OF_REQUESTS, ...rowsWith(pool.runtime, "connections of its own", OF_CONNECTIONS)])(
      "go to the host that asked, and to no other: $scheme",
      async ({ scheme, credentials }) => {
        upstream.answer = challenge(scheme);
        const asked = await send(upstream, undefined, undefined);
        expect(asked.header("www-authenticate")).toBe(`${scheme} realm="a"`);
        const [note] = noted(asked.headersNamed("set-cookie"));
        expect(note).toMatch(/^proxy_auth=[\w-]{22}$/);
        await send(upstream, credentials, note);
        await send(other, credentials, note);
        expect(shown(upstream.requests)).toEqual([undefined, credentials]);
        expect(shown(other.requests)).toEqual([undefined]);
        expect(other.request.head).not.toContain("proxy_auth");
      },
    );

    it("that one host took go to no other that asks later", async () => {
      upstream.answer = challenge("Basic");
      const [asked] = noted((await send(upstream, undefined, undefined)).headersNamed("set-cookie"));
      upstream.answer = reply(200, {}, "in");
      const [taken] = noted((await send(upstream, BASIC, asked)).headersNamed("set-cookie"));
      expect(taken).toMatch(/^proxy_auth=[\w-]{22}~[\w-]{22}\.[\w-]{22}$/);
      other.answer = challenge("Basic");
      const [both] = noted((await send(other, BASIC, taken)).headersNamed("set-cookie"));
      await send(other, BASIC, both);
      expect(shown(other.requests)).toEqual([undefined, undefined]);
      await send(upstream, BASIC, both);
      expect(shown(upstream.requests)).toEqual([undefined, BASIC, BASIC]);
    });

    it("go to the stored host by url once it asked, and to no other", async () => {
      upstream.answer = challenge("Basic");
      const [note] = noted((await send(upstream, undefined, undefined)).headersNamed("set-cookie"));
      const cookie: Header = ["Cookie", `proxy_host=${upstream.origin}; ${note}`];
      const fields: Header[] = [BROWSER, ["Authorization", BASIC], cookie];
      await ask(open, "url", upstream.origin, "GET /p", { fields });
      await ask(open, "url", other.origin, "GET /p", { fields });
      // The mark is of one proxy.
      expect(shown(upstream.requests)).toEqual([undefined, undefined]);
      await askBy("url", "GET /p", { fields });
      expect(shown(upstream.requests)).toEqual([undefined, undefined, BASIC]);
      expect(shown(other.requests)).toEqual([undefined]);
    });

    it("are noted by nobody else: a made-up mark is none", async () => {
      await send(upstream, BASIC, `proxy_auth=${"A".repeat(22)}`);
      expect(shown(upstream.requests)).toEqual([undefined]);
    });

    it.each<{ about: string; selector: Selector; fields: Header[]; credentials: string }>([
      { about: "of another scheme pass", selector: "cookie", fields: [BROWSER], credentials: "Bearer t" },
      { about: "of a program pass", selector: "cookie", fields: [], credentials: BASIC },
      { about: "of a program pass by url", selector: "url", fields: [], credentials: BASIC },
      { about: "of a program pass by at", selector: "at", fields: [], credentials: BASIC },
      { about: ON_A_LABEL, selector: "label", fields: [BROWSER], credentials: BASIC },
    ])("$about", async ({ selector, fields, credentials }) => {
      const sent: Header[] = [...fields, ["Authorization", credentials]];
      await askBy(selector, "GET /p", { fields: sent });
      expect(shown(upstream.requests)).toEqual([credentials]);
    });
  });

  // A challenge makes a browser ask its user for a password, on an origin that is everybody's.
  describe("a challenge", () => {
    const { proxy, upstream, askBy } = useTarget(pool, { PRIVATE_TARGETS: "true" });

    it.each<{ selector: Selector; fields: Header[]; value: string; arrives: boolean }>([
      ...["Basic realm=a", "Digest nonce=x", "Negotiate", "NTLM", "Bearer, Basic realm=a"].map((value) => ({
        selector: "url" as const,
        fields: [BROWSER],
        value,
        arrives: false,
      })),
      { selector: "url", fields: [BROWSER], value: "Bearer realm=a", arrives: true },
      { selector: "url", fields: [], value: "Basic realm=a", arrives: true },
      { selector: "cookie", fields: [BROWSER], value: "Basic realm=a", arrives: true },
      { selector: "label", fields: [BROWSER], value: "Basic realm=a", arrives: true },
    ])("by $selector to $fields: $value → $arrives", async ({ selector, fields, value, arrives }) => {
      upstream.answer = reply(401, { "WWW-Authenticate": value }, "who?");
      const answer = await askBy(selector, "GET /p", { fields });
      expect(answer).toMatchObject({ status: 401, text: "who?" });
      expect(answer.header("www-authenticate")).toBe(arrives ? value : undefined);
    });

    it.each([{ site: "same-origin", arrives: false }, { site: undefined, arrives: true }])(
      "by arg to site $site → $arrives",
      async ({ site, arrives }) => {
        upstream.answer = reply(401, { "WWW-Authenticate": "Basic realm=a" });
        const line = `GET /__proxy__/fetch?arg=${argOf({ url: `${upstream.origin}/p` })}`;
        const answer = await proxy.call(line, { fields: { "Sec-Fetch-Site": site } });
        expect(answer.status).toBe(401);
        expect(answer.header("www-authenticate")).toBe(arrives ? "Basic realm=a" : undefined);
        expect(answer.headersNamed("set-cookie")).toEqual([]);
      },
    );
  });

  describe("?url= with user and password", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each([
      { userinfo: "user:p4ssw0rd", credentials: "user:p4ssw0rd" },
      { userinfo: "us%40er:p%3Ass%2Fword", credentials: "us@er:p:ss/word" },
      { userinfo: "user", credentials: "user:" },
      { userinfo: ":p4ssw0rd", credentials: ":p4ssw0rd" },
      { userinfo: "%C3%BCser:p", credentials: "üser:p" },
    ])("makes Authorization of $userinfo", async ({ userinfo, credentials }) => {
      const answer = await proxy.call(`GET /__proxy__/?url=http://${userinfo}@${upstream.host}/p`);
      expect(answer.status).toBe(200);
      expect(upstream.request.header("authorization"))
        .toBe(`Basic ${Buffer.from(credentials).toString("base64")}`);
      expect(upstream.request.header("host")).toBe(upstream.host);
      expect(upstream.request.target).toBe("/p");
    });

    it("leaves a given Authorization alone", async () => {
      const fields = { Authorization: "Bearer own" };
      await proxy.call(`GET /__proxy__/?url=http://user:p4ssw0rd@${upstream.host}/p`, { fields });
      expect(upstream.request.headersNamed("authorization")).toEqual(["Bearer own"]);
    });

    it("shows them in no answer and no log", async () => {
      upstream.answer = routes({ "/p": reply(302, { Location: "/end" }), "/end": reply(200, {}, "end") });
      const answers = [
        await proxy.call(`GET /__proxy__/?url=http://user:p4ssw0rd@${upstream.host}/p`),
        await proxy.call(`GET /__proxy__/?url=http://user:p4ssw0rd@${NOWHERE}/p`),
        await proxy.call(`GET /__proxy__/?url=ftp://user:p4ssw0rd@${NOWHERE}/p`),
      ];
      const shown = answers.map((answer) => answer.raw.toString("latin1")).join();
      expect(shown).not.toMatch(/p4ssw0rd|dXNlcjpwNHNzdzByZA/);
      expect(proxy.proxy.stdout() + proxy.proxy.stderr()).not.toMatch(/p4ssw0rd|dXNlcjpwNHNzdzByZA/);
    });
  });
}
