/**
 * A caller's connection: its requests one after the other, and their responses (RFC 9112 §9).
 * @module
 */

import type { Buffer } from "node:buffer";
import { discard } from "../../http/body.ts";
import { answerError, toProxyError } from "../../http/error.ts";
import { isUpgrade } from "../../http/headers.ts";
import type { Reply } from "../../http/reply.ts";
import { CallerBonds } from "../http1/bonds.ts";
import { type CallerWire, CLOSED, type WireWatch } from "../http1/wire.ts";
import type { BodySink } from "./body-sink.ts";
import { BytesAhead } from "./bytes-ahead.ts";
import { ConnectionLimits } from "./connection-limits.ts";
import { HeadReader } from "./head-reader.ts";
import type { Host, Peer, Taken } from "./host.ts";
import { ReceivedRequest } from "./request.ts";
import { readFraming, type RequestHead } from "./request-head.ts";
import { type ReplyEvents, writeReply } from "./write-reply.ts";
import { WireSource } from "./wire-source.ts";
import { WireStream } from "../http1/wire-stream.ts";

/** The next request waits while more bytes than this have not been sent. */
const MAX_UNSENT_BYTES = 1_048_576;
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/** One connection. */
export class CallerConnection implements WireWatch, Taken, ReplyEvents {
  /** The caller's IP address. */
  readonly address: string;
  readonly #isSecure: boolean;
  readonly #host: Host;
  readonly #heads = new HeadReader();
  readonly #limits: ConnectionLimits;
  readonly #bonds = new CallerBonds();
  #wire!: CallerWire;
  /** The request that is being read or answered. */
  #request: ReceivedRequest | undefined;
  #source: WireSource | undefined;
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
  #stream: WireStream | undefined;

  constructor({ address, isSecure }: Peer, host: Host) {
    this.address = address;
    this.#isSecure = isSecure;
    this.#host = host;
    this.#limits = new ConnectionLimits(host.times, {
      countUnsent: () => this.#wire.writableLength,
      onSlowHead: (failure) => this.#refuse(failure),
      onOver: () => this.destroy(),
    });
  }

  /** Begins with a wire that reports to this connection. */
  open(wire: CallerWire): void {
    this.#wire = wire;
    wire.resume();
  }

  onOpen(): void {}

  onBytes(bytes: Buffer): void {
    if (this.#stream) return this.#stream.onBytes(bytes);
    if (this.#isGone) return;
    if (this.#isEnding) return this.#limits.drop();
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
    if (this.#isEnding) this.#limits.goOn();
    else if (this.#isAnswered) this.#advance();
    else if (this.#host.isDraining) this.drain();
  }

  onClose(failure?: Error): void {
    if (this.#stream) return this.#stream.onClose(failure);
    if (this.#isGone) return;
    const isServed = this.#request === undefined || this.#isAnswered;
    const hasMore = isServed && !failure && this.#wire.writableLength > 0;
    // What has been answered still gets through.
    if (!hasMore) this.#leave(failure ?? CLOSED);
    else this.#finish(true);
  }

  /** Ends it if it has no request, and no response that is being sent. */
  drain(): void {
    if (!this.#request && !this.#isEnding && this.#wire.writableLength === 0) this.destroy();
  }

  destroy(): void {
    this.#leave(CLOSED);
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
    try {
      const read = this.#heads.read(bytes);
      if (read) this.#begin(read.head, read.rest);
      else if (this.#heads.hasBegun) this.#limits.waitForHead();
      else this.#limits.waitForRequest();
    } catch (error) {
      this.#refuse(error);
    }
  }

  #begin(head: RequestHead, rest: Buffer): void {
    this.#limits.stop();
    const framing = readFraming(head);
    this.#source = framing === 0 ? undefined : new WireSource(this.#wire, (source) => this.#want(source));
    const request = new ReceivedRequest(head, framing, this.#isSecure, this.#source, this.#bonds);
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
    this.#isLast ||= request?.keepsConnection !== true || this.#host.isDraining || this.#awaitsContinue ||
      this.#mayHaveFrames(request, reply);
    // Behind a response a 100 would be read as the next one.
    this.#awaitsContinue = false;
    this.#sink = writeReply(this.#wire, reply, request, this.#isLast, this);
  }

  /** True if bytes of a WebSocket may follow that was refused. A login may go on where none have come. */
  #mayHaveFrames({ headers }: ReceivedRequest, { status }: Reply): boolean {
    return isUpgrade(headers) && (status !== 401 || !this.#ahead.isEmpty);
  }

  onLast(): void {
    this.#isLast = true;
  }

  onCut(): void {
    this.destroy();
  }

  /** The response is complete. What is left of the request is read, so that the response gets through. */
  onWhole(): void {
    this.#isAnswered = true;
    const request = this.#request;
    if (this.#isLast || !request || request.isReceived) return this.#advance();
    if (request.body && !request.body.hasReader) discard(request.body);
    this.#wire.resume();
    this.#limits.waitForBody(() => this.#end());
  }

  /** Goes on with the next request. */
  #advance(): void {
    if (this.#isEnding || this.#isGone) return;
    if (this.#isLast || this.#host.isDraining) return this.#end();
    if (this.#request?.isReceived === false) return;
    if (this.#wire.writableLength > MAX_UNSENT_BYTES) return;
    this.#request = undefined;
    this.#isAnswered = false;
    this.#limits.waitForRequest();
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
    this.#limits.waitForEnd();
    this.#wire.finish(isWhole);
  }

  /** Answers what is no request, and ends the connection. */
  #refuse(error: unknown): void {
    this.#limits.stop();
    this.#write(answerError(toProxyError(error), "Proxy Error"), undefined);
  }

  #readBody(request: ReceivedRequest, bytes: Buffer): Buffer {
    const rest = request.receive(bytes);
    if (!this.#isAnswered) return rest;
    this.#limits.goOn();
    if (request.isBroken) this.#end();
    else if (request.isReceived) this.#advance();
    return rest;
  }

  #want(source: WireSource): void {
    if (this.#awaitsContinue && this.#source === source) this.#wire.write(CONTINUE, "latin1");
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
    this.#limits.stop();
    this.#bonds.end();
    this.#host.onGone(this);
  }
}
