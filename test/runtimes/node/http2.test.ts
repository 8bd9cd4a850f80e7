/** Requests and responses of HTTP/2, by a real client of it. */
import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { createServer, type OutgoingHttpHeaders } from "node:http2";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Mounted } from "../../../src/runtimes/node/mounted.ts";
import { readMountOptions } from "../../../src/runtimes/node/mount-options.ts";
import { chunked, reply } from "../../support/answers.ts";
import { words } from "../../support/rows.ts";
import { call } from "../../support/client.ts";
import { listen, type Upstream } from "../../support/upstream.ts";

let upstream: Upstream;
let session: ClientHttp2Session;
let port: number;
const server = createServer();
/** The same by HTTP/1.1. */
const twin = createHttpServer();

beforeAll(async () => {
  upstream = await listen();
  const mounted = new Mounted(readMountOptions({ prefix: "/api", target: upstream.origin }));
  server.on("request", (incoming, outgoing) => {
    mounted.answer(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse);
  });
  twin.on("request", (incoming, outgoing) => mounted.answer(incoming, outgoing));
  await Promise.all([server, twin].map((one) => once(one.listen(0, "127.0.0.1"), "listening")));
  ({ port } = server.address() as AddressInfo);
  session = connect(`http://127.0.0.1:${port}`);
});
beforeEach(() => {
  upstream.answer = reply(200, {}, "hello");
  upstream.requests.length = 0;
});
afterAll(async () => {
  session.destroy();
  server.close();
  twin.close();
  await upstream.close();
});

/** Sends the head of a request. */
function send(method: string, fields: OutgoingHttpHeaders = {}, hasBody = false): ClientHttp2Stream {
  return session.request({ ":method": method, ":path": "/api/a//b?x", ...fields }, { endStream: !hasBody });
}

async function read(stream: ClientHttp2Stream) {
  const [fields] = await once(stream, "response");
  return { status: fields[":status"], fields, body: await text(stream) };
}

describe("a request of HTTP/2", () => {
  it("arrives with the fields that HTTP/1.1 has", async () => {
    const fields = { cookie: ["a=1", "b=2"], "x-one": ["1", "2"], accept: "text/x" };
    expect(await read(send("GET", fields))).toMatchObject({ status: 200, body: "hello" });
    const { request } = upstream;
    expect([request.target, request.header("host"), request.header("cookie"), request.header("accept")])
      .toEqual(["/api/a//b?x", upstream.host, "a=1; b=2", "text/x"]);
    expect(request.line).toMatch(/^GET .* HTTP\/1\.1$/);
    expect(request.head.toString()).not.toMatch(/^:|authority/m);
  });

  it.each([{ about: "of a length", fields: { "content-length": "6" } }, { about: "of none", fields: {} }])(
    "passes a body $about on",
    async ({ fields }) => {
      const stream = send("POST", fields, true);
      stream.write("abc");
      stream.end("def");
      expect([(await read(stream)).status, upstream.request.body.toString()]).toEqual([200, "abcdef"]);
    },
  );

  it.each(["POST", "PUT", "GET"])("is forwarded where its body turns out to be empty: %s", async (method) => {
    const stream = send(method, {}, true);
    stream.end();
    expect(await read(stream)).toMatchObject({ status: 200, body: "hello" });
    expect(upstream.request.body.toString()).toBe("");
  });

  it.each([{ method: "POST", wait: 1 }, { method: "POST", wait: 50 }, { method: "GET", wait: 50 }])(
    "is forwarded where its body turns out to be empty: $method, after $wait ms",
    async ({ method, wait }) => {
      const stream = send(method, {}, true);
      await sleep(wait);
      stream.end();
      expect(await read(stream)).toMatchObject({ status: 200, body: "hello" });
      expect(upstream.request.body.toString()).toBe("");
    },
  );

  it.each([
    ...words(`
      http://127.0.0.1:{port}/a?b=c&d=%20#e http://127.0.0.1:{port}/caf%C3%A9?% 127.0.0.1:{port}/a?url=b
      http:/127.0.0.1:{port}/a *
    `),
    'http://127.0.0.1:{port}/%zz/..//\\x|"<>`{}^',
  ])("names the same by a raw address as HTTP/1.1: %s", async (address) => {
    const path = `/__proxy__/?url=${address.replace("{port}", String(upstream.port))}`;
    const second = await read(send("GET", { ":path": path }));
    const first = await call((twin.address() as AddressInfo).port, `GET ${path}`);
    expect([second.status, second.body]).toEqual([first.status, first.text]);
    const [asked, again] = upstream.targets;
    expect(asked).toBe(again);
  });

  it("cuts a body that the client gives up", async () => {
    const arrived = upstream.next();
    const stream = send("POST", {}, true);
    stream.on("error", () => {});
    stream.write("abc");
    const received = await arrived;
    await expect.poll(() => received.body.toString()).toBe("abc");
    stream.destroy(new Error("given up"));
    await received.gone;
    expect(received.state).toBe("cut");
  });

  it("aborts when the client leaves while the target thinks", async () => {
    upstream.answer = () => {};
    const arrived = upstream.next();
    const stream = send("GET");
    stream.on("error", () => {});
    const received = await arrived;
    stream.destroy(new Error("given up"));
    expect(await received.gone).toBeGreaterThan(0);
  });

  it("is refused with another Host beside its authority", async () => {
    const { status } = await read(send("GET", { host: "evil.test" }));
    expect([status, upstream.requests]).toEqual([403, []]);
  });
});

describe("a response of HTTP/2", () => {
  it("keeps status, lines and bytes, without the fields of a connection", async () => {
    upstream.answer = reply(404, [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"], ["Keep-Alive", "x"]], "no");
    const { status, fields, body } = await read(send("GET"));
    expect([status, fields["set-cookie"], fields["keep-alive"], fields["content-length"], body])
      .toEqual([404, ["a=1", "b=2"], undefined, "2", "no"]);
  });

  it.each([
    { name: "x-content-type-options", lines: ["nosniff", "nosniff"] },
    { name: "access-control-allow-credentials", lines: ["true", "true"] },
    { name: "content-type", lines: ["text/plain", "text/plain"] },
    { name: "content-language", lines: ["en", "de"] },
    { name: "content-encoding", lines: ["x", "y"] },
    { name: "etag", lines: ['"a"', '"a"'] },
    { name: "expires", lines: ["0", "-1"] },
    { name: "age", lines: ["1", "2"] },
    { name: "retry-after", lines: ["1", "2"] },
    { name: "last-modified", lines: ["a", "b"] },
    { name: "x-own", lines: ["a", "b"] },
  ])("keeps what a target says twice: $name", async ({ name, lines }) => {
    upstream.answer = reply(200, lines.map((line): [string, string] => [name, line]), "ok");
    const { status, fields, body } = await read(send("GET"));
    expect([status, fields[name], body]).toEqual([200, lines.join(", "), "ok"]);
  });

  it("has no field of a connection", async () => {
    upstream.answer = reply(200, [["HTTP2-Settings", "x"], ["Upgrade", "h2c"], ["TE", "gzip"]], "ok");
    const { status, fields, body } = await read(send("GET"));
    expect([status, fields["http2-settings"], fields["upgrade"], fields["te"], body])
      .toEqual([200, undefined, undefined, undefined, "ok"]);
  });

  it("streams", async () => {
    upstream.answer = chunked(200, {}, ["one ", "two"], 20);
    expect((await read(send("GET"))).body).toBe("one two");
  });

  it("has no body for HEAD", async () => {
    upstream.answer = (_request, socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    const { fields, body } = await read(send("HEAD"));
    expect([fields["content-length"], body]).toEqual(["5", ""]);
  });

  it("is reset when the target breaks off", async () => {
    upstream.answer = async (_request, socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
      await sleep(50);
      socket.destroy();
    };
    await expect(read(send("GET"))).rejects.toThrow(/stream|closed/i);
  });

  it("answers the proxy's own pages", async () => {
    const { body } = await read(send("GET", { ":path": "/__proxy__/" }));
    expect(JSON.parse(body)).toEqual({ host: upstream.origin, selector: "preset" });
  });
});
