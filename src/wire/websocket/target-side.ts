/**
 * The target's side of a WebSocket that passes messages: parses frames, answers pings, and writes frames.
 * @module
 */

import { Buffer } from "node:buffer";
import { encodeClose, encodeFrame, OPCODES } from "./frames.ts";
import { HIGH_BYTES, type Message, type Side, type SideListener, TOO_LARGE } from "./join.ts";
import { MessageReader } from "./messages.ts";
import { SocketSide } from "./base-side.ts";

/** A connection after its handshake, on the client's end. */
export class TargetSide extends SocketSide implements Side<Message> {
  readonly carries = "messages";
  #hasClosed = false;
  /** The pong for the last ping, while it waits for room. */
  #pong: Uint8Array | undefined;

  get hasClosed(): boolean {
    return this.#hasClosed;
  }

  start(listener: SideListener<Message>): void {
    const reader = new MessageReader({
      message: listener.onData,
      ping: (payload) => this.#answerPing(payload),
      close: (code, reason) => {
        this.close(code, reason);
        this.socket.end();
        listener.onClose(code, reason);
      },
      fault: (code) => listener.onFault(code, code === 1009 ? TOO_LARGE : "the target broke the protocol"),
    });
    this.socket.on("drain", () => this.#sendPong());
    this.read(listener, (chunk) => reader.push(chunk));
  }

  send(data: Message): boolean {
    if (typeof data === "string") this.#write(OPCODES.text, Buffer.from(data));
    else this.#write(OPCODES.binary, data);
    return this.#hasClosed || this.socket.writableLength <= HIGH_BYTES;
  }

  close(code: number | undefined, reason: string): void {
    this.#write(OPCODES.close, encodeClose(code, reason));
    this.#hasClosed = true;
  }

  end(): void {
    // After a Close frame, wait for the target's own.
    if (!this.#hasClosed) this.socket.end();
  }

  /** A target may send pings without reading. Only the last of several needs a pong (RFC 6455 §5.5.3). */
  #answerPing(payload: Uint8Array): void {
    this.#pong = payload;
    if (this.socket.writableLength <= HIGH_BYTES) this.#sendPong();
  }

  #sendPong(): void {
    if (this.#pong) this.#write(OPCODES.pong, this.#pong);
    this.#pong = undefined;
  }

  #write(opcode: number, payload: Uint8Array): void {
    if (this.#hasClosed || !this.socket.writable) return;
    this.write(encodeFrame(opcode, payload, true));
  }
}
