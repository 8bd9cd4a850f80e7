/**
 * The rows of the conformance table: a behaviour, and how it is measured over sockets.
 * @module
 */
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Header, Proxy, Upstream } from "../../support/topic.ts";
import { Acceptor, cut, handshake, join, open, raw, reply, request } from "../../support/topic.ts";

/** What a probe has at hand: the proxy, and a target that answers as it says. */
interface Bench {
  proxy: Proxy;
  upstream: Upstream;
  /** The fields of a request that goes to the target, as a common client sends them. */
  fields: Record<string, string>;
}

/** One row. */
export interface Probe {
  behaviour: string;
  measure(bench: Bench): Promise<string>;
}

const probe = (behaviour: string, measure: Probe["measure"]): Probe => ({ behaviour, measure });

const JSON_TYPE = { "Content-Type": "application/json" };

/** Sends a path by the header selector and tells how it arrives, or the status of an answer that no target gave. */
function path(sent: string): Probe["measure"] {
  return async ({ proxy, upstream, fields }) => {
    const before = upstream.requests.length;
    const { status } = await proxy.call(`GET ${sent}`, { fields });
    const [arrived] = upstream.targets.slice(before);
    return arrived === sent ? "as sent" : `${arrived ?? status}`;
  };
}

/** Answers with bytes and tells whether body and named fields come through. */
function answer(fields: Record<string, string>, body: Buffer, line = "GET /"): Probe["measure"] {
  return async ({ proxy, upstream, fields: asked }) => {
    upstream.answer = reply(200, fields, body);
    const got = await proxy.call(line, { fields: asked });
    const isTrue = Object.entries(fields).every(([name, value]) => got.header(name) === value) &&
      got.header("content-length") === String(body.length);
    const isWhole = line.startsWith("HEAD") ? got.body.length === 0 : got.body.equals(body);
    return isWhole ? (isTrue ? "as sent" : "bytes as sent, without length") : "changed";
  };
}

function encoded(coding: string, body: Buffer, line?: string): Probe["measure"] {
  return answer({ ...JSON_TYPE, "Content-Encoding": coding, "ETag": '"1"' }, body, line);
}

async function status(bench: Bench, bytes: string): Promise<string> {
  const connection = await open(bench.proxy.port);
  connection.write(bytes);
  const { status, ended } = await connection.answer();
  connection.destroy();
  return status ? String(status) : `no response (${ended === "timeout" ? "open" : "closed"})`;
}

/** The status of a handshake with these protocols. */
function upgrade(protocols: string): Probe["measure"] {
  return async ({ proxy, upstream, fields }) => {
    const plain = upstream.answer;
    new Acceptor(upstream);
    const joined = upstream.answer;
    upstream.answer = (request, socket) => (request.header("upgrade") ? joined : plain)(request, socket);
    const asked = handshake({ ...fields, Upgrade: protocols });
    return String((await proxy.call("GET /", { fields: asked })).status);
  };
}

const TEXT = Buffer.from('{"some":"text that is worth to be coded"}'.repeat(20));

/** Paths, methods and bodies of requests. */
export const REQUESTS: readonly Probe[] = [
  probe("path `//a/%2F/%7E/\\|?`", path("//a/%2F/%7E/|?")),
  probe("path with `'` in its query", path("/a?b='c'")),
  probe("path with dot segments", path("/a/../b/./c")),
  probe('path with `^ " < > { }` or a backquote', path('/a^"<>{}`')),
  probe("method `PROPFIND`", async ({ proxy, upstream, fields }) => {
    await proxy.call("PROPFIND /", { fields });
    return upstream.requests.at(-1)?.method === "PROPFIND" ? "as sent" : "changed";
  }),
  probe(
    "method `BREW` (none that is registered)",
    (bench) => status(bench, request("BREW", "/", { Host: "localhost", ...bench.fields }).toString("latin1")),
  ),
  probe(
    "`TRACE`, `CONNECT`",
    async (bench) =>
      `${await status(bench, request("TRACE", "/", { Host: "localhost" }).toString())}, ${await status(
        bench,
        request("CONNECT", "a.test:443", { Host: "a.test:443" }).toString(),
      )}`,
  ),
  probe("body with GET", async ({ proxy, upstream, fields }) => {
    const got = await proxy.call("GET /", { fields, body: "abc" });
    return got.status === 200 && upstream.requests.at(-1)?.body.toString() === "abc"
      ? "as sent"
      : String(got.status);
  }),
  probe("`Content-Length` of an upload", async ({ proxy, upstream, fields }) => {
    await proxy.call("POST /", { fields, body: "abc" });
    return upstream.requests.at(-1)?.header("content-length") === "3" ? "as sent" : "chunked";
  }),
  probe(
    "fields without `Accept` and `User-Agent`",
    async ({ proxy, upstream, fields: { proxy_host = "" } }) => {
      await proxy.call("GET /", { fields: { proxy_host } });
      const names = upstream.requests.at(-1)?.headers.map(([name]) => name.toLowerCase()) ?? [];
      const added = names.filter((name) => !["host", "connection", "cdn-loop"].includes(name));
      return added.length ? `adds ${added.join(", ")}` : "none added";
    },
  ),
  probe("`arg` of 60 KB", (bench) => {
    const argument = { url: bench.upstream.origin, method: "POST", body: "x".repeat(44_900) };
    const arg = Buffer.from(JSON.stringify(argument)).toString("base64url");
    return status(bench, `GET /__proxy__/fetch?arg=${arg} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  }),
  probe(
    "address of 100 KB",
    (bench) => status(bench, `GET /?${"A".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
  ),
];

/** Bodies and fields of answers. */
export const ANSWERS: readonly Probe[] = [
  probe("gzip", encoded("gzip", gzipSync(TEXT))),
  probe("gzip, HEAD", encoded("gzip", gzipSync(TEXT), "HEAD /")),
  probe("br", encoded("br", brotliCompressSync(TEXT))),
  probe("`gzip, br`", encoded("gzip, br", brotliCompressSync(gzipSync(TEXT)))),
  probe("mislabelled gzip", encoded("gzip", TEXT)),
  probe("body of 200 KiB", answer(JSON_TYPE, Buffer.alloc(204_800, 1))),
  probe("body of 3 MiB", answer(JSON_TYPE, Buffer.alloc(3_145_728, 1))),
  probe("no content type invented", async ({ proxy, upstream, fields }) => {
    upstream.answer = reply(200, {}, "<h1>x</h1>");
    return (await proxy.call("GET /", { fields })).header("content-type") ?? "none";
  }),
  probe("two `Set-Cookie`, two `X-A`", async ({ proxy, upstream, fields }) => {
    const twice: Header[] = [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"], ["X-A", "1"], ["X-A", "2"]];
    upstream.answer = reply(200, twice);
    const got = await proxy.call("GET /", { fields });
    return `${got.headersNamed("set-cookie").length}, ${got.headersNamed("x-a").join(" and ")}`;
  }),
  probe("reason phrase", async ({ proxy, upstream, fields }) => {
    upstream.answer = reply(200, JSON_TYPE, "{}");
    const { reason } = await proxy.call("GET /", { fields });
    return reason === "Scripted" ? "as sent" : `standard (${reason})`;
  }),
  probe("status 600", async ({ proxy, upstream, fields }) => {
    upstream.answer = raw("HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n");
    return String((await proxy.call("GET /", { fields })).status);
  }),
  probe("status 205", async ({ proxy, upstream, fields }) => {
    upstream.answer = raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n");
    const { ended } = await proxy.call("GET /", { fields, timeout: 3_000 });
    return ended === "end" ? "as sent" : "without any length";
  }),
];

/** Streams, faults and connections. */
export const STREAMS: readonly Probe[] = [
  probe("headers of a stream before its first byte", async ({ proxy, upstream, fields }) => {
    upstream.answer = raw(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    const connection = await open(proxy.port);
    connection.write(request("GET", "/", { Host: "localhost", ...fields }));
    const came = await connection.until("\r\n\r\n").then(() => "at once", () => "waits for the first byte");
    connection.destroy();
    return came;
  }),
  probe("first byte of a stream", async ({ proxy, upstream, fields }) => {
    upstream.answer = raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
    const connection = await open(proxy.port);
    connection.write(request("GET", "/", { Host: "localhost", ...fields }));
    const came = await connection.until("data: 1").then(() => "at once", () => "waits for the rest");
    connection.destroy();
    return came;
  }),
  probe("target gone in the middle of a body", async ({ proxy, upstream, fields }) => {
    upstream.answer = cut("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\npart");
    return (await proxy.call("GET /", { fields })).ended;
  }),
  probe("two equal `Content-Length` in a response", async ({ proxy, upstream, fields }) => {
    upstream.answer = raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok");
    return String((await proxy.call("GET /", { fields })).status);
  }),
  probe("150 fields in a response", async ({ proxy, upstream, fields }) => {
    const many = Array.from({ length: 150 }, (_, index): [string, string] => [`X-${index}`, "1"]);
    upstream.answer = reply(200, many, "ok");
    const got = await proxy.call("GET /", { fields });
    return got.headers.filter(([name]) => /^x-\d/i.test(name)).length === 150
      ? "as sent"
      : String(got.status);
  }),
  probe("the caller's connection after an upload of 100 KiB", async ({ proxy, fields }) => {
    const connection = await open(proxy.port);
    const upload = { Host: "localhost", "Content-Length": "102400", ...fields };
    connection.write(request("POST", "/", upload, Buffer.alloc(102_400)));
    const { status } = await connection.answer("POST");
    connection.write(request("GET", "/", { Host: "localhost", ...fields }));
    const next = await connection.answer();
    connection.destroy();
    return status !== 200 ? String(status) : next.status === 200 ? "is kept" : "is closed";
  }),
  probe("two requests in one write", async ({ proxy, fields }) => {
    const connection = await open(proxy.port);
    const one = request("GET", "/", { Host: "localhost", ...fields });
    connection.write(Buffer.concat([one, one]));
    const answers = [await connection.answer(), await connection.answer()];
    connection.destroy();
    return `${answers.filter(({ status }) => status === 200).length} responses`;
  }),
  probe("WebSocket whose target is gone without a Close frame", async ({ proxy, upstream, fields }) => {
    const target = new Acceptor(upstream).next();
    const { caller } = await join(proxy.port, "/", fields);
    (await target).socket.resetAndDestroy();
    return String((await caller.next()).closed);
  }),
  probe("`Upgrade: tcp`", upgrade("tcp")),
  probe("`Upgrade: h2c`", upgrade("h2c")),
  probe("`Upgrade: h2c, websocket`", upgrade("h2c, websocket")),
];
