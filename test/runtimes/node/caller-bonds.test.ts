/** Logins that hold for a connection (RFC 4559 §6), and early bytes of WebSockets, in servers that others start. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { fetchvia } from "../../../src/runtimes/node/connect.ts";
import { createHandler, runtime } from "../../../src/runtimes/node.ts";
import { Gate, reply } from "../../support/answers.ts";
import { bindLogins, login, requester, talk } from "../../support/bound-login.ts";
import { type Connection, open } from "../../support/client.ts";
import { listen, type Upstream } from "../../support/upstream.ts";
import { acceptOf, HANDSHAKE } from "../../support/websocket.ts";
import { frameOf } from "../../support/websocket-peer.ts";
import { rowsOf } from "../../support/rows.ts";

const OPTIONS = { privateTargets: true } as const;
const ask = requester("GET /api/p", { Host: "127.0.0.1" });
let upstream: Upstream;
beforeEach(async () => {
  upstream = await listen();
  bindLogins(upstream);
  return () => upstream.close();
});

const hear = async (caller: Connection, requests: readonly Buffer[]) => (await talk(caller, requests)).text;

async function portOf(server: { listen(port: number, host: string): unknown } & Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const LISTENERS = rowsOf(["about", "listener"], [
  ["the middleware", () => fetchvia({ ...OPTIONS, prefix: "/api", target: upstream.origin })],
  ["a handler", () => createHandler(createProxy({ ...OPTIONS, target: upstream.origin }))],
]);

describe("a login that holds for a connection", () => {
  it.each(LISTENERS)(
    "serves its caller and nobody else, and ends with it, by $about",
    async ({ listener }) => {
      const answer = listener();
      const server = createServer((incoming, outgoing) => answer(incoming, outgoing, () => outgoing.end()));
      const port = await portOf(server);
      const [alice, mallory] = [await open(port), await open(port)];
      expect(await hear(alice, [...login("alice", ask), ask()])).toBe("hello alice");
      expect([await hear(mallory, [ask()]), await hear(alice, [ask()])]).toEqual(["who?", "hello alice"]);
      alice.destroy();
      expect(await upstream.requests[0]!.gone).toBeGreaterThan(0);
      mallory.destroy();
      server.close();
    },
  );

  it("ends with its response where nobody tells which connection it came by", async () => {
    const proxy = createProxy({ ...OPTIONS, target: upstream.origin });
    const send = (token: string) =>
      proxy.handle(
        new Request("http://127.0.0.1/p", { headers: { authorization: `NTLM ${token}` } }),
        runtime,
      );
    expect(await (await send("TYPE3-alice")).text()).toBe("hello alice");
    expect(await upstream.requests[0]!.gone).toBeGreaterThan(0);
  });

  it("is that of a whole connection of HTTP/2, and no two requests share it at once", async () => {
    const api = fetchvia({ ...OPTIONS, prefix: "/api", target: upstream.origin });
    const server = createHttp2Server((incoming, outgoing) =>
      api(incoming as never, outgoing as never, () => {})
    );
    const port = await portOf(server as never);
    const gate = new Gate();
    const [alice, mallory] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port}`].map((origin) =>
      connectHttp2(origin)
    ) as [ClientHttp2Session, ClientHttp2Session];
    const get = (session: ClientHttp2Session, authorization?: string) =>
      text(session.request({ ":path": "/api/p", ...(authorization && { authorization }) }));
    await get(alice, "NTLM TYPE1");
    expect([await get(alice, "NTLM TYPE3-alice"), await get(mallory)]).toEqual(["hello alice", "who?"]);
    const { answer } = upstream;
    upstream.answer = gate.hold(answer);
    const arrived = upstream.next();
    const first = get(alice);
    await arrived;
    upstream.answer = answer;
    expect(await get(alice)).toBe("who?");
    gate.open();
    expect(await first).toBe("hello alice");
    alice.destroy();
    expect(await upstream.requests[0]!.gone).toBeGreaterThan(0);
    mallory.destroy();
    server.close();
    await api.close();
  });
});

it("attaches to nothing but a server: an application would hear of no WebSocket", async () => {
  const api = fetchvia({ ...OPTIONS, prefix: "/api", target: upstream.origin });
  const app = { on: () => {}, once: () => {} };
  expect(() => api.attach(app as never)).toThrow(
    "Cannot attach: this is no server, expected the one that app.listen",
  );
  await api.close();
});

describe("bytes before the 101", () => {
  const FRAME = frameOf(1, Buffer.from("one"), true, true);
  const handshake = requester("GET /api/p", { Host: "127.0.0.1", ...HANDSHAKE });
  const serve = async () => {
    const api = fetchvia({ ...OPTIONS, prefix: "/api", target: upstream.origin });
    const server = createServer((incoming, outgoing) => api(incoming, outgoing, () => outgoing.end()));
    api.attach(server);
    return { server, caller: await open(await portOf(server)) };
  };

  it.each([{ about: "with the handshake", early: true }, { about: "before the 101", early: false }])(
    "arrive in order: $about",
    async ({ early }) => {
      const gate = new Gate();
      const received = new Promise<Buffer>((resolve) => {
        upstream.answer = gate.hold((request, socket) => {
          socket.removeAllListeners("data").once("data", resolve);
          const accept = acceptOf(request.header("sec-websocket-key") ?? "");
          const fields = `Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}`;
          socket.write(`HTTP/1.1 101 Switching\r\n${fields}\r\n\r\nfirst`);
        });
      });
      const { server, caller } = await serve();
      const asked = upstream.next();
      const [now, later] = early ? [FRAME, Buffer.alloc(0)] : [Buffer.alloc(0), FRAME];
      caller.write(Buffer.concat([handshake(), now]));
      await asked;
      caller.write(later);
      gate.open();
      await caller.until("\r\n\r\nfirst");
      expect(await received).toEqual(FRAME);
      caller.destroy();
      server.close();
    },
  );

  it("are no request where the handshake is refused", async () => {
    upstream.answer = reply(403, {}, "no");
    const { server, caller } = await serve();
    caller.write(Buffer.concat([handshake(), ask()]));
    expect((await caller.answer()).status).toBe(403);
    expect(await caller.answer()).toMatchObject({ status: 0, ended: "cut" });
    expect(upstream.requests).toHaveLength(1);
    server.close();
  });
});
