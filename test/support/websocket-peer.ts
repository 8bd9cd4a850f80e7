/**
 * One end of a WebSocket under our own control: writes and reads frames byte for byte (RFC 6455 §5).
 * @module
 */
import type { Socket } from "node:net";

const KEY = Buffer.from([0x12, 0x34, 0x56, 0x78]);

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
  /** Settles when the connection is closed. */
  readonly gone: Promise<unknown>;
  readonly socket: Socket;
  /** True where its frames are masked. */
  readonly isClient: boolean;
  readonly #told: Told[] = [];
  #wake: () => void = () => {};
  #chunks: Buffer[] = [];
  #size = 0;
  #heardAt = 0;
  #needed = 2;
  #fragments: Frame[] = [];
  #hasClosed = false;

  constructor(socket: Socket, isClient: boolean, rest: Buffer) {
    this.socket = socket;
    this.isClient = isClient;
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
    return this.socket.write(frameOf(opcode, Buffer.from(payload as string), isFinal, this.isClient));
  }

  text(text: string): void {
    this.send(1, text);
  }

  close(code?: number, reason = ""): void {
    this.#hasClosed = true;
    const bytes = code === undefined ? [] : [code >> 8, code & 255];
    this.send(8, Buffer.concat([Buffer.from(bytes), Buffer.from(reason)]));
  }

  /** The next message, pong or end; rejects where no byte comes for so many milliseconds. */
  async next(timeout = 50_000): Promise<Told> {
    const start = performance.now();
    while (this.#told.length === 0) {
      const left = Math.max(start, this.#heardAt) + timeout - performance.now();
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
    this.#heardAt = performance.now();
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#needed && this.#readFrame());
  }

  #readFrame(): boolean {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
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
    if (!this.isClient) this.socket.end();
  }
}

/** The bytes of one frame. */
export function frameOf(opcode: number, payload: Buffer, isFinal: boolean, isMasked: boolean): Buffer {
  const { length } = payload;
  const head = headOf(opcode, length, isFinal, isMasked);
  if (!isMasked) return Buffer.concat([head, payload]);
  const masked = Buffer.from(payload);
  for (let i = 0; i < length; i += 1) masked[i]! ^= KEY[i & 3]!;
  return Buffer.concat([head, masked]);
}

/** What comes before the payload of a frame, the key of a masked one included. */
export function headOf(opcode: number, length: number, isFinal: boolean, isMasked: boolean): Buffer {
  const head = Buffer.alloc(length > 65_535 ? 10 : length > 125 ? 4 : 2);
  head[0] = (isFinal ? 128 : 0) | opcode;
  head[1] = (isMasked ? 128 : 0) | (length > 65_535 ? 127 : length > 125 ? 126 : length);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return isMasked ? Buffer.concat([head, KEY]) : head;
}
