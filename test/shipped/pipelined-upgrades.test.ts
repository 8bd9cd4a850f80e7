/**
 * Requests to switch protocols that arrive behind others of their connection (pipelining, RFC 9112 §9.3.2), in a server of
 * `node:http`: they wait for their turn, and the responses before them come whole. Bun's server refuses them.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { silence } from "../support/answers.ts";
import { open } from "../support/client.ts";
import { headBytes } from "../support/http.ts";
import { useMounted } from "../support/mounted.ts";
import { Acceptor, HANDSHAKE } from "../support/websocket.ts";
import { frameOf } from "../support/websocket-peer.ts";

/** More than the system takes of a connection at once. */
const LONG = Buffer.alloc(8_000_000, "x");
const OK = `HTTP/1.1 200 OK\r\nContent-Length: ${LONG.length}\r\n\r\n`;

describe.each(["node", "deno"] as const)("behind other requests on %s", (runtime) => {
  const mounted = useMounted(runtime);
  let acceptor: Acceptor;
  beforeEach(() => {
    acceptor = new Acceptor(mounted.target);
    const { answer: accept } = mounted.target;
    mounted.target.answer = (request, socket) => {
      const isPlain = request.header("upgrade") === undefined;
      return isPlain ? void socket.write(Buffer.concat([Buffer.from(OK), LONG])) : accept(request, socket);
    };
  });

  /** Sends two requests and an upgrade in one write, and reads the responses to the two. */
  async function ask(upgrade: Record<string, string>, early: Uint8Array = new Uint8Array()) {
    const caller = await open(mounted.program.http1);
    const Host = `127.0.0.1:${mounted.program.http1}`;
    const plain = headBytes("GET /api HTTP/1.1", { Host });
    caller.write(
      Buffer.concat([plain, plain, headBytes("GET /api/w HTTP/1.1", { Host, ...upgrade }), early]),
    );
    const before = [await caller.answer(), await caller.answer()];
    expect(before.map(({ status, body }) => [status, body.length]))
      .toEqual([[200, LONG.length], [200, LONG.length]]);
    return caller;
  }

  it("a WebSocket is joined, with its early frames", async () => {
    const joined = acceptor.next();
    const caller = await ask(HANDSHAKE, frameOf(1, Buffer.from("early"), true, true));
    expect(await (await joined).next()).toEqual({ text: "early" });
    caller.destroy();
  });

  it.each([
    { protocol: "tcp", status: 501 },
    { protocol: "h2c", status: 200 },
  ])("$protocol is a $status", async ({ protocol, status }) => {
    const caller = await ask({ Connection: "Upgrade", Upgrade: protocol });
    expect((await caller.answer()).status).toBe(status);
    caller.destroy();
  });

  it.each(["/api", "/other"])(
    "a caller that resets its connection meanwhile does no harm, with %s",
    async (path) => {
      const { answer } = mounted.target;
      mounted.target.answer = silence;
      const taken = mounted.target.next();
      const caller = await open(mounted.program.http1);
      const Host = `127.0.0.1:${mounted.program.http1}`;
      const upgrade = headBytes(`GET ${path} HTTP/1.1`, { Host, Connection: "Upgrade", Upgrade: "h2c" });
      caller.write(Buffer.concat([headBytes("GET /api HTTP/1.1", { Host }), upgrade]));
      const request = await taken;
      caller.reset();
      await request.gone;
      mounted.target.answer = answer;
      const next = await ask({});
      expect((await next.answer()).status).toBe(200);
      next.destroy();
    },
  );
});
