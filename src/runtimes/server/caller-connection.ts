/**
 * A caller's connection: its requests one after the other, and their responses (RFC 9112 §9).
 * @module
 */

import type { Buffer } from "node:buffer";
import { discard } from "../../http/body.ts";
import type { Deadline, Deadlines } from "../../http/deadlines.ts";
import { answerError, ProxyError, toProxyError } from "../../http/error.ts";
import { hasToken } from "../../http/headers.ts";
import type { Reply } from "../../http/reply.ts";
import { type CallerWire, closed, type WireWatch } from "../http1/wire.ts";
import type { BodySink } from "./body-sink.ts";
import { BytesAhead } from "./bytes-ahead.ts";
import { ReceivedRequest } from "./request.ts";
import { HeadReader, readFraming, type RequestHead } from "./request-head.ts";
import { writeReply } from "./write-reply.ts";
import { WireStream } from "./wire-stream.ts";

/** The next request waits while more bytes than this have not been sent. */
const MAX_UNSENT_BYTES = 1_048_576;
/** A caller who has taken nothing at so many looks, two seconds apart, is cut off. */
const MAX_STALLS = 37;
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
  readonly #ahead = new BytesAhead();
  /** True once the response has been given to the connection. */
  #isAnswered = false;
  /** True if the caller still waits for a 100. */
  #awaitsContinue = false;
  /** True if the connection ends with this response. */
  #isLast = false;
  /** True once nothing that arrives is read as a request. */
  #isEnding = false;
  #isGone = false;
  /** Bytes that had not been sent at the last look, and how many looks saw the same. */
  #unsentBytes = 0;
  #stalls = 0;
  #stream: WireStream | undefined;

  constructor({ address, isSecure }: Peer, host: Host) {
    this.address = address;
    this.#isSecure = isSecure;
    this.#host = host;
    this.#idle = host.times.idle.start(() => this.#expire());
  }

  /** Begins with a wire that reports to this connection. */
  open(wire: CallerWire): void {
    this.#wire = wire;
    wire.resume();
  }

  onOpen(): void {}

  onBytes(bytes: Buffer): void {
    if (this.#stream) return this.#stream.onBytes(bytes);
    if (this.#isEnding || this.#isGone) return;
    const request = this.#request;
    if (!request) return this.#readHead(bytes);
    const rest = request.isReceived ? bytes : this.#readBody(request, bytes);
    if (rest.length === 0) return;
    // It may have been answered meanwhile.
    if (!this.#request) return this.#readHead(rest);
    if (this.#ahead.add(rest)) this.#wire.pause();
  }

  onDrain(): void {
    if (this.#stream) return this.#stream.onDrain();
    this.#sink?.drained();
    if (this.#isEnding) this.#linger?.start();
    else if (this.#isAnswered) this.#advance();
    else if (this.#host.isDraining) this.drain();
  }

  onClose(failure?: Error): void {
    if (this.#stream) return this.#stream.onClose(failure);
    if (this.#isGone) return;
    const isServed = this.#request === undefined || this.#isAnswered;
    const hasMore = isServed && !failure && this.#wire.writableLength > 0;
    // What has been answered still gets through.
    if (!hasMore) this.#leave(failure ?? closed());
    else this.#finish(true);
  }

  /** Ends it if it has no request, and no response that is being sent. */
  drain(): void {
    if (!this.#request && !this.#isEnding && this.#wire.writableLength === 0) this.destroy();
  }

  destroy(): void {
    this.#leave(closed());
  }

  /** Hands the connection over, for another protocol. The bytes that have arrived are the first of it. */
  release(): { wire: CallerWire; rest: Buffer | undefined } {
    this.#forget();
    return { wire: this.#wire, rest: this.#ahead.take() };
  }

  /** The same as a stream, for wires that go on reporting to this connection. */
  releaseStream(): WireStream {
    const { wire, rest } = this.release();
    return this.#stream = new WireStream(wire, rest);
  }

  #readHead(bytes: Buffer): void {
    this.#idle.stop();
    this.#stopLingering();
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
    const isKept = request !== undefined && !request.isBroken && keepsConnection(request);
    this.#isLast ||= !isKept || this.#host.isDraining || this.#awaitsContinue;
    // Behind a response a 100 would be read as the next one.
    this.#awaitsContinue = false;
    this.#sink = writeReply(this.#wire, reply, request, this.#isLast, {
      onLast: () => void (this.#isLast = true),
      onWhole: () => this.#answered(),
      onCut: () => this.destroy(),
    });
  }

  /** The response is complete. What is left of the request is read, so that the response gets through. */
  #answered(): void {
    this.#isAnswered = true;
    const request = this.#request;
    if (this.#isLast || !request || request.isReceived) return this.#advance();
    if (request.body && !request.body.hasReader) discard(request.body);
    this.#wire.resume();
    this.#linger = this.#host.times.linger.start(() => this.#end());
  }

  /** Goes on with the next request. */
  #advance(): void {
    if (this.#isEnding || this.#isGone) return;
    if (this.#isLast || this.#host.isDraining) return this.#end();
    if (this.#request?.isReceived === false) return;
    if (this.#wire.writableLength > MAX_UNSENT_BYTES) return;
    this.#stopLingering();
    this.#request = undefined;
    this.#isAnswered = false;
    this.#idle.start();
    this.#wire.resume();
    const ahead = this.#ahead.take();
    if (ahead) this.onBytes(ahead);
  }

  /** Ends the connection behind a response. Bytes that come are read for a while, or a reset could overtake it. */
  #end(): void {
    if (this.#isEnding || this.#isGone) return;
    const request = this.#request;
    this.#wire.resume();
    this.#finish(request?.isReceived === true && this.#ahead.isEmpty);
  }

  /** Sends what is left, and closes the connection, or its own side only. */
  #finish(isWhole: boolean): void {
    this.#isEnding = true;
    this.#stopLingering();
    this.#linger = this.#host.times.linger.start(() => this.#expire());
    this.#wire.finish(isWhole);
  }

  /** The time is over. A response goes on as long as its caller reads. */
  #expire(): void {
    const { writableLength } = this.#wire;
    this.#stalls = writableLength === this.#unsentBytes ? this.#stalls + 1 : 0;
    this.#unsentBytes = writableLength;
    if (writableLength === 0 || this.#stalls >= MAX_STALLS) return this.destroy();
    if (this.#linger) this.#linger.start();
    else this.#linger = this.#host.times.linger.start(() => this.#expire());
  }

  /** Answers what is no request, and ends the connection. */
  #refuse(error: unknown): void {
    this.#headDeadline?.stop();
    this.#idle.stop();
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

  #leave(failure: Error): void {
    if (this.#isGone) return;
    this.#forget();
    if (!this.#isAnswered) this.#request?.leave(failure);
    this.#sink?.closed();
    this.#wire.destroy();
  }

  #forget(): void {
    this.#isGone = true;
    this.#idle.stop();
    this.#headDeadline?.stop();
    this.#stopLingering();
    this.#host.onGone(this);
  }

  #stopLingering(): void {
    this.#linger?.stop();
    this.#linger = undefined;
  }
}

/** Whether the connection may be used again (RFC 9112 §9.3). */
function keepsConnection({ headers, isCurrent }: ReceivedRequest): boolean {
  const options = headers.get("connection");
  return isCurrent ? options === null || !hasToken(options, "close") : hasToken(options, "keep-alive");
}

function tooSlow(): ProxyError {
  return new ProxyError(
    "request_timeout",
    "Cannot read the request: its head did not arrive in time (limit 15 s)",
  );
}
