/**
 * WebSockets, the handshake: who may ask, what the target gets, and what it answers.
 * @module
 */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { open as connect, request } from "../support/client.ts";
import { describe, expect, it } from "vitest";
import type { Pool, Shared, Upstream } from "../support/topic.ts";
import { acceptOf, Acceptor, argOf, declareWith, expectError, fill, handshake } from "../support/topic.ts";
import { rowsOf } from "../support/topic.ts";
import { alike, join, KEY, raw, reply, setCookiesOf, silence, useUpstream } from "../support/topic.ts";

type Values = Readonly<Record<string, string | undefined>>;

const SELECTORS = [
  { about: "the header", path: "/p?q=%7E", fields: { proxy_host: "{origin}" } },
  { about: "the header's alias", path: "/p?q=%7E", fields: { "proxy-host": "{origin}" } },
  { about: "the cookie", path: "/p?q=%7E", fields: { Cookie: "proxy_host={origin}" } },
  { about: "the label", path: "/p?q=%7E", fields: { Host: "{label}.w.localhost" } },
  { about: "a base path", path: "/c?q=%7E", fields: { proxy_host: "{origin}/b" }, arrives: "/b/c?q=%7E" },
  { about: "at", path: "/__proxy__/at/{label}/p?q=%7E", fields: {} },
  { about: "url with http:", path: "/__proxy__/?url=http://{host}/p?q=%7E", fields: {} },
  { about: "url with ws:", path: "/__proxy__/?url=ws://{host}/p?q=%7E", fields: {} },
  { about: "url with WS:", path: "/__proxy__?url=WS://{host}/p?q=%7E", fields: {} },
  { about: "url encoded", path: "/__proxy__/?x=1&url=ws%3A%2F%2F{host}%2Fp%3Fq%3D%257E&y=2", fields: {} },
];

const NAMED: Values = { proxy_host: "{origin}" };
const NONE: Values = {};
const REFUSALS: { path: string; fields: Values; status: number }[] = [
  ...alike("path", { fields: NONE, status: 400 })`
    / /__proxy__/?host={origin} /__proxy__/fetch?url={origin} /__proxy__/health /__proxy__/metrics
    /__proxy__/traffic /__proxy__/console.js /__proxy__/?url= /__proxy__/?url=ftp://{host}/`,
  ...alike("path", { fields: NAMED, status: 400 })`
    /__proxy__/ /__proxy__/fetch?arg={arg} /__proxy__/health?x=1 /__proxy__/nope`,
  { path: "/", fields: { proxy_host: "ws://{host}" }, status: 400 },
  { path: "/__proxy__/?url=ws://169.254.169.254/", fields: {}, status: 403 },
  { path: "/__proxy__/?url=ws://{own}/", fields: {}, status: 508 },
];

const HANDSHAKES: { about: string; fields: Values; line?: string }[] = [
  { about: "another version", fields: { "Sec-WebSocket-Version": "8" } },
  { about: "no version", fields: { "Sec-WebSocket-Version": undefined } },
  { about: "no key", fields: { "Sec-WebSocket-Key": undefined } },
  { about: "a short key", fields: { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ" } },
  { about: "no Connection: Upgrade", fields: { Connection: "keep-alive" } },
];

/** Where a handshake is redirected to: programs follow with the same selector, and with a socket where the target wants one. */
const REDIRECTS = rowsOf(["about", "location", "arrives"], [
  ["the header", "/next", "/next"],
  ["the header", "ws://{host}/next", "/next"],
  ["the header", "wss://other.test/next", "wss://other.test/next"],
  ["a base path", "/b/next", "/next"],
  ["the label", "ws://{host}/next?x", "/next?x"],
  ["at", "ws://{host}/next?x", "/__proxy__/at/{label}/next?x"],
  ["the cookie", "http://other.test/x", "{proxy}/__proxy__/?url=http%3A%2F%2Fother.test%2Fx"],
  ["the cookie", "ws://other.test/x", "{sockets}/__proxy__/?url=http%3A%2F%2Fother.test%2Fx"],
  ["url with ws:", "wss://other.test/x", "{sockets}/__proxy__/?url=https%3A%2F%2Fother.test%2Fx"],
  ["url with ws:", "ws://{own}/__proxy__/console/", "{sockets}/__proxy__/?url={own%}"],
]);

const ANSWERS = rowsOf(["about", "bytes"], [
  ["200", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
  ["204", "HTTP/1.1 204 No\r\n\r\n"],
  ["a bare 101", "HTTP/1.1 101 Switching\r\n\r\n"],
  ["101 to h2c", "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"],
  ["101 without Accept", "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"],
  ["nonsense", "hello\r\n\r\n"],
]);

const EXTENSIONS = "Sec-WebSocket-Extensions";
const MISFITS: { about: string; fields: Values; offered?: Values }[] = [
  { about: "a subprotocol nobody offered", fields: { "Sec-WebSocket-Protocol": "other" } },
  { about: "an extension nobody offered", fields: { "Sec-WebSocket-Extensions": "permessage-deflate" } },
  {
    about: "another extension than was offered",
    fields: { [EXTENSIONS]: "x-foo" },
    offered: { [EXTENSIONS]: "permessage-deflate" },
  },
  { about: "a wrong Accept", fields: { "Sec-WebSocket-Accept": acceptOf("other") } },
];

/** For whoever names a front, which reaches public targets only by default, and for handshakes that take long. */
const OPEN = { PRIVATE_TARGETS: "true", TIMEOUT_MS: "3000" };

export function describeWebSockets(pool: Pool): void {
  const proxy = pool.with();
  const open = pool.with(OPEN);
  const upstream = useUpstream();
  const { write, filled } = writers(proxy, upstream);

  describe("a handshake", () => {
    it.each(SELECTORS)("is joined by $about", async ({ path, fields, arrives = "/p?q=%7E" }) => {
      const target = new Acceptor(upstream);
      const { caller, head } = await join(proxy.port, write(path), filled(fields));
      expect(head.header("sec-websocket-accept")).toBe(acceptOf(KEY));
      expect(target.request.target).toBe(arrives);
      target.peers[0]!.echo();
      caller.text("hello");
      expect(await caller.next()).toEqual({ text: "hello" });
      caller.socket.destroy();
    });

    it("ends in the target as the caller's own, without what ends here", async () => {
      const accepted = { "Sec-WebSocket-Protocol": "b", "Set-Cookie": "t=1; Domain=x.test" };
      const target = new Acceptor(upstream, accepted);
      const { caller, head } = await join(open.port, "/", {
        proxy_host: upstream.origin,
        Connection: "keep-alive, Upgrade, X-Hop",
        "X-Hop": "1",
        "X-Kept": "1",
        "X-Forwarded-For": "1.2.3.4",
        "Proxy-Authorization": "Bearer x",
        Authorization: "Bearer x.y",
        Cookie: `proxy_host=${encodeURIComponent(upstream.origin)}; a=1; proxy_token=t`,
        Origin: open.origin,
        Referer: `${open.origin}/page`,
        "Sec-WebSocket-Protocol": "a,b",
      });
      const { request } = target;
      const kept = [
        "X-Kept",
        "Authorization",
        "Cookie",
        "Origin",
        "Referer",
        "Host",
        "Sec-WebSocket-Protocol",
      ];
      expect(kept.map((name) => request.header(name))).toEqual([
        "1",
        "Bearer x.y",
        "a=1",
        upstream.origin,
        `${upstream.origin}/page`,
        upstream.host,
        "a,b",
      ]);
      const gone = [
        "X-Hop",
        "X-Forwarded-For",
        "Proxy-Authorization",
        "proxy_host",
        "Sec-WebSocket-Extensions",
      ];
      expect(gone.map((name) => request.header(name))).toEqual(gone.map(() => undefined));
      expect(request.header("connection")).toMatch(/^upgrade$/i);
      expect(request.header("sec-websocket-key")).not.toBe(KEY);
      expect(head.headersNamed("sec-websocket-protocol")).toEqual(["b"]);
      expect(head.headersNamed("sec-websocket-accept")).toHaveLength(1);
      expect(head.header("set-cookie")).toBe("t=1");
      caller.socket.destroy();
    });

    it.each([
      { about: "the first", offered: "p1, p2", chosen: "p1" },
      { about: "the last", offered: "p1, p2", chosen: "p2" },
      { about: "the last, without a space", offered: "p1,p2", chosen: "p2" },
      { about: "none", offered: "p1, p2", chosen: undefined },
      { about: "none of none", offered: undefined, chosen: undefined },
    ])("leaves the subprotocol to the target: $about", async ({ offered, chosen }) => {
      const target = new Acceptor(upstream, { "Sec-WebSocket-Protocol": chosen });
      const fields = { proxy_host: upstream.origin, "Sec-WebSocket-Protocol": offered };
      const { head, caller } = await join(proxy.port, "/", fields);
      expect(head.header("sec-websocket-protocol")).toBe(chosen);
      expect(target.request.header("sec-websocket-protocol")).toBe(offered);
      caller.socket.destroy();
    });

    it.each(MISFITS)("that the target answers with $about is 502", async ({ fields, offered }) => {
      new Acceptor(upstream, fields);
      const all = handshake({ proxy_host: upstream.origin, ...offered });
      expectError(await proxy.call("GET /", { fields: all }), { status: 502, error: "http_upgrade_failed" });
    });

    it.each([300, 302, 307, 400, 401, 404, 426, 503].map((status) => ({ status })))(
      "that the target answers with $status is answered in its words",
      async ({ status }) => {
        const fields = { "WWW-Authenticate": "Basic", "Set-Cookie": "a=1; Domain=x" };
        upstream.answer = reply(status, fields, "because");
        const answer = await proxy.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
        expect(answer).toMatchObject({ status, text: "because", ended: "end" });
        expect(answer.header("www-authenticate")).toBe("Basic");
        expect(setCookiesOf(answer)).toEqual([{ name: "a", value: "1", attributes: [] }]);
      },
    );

    it("that is a redirect without a body is one", async () => {
      upstream.answer = reply(304, { ETag: '"1"' });
      const answer = await proxy.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
      expect([answer.status, answer.header("etag"), answer.text]).toEqual([304, '"1"', ""]);
    });

    it.each([
      { about: "with its head", size: 3, pause: 0, type: undefined },
      { about: "with its head", size: 100_000, pause: 0, type: "text/plain" },
      { about: "a moment after its head", size: 100_000, pause: 50, type: "text/plain" },
    ])("that the target refuses keeps length and type: $size bytes $about", async ({ size, pause, type }) => {
      const line = type === undefined ? "" : `Content-Type: ${type}\r\n`;
      const head = `HTTP/1.1 403 No\r\n${line}Content-Length: ${size}\r\n\r\n`;
      const late = async (_request: unknown, socket: Socket) => {
        socket.write(head);
        await sleep(pause);
        socket.write("x".repeat(size));
      };
      upstream.answer = pause ? late : raw(head + "x".repeat(size));
      const answer = await proxy.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
      expect([answer.status, answer.ended, answer.text.length]).toEqual([403, "end", size]);
      expect(answer.headersNamed("content-length")).toEqual([String(size)]);
      expect(answer.header("content-type")).toBe(type);
    });

    it("that the target refuses at length is refused whole", async () => {
      const reasons = "because ".repeat(250_000);
      upstream.answer = reply(403, {}, reasons);
      const answer = await proxy.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
      expect([answer.status, answer.ended, answer.text.length]).toEqual([403, "end", reasons.length]);
    });

    it.each(ANSWERS)("that the target answers with $about is 502", async ({ bytes }) => {
      upstream.answer = raw(bytes);
      const answer = await proxy.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
      expectError(answer, { status: 502 });
      expect(upstream.targets.filter((target) => target !== "/")).toEqual([]);
    });

    it("that the target cuts is 502", async () => {
      upstream.answer = (_request, socket) => void socket.destroy();
      const answer = await proxy.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
      expectError(answer, { status: 502 });
    });

    declareWith(pool.runtime, "word of callers who leave before a response", () => {
      it("whose caller leaves is given up", async () => {
        upstream.answer = silence;
        const arrived = upstream.next();
        const caller = await connect(proxy.port);
        caller.write(request("GET", "/", handshake({ Host: "localhost", proxy_host: upstream.origin })));
        const { gone } = await arrived;
        caller.destroy();
        expect(await gone).toBeGreaterThan(0);
      });
    });
  });

  describe("a handshake within TIMEOUT_MS", () => {
    const hasty = pool.with(OPEN);

    it("is answered, or it is 504", async () => {
      upstream.answer = silence;
      const answer = await hasty.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
      expectError(answer, { status: 504 });
    });

    it("lives on when it has been", async () => {
      const target = new Acceptor(upstream);
      const { caller } = await join(hasty.port, "/", { proxy_host: upstream.origin });
      await sleep(3_500);
      target.peers[0]!.text("still here");
      expect(await caller.next()).toEqual({ text: "still here" });
      caller.socket.destroy();
    });
  });
}

/** What fills the addresses of the tables in. */
function writers(proxy: Shared, upstream: Upstream) {
  const write = (text: string) =>
    fill(text, upstream).replace("{own}", `127.0.0.1:${proxy.port}`)
      .replace("{proxy}", proxy.origin).replace("{sockets}", proxy.origin.replace("http", "ws"))
      .replace("{own%}", encodeURIComponent(`${proxy.origin}/__proxy__/console/`))
      .replace("{arg}", argOf({ url: upstream.origin }));
  const filled = (fields: Values) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value && write(value)]));
  return { write, filled };
}

/** What is decided of a handshake before it is one, and where a redirected one leads. */
export function describeHandshakes(pool: Pool): void {
  describe("a handshake", () => {
    const proxy = pool.with();
    const upstream = useUpstream();
    const { write, filled } = writers(proxy, upstream);

    it.each(REFUSALS)("$path with $fields → $status", async ({ path, fields, status }) => {
      const answer = await proxy.call(`GET ${write(path)}`, { fields: handshake(filled(fields)) });
      expect(answer.status).toBe(status);
      expect(answer.json()).toEqual({ title: expect.any(String), detail: expect.any(String) });
      expect(upstream.requests).toEqual([]);
    });

    it.each(HANDSHAKES)("with $about is 400", async ({ fields }) => {
      const all = handshake({ proxy_host: upstream.origin, ...fields });
      const answer = await proxy.call("GET /", { fields: all });
      expectError(answer, { status: 400, names: /WebSocket/ });
      expect(answer.header("sec-websocket-version")).toBe("13");
      expect(upstream.requests).toEqual([]);
    });

    it.each(REDIRECTS)("that is redirected to $location leads to $arrives, by $about", async (row) => {
      const { about, location, arrives } = row;
      const { path, fields } = SELECTORS.find((selector) => selector.about === about)!;
      upstream.answer = reply(302, { Location: write(location), "Set-Cookie": "a=1; Path=/" }, "there");
      const answer = await proxy.call(`GET ${write(path)}`, { fields: handshake(filled(fields)) });
      expect(answer).toMatchObject({ status: 302, text: "there", ended: "end" });
      expect(answer.header("location")).toBe(write(arrives));
      expect(setCookiesOf(answer)).toMatchObject([{ name: "a", value: "1" }]);
    });
  });
}
