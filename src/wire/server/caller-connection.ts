/**
 * A caller's connection: handles its requests, one after the other, and their responses (RFC 9112 §9).
 * @module
 */

import type { Buffer } from "node:buffer";
import { discard } from "../../core/http/body.ts";
import { answerError, toProxyError } from "../../core/http/error.ts";
import type { Reply } from "../../core/http/reply.ts";
import { CallerBonds } from "../client/bonds.ts";
import { type CallerWire, CLOSED, type WireWatch } from "../contract.ts";
import type { BodySink } from "./body-sink.ts";
import { ConnectionDeadlines } from "./connection-deadlines.ts";
import { BytesAhead, HeadReader } from "./head-reader.ts";
import type { Host, Peer, Taken } from "./server-context.ts";
import { createUnread, ReceivedRequest } from "./received-request.ts";
import { readFraming, type RequestHead } from "./request-head.ts";
import { TurnShare } from "../turn.ts";
import { answerContinue } from "./continue.ts";
import { type ReplyEvents, writeInterim, writeReply } from "./write-reply.ts";
import { WireSource } from "./wire-source.ts";
import { WireStream } from "../wire-stream.ts";

/** The next request waits while more than this many bytes are unsent. */
const MAX_UNSENT_BYTES = 1_048_576;

/** The connection of one caller. */
export class CallerConnection implements WireWatch, Taken, ReplyEvents {
  readonly address: string;
  place = -1;
  readonly #peer: Peer;
  readonly #host: Host;
  readonly #heads = new HeadReader();
  readonly #limits: ConnectionDeadlines;
  readonly #bonds = new CallerBonds();
  #wire!: CallerWire;
  /** The request that is being read or answered. */
  #request: ReceivedRequest | undefined;
  #sink: BodySink | undefined;
  readonly #ahead = new BytesAhead();
  readonly #share = new TurnShare(() => this.#advance());
  /** True if the caller has closed its side after requests that still wait for their turn. */
  #hasEnded = false;
  /** True once the whole response has been handed to the connection. */
  #isAnswered = false;
  /** True if the connection ends after this response. */
  #isLast = false;
  /** True once the connection is ending: bytes that arrive are dropped, not read as a request. */
  #isEnding = false;
  #isGone = false;
  #stream: WireStream | undefined;

  constructor(peer: Peer, host: Host) {
    this.address = (this.#peer = peer).address;
    this.#host = host;
    this.#limits = new ConnectionDeadlines(host.times, {
      countUnsent: () => this.#wire.writableLength,
      onSlowHead: (failure) => this.#refuse(failure),
      onOver: () => this.destroy(),
    });
    if (peer.isShaking) this.#limits.waitForHandshake();
  }

  /** Starts reading from a wire that reports to this connection. */
  open(wire: CallerWire): void {
    this.#wire = wire;
    wire.resume();
  }

  onOpen(): void {
    if (!this.#isGone) this.#limits.waitForRequest();
  }

  onBytes(bytes: Buffer): void {
    if (this.#stream) this.#stream.onBytes(bytes);
    else this.#read(bytes, false);
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
    this.#hasEnded ||= this.#share.isUsedUp;
    if (this.#hasEnded && !failure) return;
    const isServed = this.#request === undefined || this.#isAnswered;
    const hasMore = isServed && !failure && this.#wire.writableLength > 0;
    // Responses that are already written are still sent.
    if (!hasMore) this.destroy(failure);
    else this.#end(true);
  }

  /** Closes the connection if it has no request and no unsent bytes. */
  drain(): void {
    if (!this.#request && !this.#isEnding && this.#wire.writableLength === 0) this.destroy();
  }

  /** Hands the connection over to another protocol. `rest` is the first data of that protocol, if it has already arrived. */
  release(): { wire: CallerWire; rest: Buffer | undefined } {
    this.#forget();
    return { wire: this.#wire, rest: this.#ahead.takeAll() };
  }

  /** Like `release`, but as a stream, for wires that keep reporting to this connection. */
  releaseStream(): WireStream {
    const { wire, rest } = this.release();
    return this.#stream = new WireStream(wire, rest);
  }

  /** Takes bytes. Those that are `own` were taken from the bytes ahead, so they come before the others there. */
  #read(bytes: Buffer, isOwn: boolean): void {
    if (this.#isGone) return;
    if (this.#isEnding) return this.#limits.drop();
    const request = this.#request;
    if (!request) return this.#readHead(bytes, isOwn);
    const rest = request.isReceived ? bytes : this.#readBody(request, bytes);
    if (rest.length === 0) return;
    // The request may have been answered in the meantime.
    if (!this.#request) this.#readHead(rest, isOwn);
    else if (this.#ahead.keep(rest, isOwn)) this.#wire.pause();
  }

  #readHead(bytes: Buffer, isOwn: boolean): void {
    try {
      const read = this.#heads.read(bytes);
      if (read) this.#begin(read.head, read.rest, isOwn);
      // Empty lines give no more time.
      else if (this.#heads.hasBegun) this.#limits.waitForHead();
    } catch (error) {
      this.#refuse(error);
    }
  }

  #begin(head: RequestHead, rest: Buffer, isOwn: boolean): void {
    this.#limits.stop();
    const framing = readFraming(head);
    const source = framing === 0 ? undefined : new WireSource(this.#wire, () => this.#want(request));
    const request = new ReceivedRequest(head, framing, this.#peer, source, this.#bonds);
    this.#request = request;
    this.#isAnswered = false;
    if (request.isCurrent) request.sendInterim = (interim) => writeInterim(this.#wire, interim);
    if (rest.length > 0) this.#read(rest, isOwn);
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

  #write(reply: Reply, request: ReceivedRequest): void {
    const mayGoOn = request.mayGoOn(reply.status, this.#ahead.isEmpty);
    this.#isLast ||= !mayGoOn || this.#host.isDraining;
    this.#sink = writeReply(this.#wire, reply, request, this.#isLast, this);
  }

  onLast(): void {
    this.#isLast = true;
  }

  onCut(): void {
    this.destroy();
  }

  /** The response is complete. The rest of the request is read and dropped, so that the response gets through. */
  onWhole(): void {
    this.#isAnswered = true;
    const request = this.#request;
    if (this.#isLast || !request || request.isReceived) return this.#advance();
    if (request.body && !request.body.hasReader) discard(request.body);
    this.#wire.resume();
    this.#limits.waitForBody(() => this.#end());
  }

  /** Continues with the next request, or ends the connection. */
  #advance(): void {
    if (this.#isEnding || this.#isGone) return;
    const holdsBack = this.#wire.writableLength > MAX_UNSENT_BYTES;
    const isLeft = this.#hasEnded && (holdsBack || this.#ahead.isEmpty);
    if (isLeft || this.#isLast || this.#host.isDraining) return this.#end();
    if (this.#request?.isReceived === false || holdsBack) return;
    if (!this.#ahead.isEmpty && !this.#share.take()) return;
    this.#request = undefined;
    this.#isAnswered = false;
    this.#limits.waitForRequest();
    this.#wire.resume();
    const isFree = () => this.#request?.isReceived !== true && !this.#ahead.isEmpty;
    while (isFree()) this.#read(this.#ahead.take()!, true);
  }

  /** Sends the rest and closes at least our side. Reads on for a while: otherwise a reset could overtake the response. */
  #end(isWhole = this.#request?.isWhole === true && this.#ahead.isEmpty): void {
    if (this.#isGone) return;
    this.#isEnding = true;
    this.#wire.resume();
    this.#limits.waitForEnd();
    this.#wire.finish(isWhole);
  }

  /** Has bytes that are not a valid request refused, on record like any other, and ends the connection. */
  #refuse(error: unknown): void {
    this.#limits.stop();
    void this.#answer(this.#request = createUnread(toProxyError(error), this.#peer));
  }

  #readBody(request: ReceivedRequest, bytes: Buffer): Buffer {
    const rest = request.receive(bytes);
    if (!this.#isAnswered) return rest;
    this.#limits.goOn();
    if (request.isBroken) this.#end();
    else if (request.isReceived) this.#advance();
    return rest;
  }

  #want(request: ReceivedRequest): void {
    answerContinue(this.#wire, request);
    this.#wire.resume();
  }

  destroy(failure: Error = CLOSED): void {
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
