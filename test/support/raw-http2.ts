/**
 * A caller that writes frames of HTTP/2 as it likes (RFC 9113 §4.1): what a client of `node:http2` refuses to send.
 * @module
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Types of frames (RFC 9113 §6), and flags. */
export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
const SETTINGS = 4;
const GOAWAY = 7;
export const CONTINUATION = 9;
export const END_STREAM = 1;
export const END_HEADERS = 4;
export const PADDED = 8;

/** A frame. */
interface Frame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

/** The bytes of a frame. */
function encode({ type, flags, stream, payload }: Frame): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Fields as literals without a table and without Huffman codes (RFC 7541 §6.2.2). Texts are shorter than 127 bytes. */
export function literals(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value, "latin1")]);
  return Buffer.concat(
    fields.map(([name, value]) => Buffer.concat([Buffer.from([0]), text(name), text(value)])),
  );
}

/** A connection with one stream. */
export class RawHttp2 {
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  #end: (outcome: string) => void = () => {};
  /** How the stream ended: whole by END_STREAM, or by the code of a reset or of the connection's end. */
  readonly ended: Promise<string> = new Promise((resolve) => (this.#end = resolve));

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => {});
    socket.on("close", () => this.#end("closed"));
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    this.send(SETTINGS, 0, Buffer.alloc(0), 0);
  }

  static async open(port: number): Promise<RawHttp2> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new RawHttp2(socket);
  }

  send(type: number, flags: number, payload: Buffer | string = "", stream = 1): void {
    this.#socket.write(encode({ type, flags, stream, payload: Buffer.from(payload as string) }));
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (this.#pending.length >= 9) {
      const size = this.#pending.readUIntBE(0, 3);
      if (this.#pending.length < 9 + size) return;
      const [type, flags] = [this.#pending[3]!, this.#pending[4]!];
      const payload = this.#pending.subarray(9, 9 + size);
      this.#pending = this.#pending.subarray(9 + size);
      if (type === RST_STREAM) this.#end(`reset by ${payload.readUInt32BE(0)}`);
      else if (type === GOAWAY) this.#end("closed");
      else if (type <= HEADERS && (flags & END_STREAM)) this.#end("whole");
    }
  }
}
