/**
 * WebSockets under our own control: handshakes as a caller and as a target (RFC 6455 §4).
 * @module
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Fields, Head, headBytes, pairsOf, splitHead } from "./http.ts";
import { connectInMemory } from "./memory-network.ts";
import { Peer } from "./websocket-peer.ts";
import type { Handler, Received, Upstream } from "./upstream.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** The key of RFC 6455 §1.3. */
export const KEY = "dGhlIHNhbXBsZSBub25jZQ==";

/** The `Sec-WebSocket-Accept` of a key. */
export function acceptOf(key: string): string {
  return createHash("sha1").update(key + GUID).digest("base64");
}

/** What every handshake needs; `undefined` takes a field out. */
export const HANDSHAKE: Readonly<Record<string, string>> = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Key": KEY,
  "Sec-WebSocket-Version": "13",
};

/** The fields of a handshake, and others beside or in the place of them. */
export function handshake(fields: Readonly<Record<string, string | undefined>> = {}): Fields {
  return { ...HANDSHAKE, ...fields };
}

/** A caller whose handshake has been accepted. */
export interface Joined {
  caller: Peer;
  head: Head;
}

/** Opens a WebSocket through the proxy; rejects with the status line where it is refused. */
export async function join(
  port: number,
  path: string,
  fields: Readonly<Record<string, string | undefined>>,
  options: { tls?: boolean } = {},
): Promise<Joined> {
  const near = options.tls ? undefined : connectInMemory(port);
  const socket = options.tls
    ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false })
    : near as unknown as Socket ?? connect({ port, host: "127.0.0.1" });
  await once(socket, options.tls ? "secureConnect" : "connect");
  socket.write(
    headBytes(`GET ${path} HTTP/1.1`, pairsOf({ Host: `127.0.0.1:${port}`, ...handshake(fields) })),
  );
  const { head, rest } = await readHead(socket);
  if (!head.line.startsWith("HTTP/1.1 101")) {
    socket.destroy();
    throw new Error(head.line);
  }
  return { head, caller: new Peer(socket, true, rest) };
}

function readHead(socket: Socket): Promise<{ head: Head; rest: Buffer }> {
  let bytes = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed before the head")));
    socket.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const split = splitHead(bytes);
      if (split) resolve(split);
    });
  });
}

/** A target that accepts every handshake. */
export class Acceptor {
  readonly requests: Received[] = [];
  /** The target's end of each WebSocket, in order. */
  readonly peers: Peer[] = [];
  #waiting: ((peer: Peer) => void)[] = [];

  /** @param fields beside, or in the place of, those that every 101 needs */
  constructor(upstream: Upstream, fields: Readonly<Record<string, string | undefined>> = {}) {
    upstream.answer = accepting(fields, (peer, request) => {
      this.requests.push(request);
      this.peers.push(peer);
      for (const resolve of this.#waiting.splice(0)) resolve(peer);
    });
  }

  /** The target's end of the next WebSocket. */
  next(): Promise<Peer> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The one handshake that arrived. */
  get request(): Received {
    const [first, ...others] = this.requests;
    if (!first || others.length > 0) throw new Error(`Expected one handshake, got ${this.requests.length}`);
    return first;
  }
}

function accepting(
  fields: Readonly<Record<string, string | undefined>>,
  onPeer: (peer: Peer, request: Received) => void,
): Handler {
  return (request, socket) => {
    const accept = acceptOf(request.header("sec-websocket-key") ?? "");
    const all = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Accept": accept, ...fields };
    socket.write(headBytes("HTTP/1.1 101 Switching Protocols", all));
    onPeer(new Peer(socket, false, Buffer.alloc(0)), request);
  };
}
