/**
 * Logins that hold for a connection (NTLM, Negotiate): they serve the connection of the caller that made them, and nobody
 * else (RFC 4559 §6, RFC 9110 §3.3).
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { bindLogins, login, requester, talk } from "../support/bound-login.ts";
import { CERT_FILE, CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { type Connection, open as connect } from "../support/client.ts";
import { fill } from "../support/expect.ts";
import { type Fields, type Header, pairsOf } from "../support/http.ts";
import type { Pool, Shared } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { labelOf } from "../support/ways.ts";
import { acceptOf, HANDSHAKE } from "../support/websocket.ts";
import { waitFor } from "../support/wait.ts";
import { rowsOf } from "../support/rows.ts";

const SELECTORS: { selector: string; line: string; fields: Record<string, string> }[] = [
  { selector: "the header", line: "GET /p", fields: { proxy_host: "{origin}" } },
  { selector: "the cookie", line: "GET /p", fields: { Cookie: "proxy_host={origin}" } },
  { selector: "the label", line: "GET /p", fields: { Host: "{label}.w.localhost" } },
  { selector: "url", line: "GET /__proxy__/?url={origin}/p", fields: {} },
];

/** What of a message binds its connection, and what does not. */
const SCHEMES: { sent?: string; answered?: readonly string[]; status?: number; isBound: boolean }[] = [
  { sent: "NTLM TlRM", isBound: true },
  { sent: "nEgOtIaTe YII=", isBound: true },
  { sent: "NTLM", isBound: true },
  { answered: ["Negotiate"], isBound: true },
  { answered: ["ntlm TlRM"], isBound: true },
  { answered: ['Basic realm="a, b", NTLM'], isBound: true },
  { answered: ["Basic realm=a", "Bearer", "NEGOTIATE"], isBound: true },
  { answered: ["Negotiate oYG="], status: 200, isBound: true },
  { sent: "Basic bnRsbTpudGxt", isBound: false },
  { sent: "Bearer ntlm", answered: ["Digest realm=negotiate"], isBound: false },
];

/** Settings of a proxy that trusts the certificate of the tests, and a proxy in front of it. */
export const FRONTED = {
  NODE_EXTRA_CA_CERTS: CERT_FILE,
  TRUSTED_PROXIES: "127.0.0.1",
  PRIVATE_TARGETS: "true",
};

const HOST: Header = ["Host", "127.0.0.1"];
/** How a browser says whose request it is. */
const BROWSER: Header = ["Sec-Fetch-Site", "same-origin"];

/** Declares the tests. */
export function describeBoundLogins(pool: Pool): void {
  describe("a login that holds for a connection", () => {
    const proxy = pool.with();
    const fronted = pool.with(FRONTED);
    let upstream: Upstream;
    let callers: Connection[];
    beforeEach(async () => {
      upstream = await listen();
      callers = [];
      return () => {
        for (const caller of callers) caller.destroy();
        return upstream.close();
      };
    });
    const hear = async (caller: Connection, requests: readonly Buffer[]) =>
      (await talk(caller, requests)).text;
    const call = async (shared: Shared = proxy) => {
      const caller = await connect(shared.port);
      callers.push(caller);
      return caller;
    };
    const write = (text: string) => fill(text.replace("{label}", labelOf(upstream.origin)), upstream);
    const asking = (line: string, fields: Fields) =>
      requester(write(line), pairsOf(fields).map(([name, value]): Header => [name, write(value)]));
    const byHeader = () => asking("GET /p", { Host: "127.0.0.1", proxy_host: "{origin}" });
    const connections = () => upstream.requests.map(({ connection }) => connection);

    it.each(SELECTORS)("made by $selector serves its caller, nobody else, and ends with it", async (row) => {
      bindLogins(upstream);
      const ask = asking(row.line, { Host: `127.0.0.1:${proxy.port}`, ...row.fields });
      const alice = await call();
      expect(await hear(alice, [...login("alice", ask), ask()])).toBe("hello alice");
      expect(await hear(await call(), [ask()])).toBe("who?");
      expect(await hear(alice, [ask()])).toBe("hello alice");
      expect(connections()).toEqual([1, 1, 1, 2, 1]);
      alice.destroy();
      expect(await upstream.requests[0]!.gone).toBeGreaterThan(0);
    });

    it.each(SCHEMES)("$sent, answered with $status $answered: bound is $isBound", async (row) => {
      const { sent, answered = [], status = 401, isBound } = row;
      upstream.answer = reply(status, answered.map((value): Header => ["WWW-Authenticate", value]), "x");
      const fields: Fields = { Authorization: sent };
      await talk(await call(), [byHeader()(fields)]);
      await talk(await call(), [byHeader()()]);
      expect(connections()).toEqual([1, isBound ? 2 : 1]);
    });

    it("is one for each of two callers who log in at the same time", async () => {
      bindLogins(upstream);
      const [bob, carol] = [await call(), await call()];
      const [[bob1, bob3], [carol1, carol3]] = [login("bob", byHeader()), login("carol", byHeader())];
      await talk(bob, [bob1!]);
      await talk(carol, [carol1!]);
      expect(await hear(bob, [bob3!])).toBe("hello bob");
      expect(await hear(carol, [carol3!])).toBe("hello carol");
      expect(connections()).toEqual([1, 2, 1, 2]);
    });

    it("ends with a caller who leaves in the middle of a response", async () => {
      bindLogins(upstream, () => (_request, socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\nbegun"));
      const alice = await call();
      const [first, second] = login("alice", byHeader());
      await talk(alice, [first!]);
      alice.write(second!);
      await alice.until("begun");
      alice.destroy();
      expect(await upstream.requests[1]!.gone).toBeGreaterThan(0);
    });

    it("ends with the connection to the target, and the caller may begin anew", async () => {
      bindLogins(upstream);
      const alice = await call();
      await talk(alice, login("alice", byHeader()));
      const { gone } = upstream.requests[1]!;
      upstream.cut();
      await gone;
      await waitFor(async () => expect(await hear(alice, [byHeader()()])).toBe("who?"));
      expect(await hear(alice, login("alice", byHeader()))).toBe("hello alice");
    });

    it("is no other user's of the same front proxy", async () => {
      bindLogins(upstream);
      const from = (address: string) =>
        asking("GET /p", { Host: "127.0.0.1", proxy_host: "{origin}", "X-Forwarded-For": address });
      const front = await call(fronted);
      expect(await hear(front, login("alice", from("192.0.2.1")))).toBe("hello alice");
      expect(await hear(front, [from("192.0.2.2")()])).toBe("who?");
      expect(await hear(front, [from("192.0.2.1")()])).toBe("hello alice");
    });

    it("is not taken along by a redirect to another host", async () => {
      const other = await listen();
      bindLogins(other);
      upstream.answer = routes({ "/away": reply(302, { Location: `${other.origin}/p` }) });
      const alice = await call(fronted);
      const away = asking("GET /__proxy__/?url={origin}/away", { Host: "127.0.0.1" });
      const direct = requester("GET /p", { Host: "127.0.0.1", proxy_host: other.origin });
      expect(await hear(alice, login("alice", direct))).toBe("hello alice");
      expect(await hear(alice, [away()])).toBe("who?");
      expect(await hear(alice, [direct()])).toBe("hello alice");
      await other.close();
    });

    it.each(
      [
        { page: "by url", line: "GET /__proxy__/?url={origin}/p", fields: [] },
        { page: "by arg", line: "GET /__proxy__/fetch?arg={arg}", fields: [] },
        {
          page: "under another host",
          line: "GET /p",
          fields: [["Cookie", "proxy_host=http://127.0.0.1:1"], ["proxy_host", "{origin}"]],
        },
        { page: "without the note of its host", line: "GET /p", fields: [["Cookie", "proxy_host={origin}"]] },
      ] satisfies { page: string; line: string; fields: Header[] }[],
    )(
      "of a browser is for the host that asked: a page's request $page goes without it",
      async ({ line, fields }) => {
        bindLogins(upstream);
        const browser = await call(fronted);
        const host = (more: Header[]) =>
          asking("GET /p", [HOST, BROWSER, ...more, ["proxy_host", "{origin}"]]);
        const chosen = "proxy_host={origin}";
        const asked = await talk(browser, [host([["Cookie", chosen]])()]);
        const [note = ""] = asked.header("set-cookie")?.split(";") ?? [];
        const noted = host([["Cookie", `${chosen}; ${note}`]]);
        expect(await hear(browser, [...login("alice", noted), noted()])).toBe("hello alice");
        const arg = argOf({ url: `${upstream.origin}/p` });
        const stray = asking(line.replace("{arg}", arg), [HOST, BROWSER, ...fields]);
        expect(await hear(browser, [stray()])).toBe("who?");
        expect(await hear(browser, [noted()])).toBe("hello alice");
      },
    );

    it("may be that of a WebSocket, and goes on with it", async () => {
      bindLogins(upstream, () => (request, socket) =>
        void socket.write(
          "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
            `Sec-WebSocket-Accept: ${acceptOf(request.header("sec-websocket-key") ?? "")}\r\n\r\nframe`,
        ));
      const handshake = asking("GET /p", { Host: "127.0.0.1", proxy_host: "{origin}", ...HANDSHAKE });
      const alice = await call();
      expect(await talk(alice, login("alice", handshake))).toMatchObject({ status: 101 });
      await alice.until("frame");
      expect(connections()).toEqual([1, 1]);
      alice.destroy();
      expect(await upstream.requests[0]!.gone).toBeGreaterThan(0);
    });

    it.each(rowsOf(["scheme", "options", "named"], [
      ["http", {}, "{origin}"],
      ["https", { tls: { cert: CERTIFICATE, key: PRIVATE_KEY } }, "https://localhost:{port}"],
    ]))("holds for a WebSocket that follows, by $scheme", async ({ options, named }) => {
      await upstream.close();
      upstream = await listen(options);
      bindLogins(upstream);
      const alice = await call(fronted);
      const fields = { Host: "127.0.0.1", proxy_host: named };
      expect(await hear(alice, login("alice", asking("GET /p", fields)))).toBe("hello alice");
      const handshake = asking("GET /p", { ...fields, ...HANDSHAKE });
      upstream.answer = (request, socket) => {
        const accept = acceptOf(request.header("sec-websocket-key") ?? "");
        socket.write(
          "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
            `Sec-WebSocket-Accept: ${accept}\r\n\r\nfirst`,
        );
        socket.removeAllListeners("data").on("data", (bytes) => socket.write(bytes));
      };
      expect(await talk(alice, [handshake()])).toMatchObject({ status: 101 });
      alice.write("echoed");
      await alice.until("firstechoed");
      expect(connections()).toEqual([1, 1, 1]);
      alice.destroy();
      expect(await upstream.requests[0]!.gone).toBeGreaterThan(0);
    });
  });
}
