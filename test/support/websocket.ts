/**
 * WebSockets under our own control: frames byte for byte, as a caller and as a target (RFC 6455).
 * @module
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Fields, Head, headBytes, pairsOf, splitHead } from "./http.ts";
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

/** One frame, unmasked. */
export interface Frame {
  opcode: number;
  isFinal: boolean;
  payload: Buffer;
}

/** What a peer has to tell: a whole message, a Close frame (1005 without a code), or a connection that broke off. */
export interface Told {
  text?: string;
  binary?: Buffer;
  pong?: string;
  closed?: number;
  reason?: string;
}

/** One end of a WebSocket. Answers pings and Close frames by itself. */
export class Peer {
  /** Every frame that arrived, control frames too; of a flood only the count is kept. */
  readonly frames: Frame[] = [];
  /** Bytes that arrived. */
  received = 0;
  /** Settles when the connection is closed. */
  readonly gone: Promise<unknown>;
  readonly socket: Socket;
  readonly #isClient: boolean;
  readonly #told: Told[] = [];
  #wake: () => void = () => {};
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = 2;
  #fragments: Frame[] = [];
  #hasClosed = false;

  constructor(socket: Socket, isClient: boolean, rest: Buffer) {
    this.socket = socket;
    this.#isClient = isClient;
    socket.removeAllListeners("data");
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("end", () => socket.end());
    socket.on("error", () => {});
    this.gone = new Promise((resolve) => socket.once("close", resolve));
    socket.once("close", () => this.#tell({ closed: 1006, reason: "" }));
    this.#take(rest);
  }

  /** Writes one frame. */
  send(opcode: number, payload: string | Buffer = "", isFinal = true): boolean {
    return this.socket.write(frameOf(opcode, Buffer.from(payload as string), isFinal, this.#isClient));
  }

  text(text: string): void {
    this.send(1, text);
  }

  close(code?: number, reason = ""): void {
    this.#hasClosed = true;
    const bytes = code === undefined ? [] : [code >> 8, code & 255];
    this.send(8, Buffer.concat([Buffer.from(bytes), Buffer.from(reason)]));
  }

  /** The next message, pong or end. */
  async next(timeout = 8000): Promise<Told> {
    const deadline = performance.now() + timeout;
    while (this.#told.length === 0) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error("Expected a message or an end, got none");
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#told.shift()!;
  }

  /** Sends every message back. */
  echo(): this {
    const answer = async () => {
      for (let told = await this.next(30_000); told.closed === undefined; told = await this.next(30_000)) {
        this.send(told.text === undefined ? 2 : 1, told.text ?? told.binary);
      }
    };
    void answer().catch(() => {});
    return this;
  }

  #tell(told: Told): void {
    this.#told.push(told);
    this.#wake();
  }

  #take(chunk: Buffer): void {
    this.received += chunk.length;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#needed && this.#readFrame());
  }

  #readFrame(): boolean {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [bytes];
    const [first = 0, second = 0] = bytes;
    const short = second & 127;
    const start = short === 127 ? 10 : short === 126 ? 4 : 2;
    const maskBytes = second > 127 ? 4 : 0;
    this.#needed = start + maskBytes;
    if (bytes.length < this.#needed) return false;
    const length = short === 127
      ? Number(bytes.readBigUInt64BE(2))
      : short === 126
      ? bytes.readUInt16BE(2)
      : short;
    const end = start + maskBytes + length;
    this.#needed = end;
    if (bytes.length < end) return false;
    const key = bytes.subarray(start, start + maskBytes);
    const payload = Buffer.from(bytes.subarray(start + maskBytes, end));
    if (maskBytes > 0) { for (let i = 0; i < length; i += 1) payload[i]! ^= key[i & 3]!; }
    this.#chunks = [bytes.subarray(end)];
    this.#size = bytes.length - end;
    this.#needed = 2;
    this.#handle({ opcode: first & 15, isFinal: first > 127, payload });
    return true;
  }

  #handle(frame: Frame): void {
    const { opcode, payload } = frame;
    this.frames.push(frame);
    if (opcode === 9) this.send(10, payload);
    else if (opcode === 10) this.#tell({ pong: payload.toString() });
    else if (opcode === 8) this.#handleClose(payload);
    else {
      this.#fragments.push(frame);
      if (!frame.isFinal) return;
      const [{ opcode: kind }] = this.#fragments as [Frame];
      const whole = Buffer.concat(this.#fragments.map((fragment) => fragment.payload));
      this.#fragments = [];
      this.#tell(kind === 1 ? { text: whole.toString() } : { binary: whole });
    }
  }

  #handleClose(payload: Buffer): void {
    const closed = payload.length ? payload.readUInt16BE() : 1005;
    this.#tell({ closed, reason: payload.toString("utf8", 2) });
    if (!this.#hasClosed) this.send(8, payload);
    this.#hasClosed = true;
    // The server closes the connection first (RFC 6455 §7.1.1).
    if (!this.#isClient) this.socket.end();
  }
}

/** The bytes of one frame. */
export function frameOf(opcode: number, payload: Buffer, isFinal: boolean, isMasked: boolean): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length > 65_535 ? 10 : length > 125 ? 4 : 2);
  head[0] = (isFinal ? 128 : 0) | opcode;
  head[1] = (isMasked ? 128 : 0) | (length > 65_535 ? 127 : length > 125 ? 126 : length);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  if (!isMasked) return Buffer.concat([head, payload]);
  const key = Buffer.from([0x12, 0x34, 0x56, 0x78]);
  const masked = Buffer.from(payload);
  for (let i = 0; i < length; i += 1) masked[i]! ^= key[i & 3]!;
  return Buffer.concat([head, key, masked]);
}

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
  const socket = options.tls
    ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false })
    : connect({ port, host: "127.0.0.1" });
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
