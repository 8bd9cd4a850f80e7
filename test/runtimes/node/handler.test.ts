/** A proxy as a listener of `node:http`, behind others that may have read the body. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { createNodeHandler } from "../../../src/runtimes/node/handler.ts";
import { type Connection, open, send } from "../../support/client.ts";
import { target } from "../../support/handle.ts";

const FIELDS = { proxy_host: "https://a.test" };
const READ = "Cannot forward the body: it was already read. Put the proxy in front of any body parser";

/** What stands in front of the proxy, by path: readers of bodies, as frameworks have them. */
const READERS: Record<string, (incoming: IncomingMessage) => unknown> = {
  "/parse": (incoming) => text(incoming),
  "/iterate": (incoming) => void text(incoming).catch(() => {}),
  "/listen": (incoming) => void incoming.on("data", () => {}),
  "/drop": (incoming) => void incoming.resume(),
  "/pause": (incoming) => void incoming.pause(),
};

const { sent, runtime } = target();
const handler = createNodeHandler(createProxy(), runtime);
const server = createServer((incoming, outgoing) =>
  void Promise.resolve(READERS[incoming.url!]?.(incoming)).then(() => handler(incoming, outgoing))
);

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => void server.close());

/** A body that nobody knows the length of. */
function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new Blob(chunks).stream() as ReadableStream<Uint8Array>;
}

async function post(path: string, body?: string | ReadableStream<Uint8Array>) {
  sent.length = 0;
  const { port } = server.address() as AddressInfo;
  const init = { method: "POST", headers: FIELDS, body, duplex: "half" };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init as RequestInit);
  const { detail } = await response.json().catch(() => ({})) as { detail?: string };
  return { status: response.status, detail, sent: sent.length };
}

describe("a body behind a parser", () => {
  it.each([
    { about: "of a length", body: () => "abc" },
    { about: "in chunks", body: () => streamOf("abc") },
  ])("is refused $about", async ({ body }) => {
    expect(await post("/parse", body())).toEqual({ status: 500, detail: READ, sent: 0 });
  });

  it.each(["/iterate", "/listen", "/drop"])("is refused before a byte has come, of %s", async (path) => {
    const fields = "Host: a\r\nproxy_host: https://a.test\r\nTransfer-Encoding: chunked\r\n";
    const { port } = server.address() as AddressInfo;
    expect((await send(port, `POST ${path} HTTP/1.1\r\n${fields}\r\n`)).status).toBe(500);
  });

  it("does no harm where there is none", async () =>
    expect(await post("/parse")).toEqual({ status: 200, sent: 1 }));

  it.each([
    { about: "of a length", body: () => "abc" },
    { about: "in chunks", body: () => streamOf("abc") },
    { about: "of nothing", body: () => "" },
  ])("that leaves it alone goes on $about", async ({ body }) => {
    expect(await post("/", body())).toEqual({ status: 200, sent: 1 });
    expect(await post("/pause", body())).toEqual({ status: 200, sent: 1 });
  });
});

it("chunks by HTTP/1.0 are refused, and the connection ends", async () => {
  sent.length = 0;
  const fields = "proxy_host: https://a.test\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n";
  const { port } = server.address() as AddressInfo;
  const answer = await send(port, `POST / HTTP/1.0\r\n${fields}\r\n2\r\nab\r\n0\r\n\r\n`);
  expect({ status: answer.status, sent: sent.length }).toEqual({ status: 400, sent: 0 });
  expect(answer.header("connection")).toBe("close");
});

it.each([
  { about: "answered", length: 0, end: (caller: Connection) => caller.answer() },
  { about: "left", length: 1, end: (caller: Connection) => caller.destroy() },
])("tells when a request is $about, and not before", async ({ length, end }) => {
  const waiting = createServer();
  const isOver = new Promise<boolean>((resolve) => {
    waiting.on("request", (incoming, outgoing) => {
      void handler(incoming, outgoing).then(() => resolve(outgoing.closed));
    });
  });
  await new Promise<void>((resolve) => void waiting.listen(0, "127.0.0.1", resolve));
  const caller = await open((waiting.address() as AddressInfo).port);
  const asked = once(waiting, "request");
  caller.write(
    `POST / HTTP/1.1\r\nHost: a\r\nproxy_host: https://a.test\r\nContent-Length: ${length}\r\n\r\n`,
  );
  await asked;
  await end(caller);
  expect(await isOver).toBe(true);
  caller.destroy();
  waiting.close();
});
