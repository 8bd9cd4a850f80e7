/**
 * A caller's connection: its requests one after the other, and their responses (RFC 9112 §9).
 * @module
 */

import type { Buffer } from "node:buffer";
import { discard, isStreaming } from "../../../http/body.ts";
import type { Deadline, Deadlines } from "../../../http/deadlines.ts";
import { answerError, ProxyError, toProxyError } from "../../../http/error.ts";
import { hasToken } from "../../../http/headers.ts";
import type { Reply } from "../../../http/reply.ts";
import { Block } from "../block.ts";
import { type CallerWire, closed, type WireWatch } from "../wire.ts";
import { BodySink } from "./body-sink.ts";
import { ReceivedRequest } from "./request.ts";
import { HeadReader, readFraming, type RequestHead } from "./request-head.ts";
import { type Ending, formatResponse, joinHead } from "./response.ts";
import { WireStream } from "./wire-stream.ts";

/** Bytes behind a request that are read before its response is sent; then reading stops. */
const MAX_AHEAD_BYTES = 65_536;
/** The next request waits while more bytes than this have not been sent. */
const MAX_UNSENT_BYTES = 1_048_576;
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/** What all connections of a server share. */
export interface Host {
  /** Answers a request; never rejects. A reply with a socket is joined to the connection. */
  answer(request: ReceivedRequest, connection: CallerConnection): Promise<Reply>;
  /** Joins a WebSocket to the connection, by `release`. */
  join(reply: Reply, connection: CallerConnection): void;
  /** Time limits for a head that has begun, for an idle connection, and for the end of one. */
  readonly times: Readonly<Record<"head" | "idle" | "linger", Deadlines>>;
  /** True once no connection may be used again. */
  readonly isDraining: boolean;
  /** The connection is gone. */
  onGone(connection: CallerConnection): void;
}

/** The other end of a connection. */
export interface Peer {
  /** Its IP address. */
  readonly address: string;
  /** True if it came by https. */
  readonly isSecure: boolean;
}

/** One connection. */
export class CallerConnection implements WireWatch {
  /** The caller's IP address. */
  readonly address: string;
  readonly #isSecure: boolean;
  readonly #host: Host;
  readonly #heads = new HeadReader();
  readonly #idle: Deadline;
  #wire!: CallerWire;
  #headDeadline: Deadline | undefined;
  #linger: Deadline | undefined;
  /** The request that is being read or answered. */
  #request: ReceivedRequest | undefined;
  #sink: BodySink | undefined;
  /** Bytes behind the current request. */
  #ahead: Block | undefined;
  #aheadBytes = 0;
  #isHeld = false;
  /** True once the response has been given to the connection. */
  #isAnswered = false;
  /** True if the caller still waits for a 100. */
  #awaitsContinue = false;
  /** True if the connection ends with this response. */
  #isLast = false;
  /** True once nothing that arrives is read as a request. */
  #isEnding = false;
  #isGone = false;
  #stream: WireStream | undefined;

  constructor({ address, isSecure }: Peer, host: Host) {
    this.address = address;
    this.#isSecure = isSecure;
    this.#host = host;
    this.#idle = host.times.idle.start(() => this.destroy());
  }

  /** Begins with a wire that reports to this connection. */
  open(wire: CallerWire): void {
    this.#wire = wire;
    wire.resume();
  }

  /** True while a request is being read or answered, or a response is being sent. */
  get isBusy(): boolean {
    return this.#request !== undefined || this.#wire.writableLength > 0 || this.#isEnding;
  }

  onOpen(): void {}

  onBytes(bytes: Buffer): void {
    if (this.#stream) return this.#stream.onBytes(bytes);
    if (this.#isEnding || this.#isGone) return;
    const request = this.#request;
    if (!request) return this.#readHead(bytes);
    const rest = request.isReceived ? bytes : this.#readBody(request, bytes);
    if (rest.length > 0) this.#keep(rest);
  }

  onDrain(): void {
    if (this.#stream) return this.#stream.onDrain();
    this.#sink?.drained();
    if (!this.#isAnswered) return;
    this.#sink = undefined;
    this.#advance();
  }

  onClose(failure?: Error): void {
    if (this.#stream) return this.#stream.onClose(failure);
    // What has been answered still gets through.
    if (!this.#request && !this.#isGone) {
      this.#isEnding = true;
      this.#wire.finish(true);
    }
    this.#leave(failure ?? closed());
  }

  /** Ends it as soon as that harms no response. */
  drain(): void {
    if (!this.isBusy) this.destroy();
  }

  destroy(): void {
    this.#leave(closed());
    this.#wire.destroy();
  }

  /** Hands the connection over, for another protocol. The bytes that have arrived are the first of it. */
  release(): { wire: CallerWire; rest: Buffer | undefined } {
    this.#stopTimes();
    this.#isGone = true;
    this.#host.onGone(this);
    return { wire: this.#wire, rest: this.#ahead?.bytes };
  }

  /** The same as a stream, for wires that go on reporting to this connection. */
  releaseStream(): WireStream {
    const { wire, rest } = this.release();
    return this.#stream = new WireStream(wire, rest);
  }

  #readHead(bytes: Buffer): void {
    this.#idle.stop();
    try {
      const read = this.#heads.read(bytes);
      if (read) this.#begin(read.head, read.rest);
      else if (!this.#heads.hasBegun) this.#idle.start();
      else this.#headDeadline ??= this.#host.times.head.start(() => this.#refuse(tooSlow()));
    } catch (error) {
      this.#refuse(error);
    }
  }

  #begin(head: RequestHead, rest: Buffer): void {
    this.#headDeadline?.stop();
    this.#headDeadline = undefined;
    const framing = readFraming(head);
    // HTTP/1.0 has no protocol upgrade, so the field must be ignored there (RFC 9110 §7.8).
    if (!head.isCurrent) head.headers.delete("upgrade");
    const request = new ReceivedRequest(head, framing, this.#isSecure, {
      pause: () => this.#wire.pause(),
      resume: () => this.#want(request),
      cancel: () => this.#wire.resume(),
      spent: framing === 0 ? undefined : this.#wire.begin?.(),
    });
    this.#request = request;
    this.#isAnswered = false;
    this.#awaitsContinue = request.expectsContinue;
    if (rest.length > 0) this.onBytes(rest);
    void this.#answer(request);
  }

  async #answer(request: ReceivedRequest): Promise<void> {
    let reply: Reply;
    try {
      reply = await this.#host.answer(request, this);
    } catch (error) {
      reply = answerError(toProxyError(error), "Proxy Error");
    }
    if (this.#isGone) {
      discard(reply.body);
      reply.socket?.cancel();
    } else if (reply.socket) this.#host.join(reply, this);
    else this.#write(reply, request);
  }

  #write(reply: Reply, request: ReceivedRequest | undefined): void {
    const { body } = reply;
    this.#isLast ||= this.#host.isDraining || this.#awaitsContinue || request === undefined ||
      request.isBroken || !isKept(request);
    // Behind a response a 100 would be read as the next one.
    this.#awaitsContinue = false;
    let head;
    try {
      head = formatResponse(reply, request, this.#isLast);
    } catch (error) {
      discard(body);
      return this.#write(answerError(toProxyError(error), "Proxy Error"), request);
    }
    const { text, ending } = head;
    this.#isLast ||= ending === "closed";
    this.#sink = undefined;
    if (ending === "at once") {
      const bytes = request?.method === "HEAD" || isStreaming(body) ? null : body;
      if (bytes === null) discard(body);
      if (bytes?.length) this.#wire.write(joinHead(text, bytes));
      else this.#wire.write(text, "latin1");
      return this.#answered();
    }
    this.#wire.write(text, "latin1");
    const sink = new BodySink(this.#wire, ending, {
      onWhole: () => this.#answered(),
      onCut: () => this.#cut(ending),
    });
    this.#sink = sink;
    if (isStreaming(body)) body.pipe(sink);
  }

  /** Cuts a response, so that it looks incomplete (RFC 9112 §8). */
  #cut(ending: Ending): void {
    if (ending === "closed") this.#wire.cut();
    this.destroy();
  }

  /** The response is complete. What is left of the request is read, so that the response gets through. */
  #answered(): void {
    this.#isAnswered = true;
    const request = this.#request;
    if (this.#isLast || !request || request.isReceived) return this.#advance();
    this.#wire.resume();
    this.#linger = this.#host.times.linger.start(() => this.#end());
  }

  /** Goes on with the next request. */
  #advance(): void {
    if (this.#isEnding || this.#isGone) return;
    if (this.#isLast || this.#host.isDraining) return this.#end();
    if (this.#request?.isReceived === false) return;
    if (this.#wire.writableLength > MAX_UNSENT_BYTES) return;
    this.#linger?.stop();
    this.#linger = undefined;
    this.#request = undefined;
    this.#isAnswered = false;
    this.#idle.start();
    const ahead = this.#ahead?.bytes;
    this.#ahead = undefined;
    this.#aheadBytes = 0;
    this.#isHeld = false;
    this.#wire.resume();
    if (ahead) this.onBytes(ahead);
  }

  /** Ends the connection behind a response. Bytes that come are read for a while, or a reset could overtake it. */
  #end(): void {
    if (this.#isEnding || this.#isGone) return;
    const hasMore = this.#request?.isReceived === false || this.#aheadBytes > 0 || this.#request === undefined;
    this.#isEnding = true;
    this.#wire.resume();
    this.#wire.finish(!hasMore);
    this.#linger?.stop();
    this.#linger = this.#host.times.linger.start(() => {
      if (this.#wire.writableLength > 0) this.#linger?.start();
      else this.destroy();
    });
  }

  /** Answers what is no request, and ends the connection. */
  #refuse(error: unknown): void {
    this.#headDeadline?.stop();
    this.#idle.stop();
    this.#isLast = true;
    this.#write(answerError(toProxyError(error), "Proxy Error"), undefined);
  }

  #readBody(request: ReceivedRequest, bytes: Buffer): Buffer {
    const rest = request.receive(bytes);
    if (!this.#isAnswered) return rest;
    this.#linger?.start();
    if (request.isBroken) this.#end();
    else if (request.isReceived) this.#advance();
    return rest;
  }

  #want(request: ReceivedRequest): void {
    if (this.#awaitsContinue && this.#request === request) this.#wire.write(CONTINUE, "latin1");
    this.#awaitsContinue = false;
    this.#wire.resume();
  }

  #keep(bytes: Buffer): void {
    // A request that has been answered meanwhile.
    if (!this.#request) return this.#readHead(bytes);
    this.#ahead ??= new Block();
    this.#ahead.add(bytes, 0, bytes.length, 0);
    this.#aheadBytes += bytes.length;
    if (this.#aheadBytes < MAX_AHEAD_BYTES || this.#isHeld) return;
    this.#isHeld = true;
    this.#wire.pause();
  }

  #leave(failure: Error): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#stopTimes();
    this.#request?.leave(failure);
    this.#sink?.closed();
    if (!this.#isEnding) this.#wire.destroy();
    this.#host.onGone(this);
  }

  #stopTimes(): void {
    this.#idle.stop();
    this.#headDeadline?.stop();
    this.#linger?.stop();
  }
}

/** Whether the connection may be used again (RFC 9112 §9.3). */
function isKept({ headers, isCurrent }: ReceivedRequest): boolean {
  const options = headers.get("connection");
  return isCurrent ? options === null || !hasToken(options, "close") : hasToken(options, "keep-alive");
}

function tooSlow(): ProxyError {
  return new ProxyError("request_timeout", "Cannot read the request: its head did not arrive in time (limit 15 s)");
}
