/**
 * WebSockets on `Deno.serve`: first the handshake with the target, then the caller's by `Deno.upgradeWebSocket`.
 *
 * Deno (2.9) keeps the caller's connection and passes whole messages. It can neither stop reading nor cut a connection.
 * @module
 */

import { answerError, ProxyError } from "../../core/http/error.ts";
import { type Reply, toResponse } from "../../core/http/reply.ts";
import type { DialledSocket } from "../../wire/websocket/dial.ts";
import { MAX_MESSAGE_BYTES } from "../../wire/websocket/frames.ts";
import {
  HIGH_BYTES,
  joinSides,
  type Message,
  type Side,
  type SideListener,
  sizeOf,
  TOO_LARGE,
} from "../../wire/websocket/join.ts";
import type { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { TargetSide } from "../../wire/websocket/target-side.ts";

/** The members of Deno used here, declared so that every compiler can check this file. */
declare const Deno: {
  upgradeWebSocket(request: Request, options: { idleTimeout: number }): {
    socket: WebSocket;
    response: Response;
  };
};

/** A caller that is silent for half of this many seconds gets a ping, and is gone without an answer in the other half. */
const SILENCE_S = 120;
/** If more bytes than this wait for the target when a message comes, both sides are closed with 1013. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
/** How often to look whether the caller has taken the bytes that wait for it, in milliseconds. */
const LOOK_MS = 10;
/** A caller that floods is closed once it has sent nothing for so many milliseconds, or after so many such times. */
const QUIET_MS = 100;
const MOST_QUIET_LOOKS = 20;
/** Bad Gateway (https://www.iana.org/assignments/websocket): the target has ended without a Close frame. */
const BROKEN_OFF = 1014;

/** Returns the response; for a 101 it joins the caller's side to the target's. */
export function answerDeno(reply: Reply, request: Request, sockets: OpenSockets): Response {
  const dialled = reply.socket as DialledSocket | undefined;
  if (!dialled) return toResponse(reply, request);
  try {
    // Made first: what fails behind the upgrade would stop the whole server.
    const fields = new Headers([...reply.headers]);
    fields.delete("sec-websocket-accept");
    const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: SILENCE_S });
    for (const [name, value] of fields) response.headers.append(name, value);
    socket.binaryType = "arraybuffer";
    socket.onerror = () => dialled.cancel();
    socket.onopen = () => {
      socket.onerror = null;
      const target = new TargetSide(dialled.socket);
      joinSides(new CallerSide(socket, target), target, dialled.watch, sockets);
    };
    return response;
  } catch {
    dialled.cancel();
    const message = "Cannot open a WebSocket: the server did not accept the handshake";
    return toResponse(answerError(new ProxyError("bad_request", message), "Proxy Error"), request);
  }
}

/** The caller's side. */
class CallerSide implements Side<Message> {
  readonly carries = "messages";
  readonly #socket: WebSocket;
  readonly #target: TargetSide;
  hasClosed = false;
  #isGone = false;
  #writtenBytes = 0;
  #messages = 0;
  #listener: SideListener<Message> | undefined;
  #looks: ReturnType<typeof setInterval> | undefined;

  constructor(socket: WebSocket, target: TargetSide) {
    this.#socket = socket;
    this.#target = target;
  }

  get unsentBytes(): number {
    return this.#isGone ? 0 : this.#socket.bufferedAmount;
  }

  /** To Deno, a message is unsent until the system has taken all of it. */
  get takenBytes(): number {
    return this.#writtenBytes - this.unsentBytes;
  }

  start(listener: SideListener<Message>): void {
    this.#listener = listener;
    this.#socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      this.#messages += 1;
      if (this.hasClosed) return;
      const message = typeof data === "string" ? data : new Uint8Array(data);
      if (sizeOf(message) > MAX_MESSAGE_BYTES) listener.onFault(1009, TOO_LARGE);
      else if (this.#target.unsentBytes <= MOST_WAITING_BYTES) listener.onData(message);
      else listener.onFault(1013, "the target takes messages too slowly");
    };
    this.#socket.onclose = ({ wasClean, code, reason }) => {
      if (wasClean && !this.hasClosed) listener.onClose(code === 1005 ? undefined : code, reason);
      this.#leave();
    };
  }

  send(data: Message): boolean {
    if (this.hasClosed || this.#isGone) return true;
    this.#socket.send(data);
    this.#writtenBytes += sizeOf(data);
    const hasRoom = this.unsentBytes <= HIGH_BYTES;
    if (!hasRoom) this.#looks ??= setInterval(() => this.#look(), LOOK_MS);
    return hasRoom;
  }

  #look(): void {
    if (this.unsentBytes > HIGH_BYTES) return;
    clearInterval(this.#looks);
    this.#looks = undefined;
    this.#listener?.onDrain();
  }

  close(code: number | undefined, reason: string): void {
    if (this.hasClosed || this.#isGone) return;
    this.hasClosed = true;
    if (code === 1009 || code === 1013) this.#closeWhenQuiet(code, reason, MOST_QUIET_LOOKS);
    else this.#socket.close(code, reason || undefined);
  }

  /** If a message comes right behind `close`, Deno (2.9) cuts the connection before the Close frame has been sent. */
  #closeWhenQuiet(code: number, reason: string, looks: number): void {
    const messages = this.#messages;
    setTimeout(() => {
      if (looks === 0 || messages === this.#messages) this.#socket.close(code, reason || undefined);
      else this.#closeWhenQuiet(code, reason, looks - 1);
    }, QUIET_MS);
  }

  /** A connection can't end without a Close frame here. */
  end(): void {
    this.close(BROKEN_OFF, "");
  }

  pause(): void {}

  resume(): void {}

  /** Lets go of a caller that does not end by itself; its connection stays until it does. */
  destroy(): void {
    this.#socket.close(1001);
    this.#leave();
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearInterval(this.#looks);
    this.#socket.onmessage = null;
    this.#listener?.onEnd();
    this.#listener?.onGone();
  }
}
