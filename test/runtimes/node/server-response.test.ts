/** The proxy in a server that answers for itself meanwhile, as one that has waited too long. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { afterEach, expect, it, vi } from "vitest";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { writeResponse } from "../../../src/runtimes/node/server-response.ts";
import { CLOSED } from "../../../src/wire/contract.ts";
import { call } from "../../support/client.ts";

const cancel = vi.fn();
afterEach(() => void cancel.mockClear());

/** Serves one request, and returns its response. */
async function serve(answer: (body: FlowBody, outgoing: ServerResponse) => void) {
  const server = createServer((_incoming, outgoing) => {
    answer(new FlowBody({ resume() {}, pause() {}, cancel }), outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { status, text } = await call((server.address() as AddressInfo).port, "GET /");
  server.close();
  return { status, text };
}

const write = (body: FlowBody, outgoing: ServerResponse) =>
  writeResponse({ status: 200, headers: new Fields(), body }, outgoing, "GET");

it("leaves a response alone that the server has given, and cancels the target's", async () => {
  const seen = await serve((body, outgoing) => {
    outgoing.writeHead(503).write("too ");
    write(body, outgoing);
    outgoing.end("late");
  });
  expect(seen).toEqual({ status: 503, text: "too late" });
  expect(cancel).toHaveBeenCalledOnce();
});

it("survives a response that the server ends before its body does", async () => {
  const seen = await serve((body, outgoing) => {
    write(body, outgoing);
    body.push(Buffer.from("one"));
    outgoing.end();
    body.push(Buffer.from("two"));
  });
  expect(seen).toEqual({ status: 200, text: "one" });
  expect(cancel).toHaveBeenCalledOnce();
});

it("writes nothing behind its end where middleware that compresses ends the response later", async () => {
  const written: string[] = [];
  await serve((body, outgoing) => {
    const { write: send, end } = outgoing;
    const later = {
      write: (chunk: Buffer) => void written.push(String(chunk)),
      end: () => void written.push("end"),
    };
    Object.assign(outgoing, later);
    write(body, outgoing);
    body.push(Buffer.from("one"));
    body.end();
    setImmediate(() => setImmediate(() => void Object.assign(outgoing, { write: send, end }).end()));
  });
  expect(written.at(-1)).toBe("end");
});

it("fails with an error that the server may write into", async () => {
  let failed: Promise<unknown> = Promise.resolve();
  await serve((body, outgoing) => {
    failed = new Promise((resolve) => void outgoing.socket?.once("error", resolve));
    write(body, outgoing);
    body.push(Buffer.from("one"));
    body.end(CLOSED);
  });
  expect(Object.isExtensible(await failed)).toBe(true);
});

it.each([
  { of: "no field", set: {}, cookies: ["a=1", "b=2"], vary: ["accept"] },
  { of: "a field", set: { "x-powered-by": "a server" }, cookies: ["a=1", "b=2"], vary: ["accept"] },
  {
    of: "fields that count too",
    set: { "Set-Cookie": "own=1", "Vary": "origin" },
    cookies: ["own=1", "a=1", "b=2"],
    vary: ["origin", "accept"],
  },
])("keeps all lines beside $of of the server", async ({ set, cookies, vary }) => {
  const server = createServer((_incoming, outgoing) => {
    for (const [name, value] of Object.entries(set)) outgoing.setHeader(name, value);
    const headers = new Fields();
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    headers.append("vary", "accept");
    writeResponse({ status: 200, headers, body: null }, outgoing, "GET");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { headers } = await call((server.address() as AddressInfo).port, "GET /");
  server.close();
  const of = (wanted: string) =>
    headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  expect({ cookies: of("set-cookie"), vary: of("vary") }).toEqual({ cookies, vary });
});
