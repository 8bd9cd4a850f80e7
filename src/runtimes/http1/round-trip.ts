/**
 * One request and its response on a connection to a target (RFC 9112).
 * @module
 */

import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers";
import { FlowBody } from "../../http/flow.ts";
import type { Patience } from "../../http/gather.ts";
import { type Body, isStreaming } from "../../http/body.ts";
import type { HopWatch } from "../../exchange/capture/hop-watch.ts";
import type { Outgoing } from "../../exchange/runtime.ts";
import type { Decoder } from "./decoder.ts";
import { readEnd } from "./answer-end.ts";
import type { AnswerHeads } from "./answer-heads.ts";
import { createDecoder, isBodiless } from "./framing.ts";
import { type AnswerHead, malformed } from "./head.ts";
import { formatHead } from "./outgoing-head.ts";
import { part } from "./part.ts";
import { formatFraming, Upload } from "./upload.ts";
import type { RoundTripEvents } from "./round-trip-events.ts";
import { CLOSED, type Wire } from "./wire.ts";

/** After the response, an upload may pause this many milliseconds, because neither side waits for it. */
const UPLOAD_LINGER_MS = 5_000;
const NOTHING = Buffer.alloc(0);

/** A request in flight, and its response. */
export class RoundTrip {
  readonly #outgoing: Outgoing;
  readonly #wire: Wire;
  readonly #heads: AnswerHeads;
  readonly #patience: Patience;
  readonly #events: RoundTripEvents;
  /** Bytes of an incomplete head. */
  #partial: Buffer = NOTHING;
  #decoder: Decoder | undefined;
  #body: FlowBody | undefined;
  #upload: Upload | undefined;
  #isSent = false;
  #hasFirstByte = false;
  #isSettled = false;
  #isAnswered = false;
  #isOver = false;
  #idleMs = 0;

  constructor(
    outgoing: Outgoing,
    wire: Wire,
    heads: AnswerHeads,
    patience: Patience,
    events: RoundTripEvents,
  ) {
    this.#outgoing = outgoing;
    this.#wire = wire;
    this.#heads = heads;
    this.#patience = patience;
    this.#events = events;
  }

  /** Sends the request. The head is sent at once, because the target may decide by it what to do with the body. */
  start(): void {
    try {
      this.#write(formatHead(this.#outgoing, formatFraming(this.#outgoing)));
    } catch (failure) {
      this.fail(failure);
    }
  }

  #write(head: string | Buffer): void {
    const { body } = this.#outgoing;
    const wire = this.#wire;
    if (body === null) {
      wire.write(head, "latin1");
      this.#isSent = true;
      this.watch?.onSent();
      return;
    }
    wire.cork();
    wire.write(head, "latin1");
    this.#upload = new Upload(this.#outgoing, wire, {
      onWhole: () => this.#sent(),
      onFailure: (failure) => this.fail(failure),
    });
    if (!isStreaming(body)) this.#upload.end(body);
    wire.uncork();
    if (isStreaming(body)) this.#upload.take(body, this.#outgoing.continuation);
  }

  read(bytes: Buffer): void {
    try {
      // Unexpected bytes could be taken for the next response, so the connection is not reused.
      if (this.#isAnswered) this.#idleMs = 0;
      else if (this.#decoder) this.#readBody(this.#decoder, bytes);
      else this.#readHeads(bytes);
    } catch (failure) {
      this.fail(failure);
    }
  }

  drained(): void {
    this.#upload?.drained();
  }

  /** The target takes nothing any more. What it has said is still read (RFC 9112 §9.5). */
  stopUpload(): void {
    if (!this.#isSent) this.#upload?.closed();
  }

  /** The target has closed its side; cleanly if there is no failure. */
  closed(failure?: Error): void {
    if (!failure && this.#decoder?.endsWithConnection) this.#answered();
    else if (!this.#goesOutAgain()) this.fail(failure ?? CLOSED);
  }

  #goesOutAgain(): boolean {
    if (this.#isOver || this.#hasFirstByte || this.#events.onUnheard?.() !== true) return false;
    return this.#isOver = this.#isSettled = true;
  }

  /** Aborts the round trip and its connection. */
  fail(failure: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reject(failure);
    this.#body?.end(failure instanceof Error ? failure : new Error("aborted"));
    this.#upload?.closed();
    this.#events.onOver(0);
  }

  get watch(): HopWatch | undefined {
    return this.#outgoing.watch;
  }

  #readHeads(bytes: Buffer): void {
    if (!this.#hasFirstByte) {
      this.#hasFirstByte = true;
      this.watch?.onFirstByte();
    }
    let rest = this.#partial.length ? Buffer.concat([this.#partial, bytes]) : bytes;
    this.#partial = NOTHING;
    for (;;) {
      const read = this.#heads.read(rest);
      if (!read) return void (this.#partial = rest);
      const { head, size } = read;
      const { status, reason: statusText, headers } = head;
      if (status === 101) return this.#switch(head, part(rest, size));
      if (status < 100 || status >= 200) return this.#begin(head, rest, size);
      if (status === 100) this.#upload?.wanted();
      else this.#outgoing.onInterim?.({ status, statusText, headers });
      rest = part(rest, size);
    }
  }

  #switch({ isCurrent, headers }: AnswerHead, rest: Buffer): void {
    // HTTP/1.0 has no protocol upgrade (RFC 9110 §7.8).
    if (!isCurrent) throw malformed("101 of HTTP/1.0");
    if (!this.#events.onSwitch) {
      throw Object.assign(new Error("unexpected upgrade"), { code: "UnrequestedUpgrade" });
    }
    this.#isOver = true;
    this.#isSettled = true;
    this.#events.onSwitch(headers, rest);
  }

  /** @param at where the body begins in the bytes */
  #begin(head: AnswerHead, bytes: Buffer, at: number): void {
    const end = readEnd(head);
    const framing = isBodiless(head, this.#outgoing.method) ? 0 : end.framing;
    this.#idleMs = framing === "unframed" || this.#upload?.refused() ? 0 : end.idleMs;
    const size = bytes.length - at;
    if (typeof framing === "number" && framing <= size) {
      if (framing < size) this.#idleMs = 0;
      this.#answered();
      const whole = framing > 0 ? part(bytes, at, at + framing) as Uint8Array<ArrayBuffer> : null;
      return this.#resolve(head, whole);
    }
    const decoder = createDecoder(framing);
    const body = this.#createBody();
    this.#decoder = decoder;
    this.#body = body;
    // Before the response is reported: if its body is malformed from the start, the request fails.
    this.#readBody(decoder, part(bytes, at));
    const { length } = decoder;
    if (length === undefined || length > this.#patience.maxBytes) return this.#resolve(head, body);
    // The rest of a short body almost always follows its head at once.
    body.gather(this.#patience, (whole, failure) => {
      if (failure) this.fail(failure);
      else this.#resolve(head, whole ?? body);
    });
  }

  #createBody(): FlowBody {
    return new FlowBody({
      pause: () => void (this.#isOver || this.#wire.pause()),
      resume: () => void (this.#isOver || this.#wire.resume()),
      cancel: () => this.fail(new Error("nobody reads on")),
    });
  }

  #readBody(decoder: Decoder, bytes: Buffer): void {
    if (decoder.decode(bytes, (chunk, isLast) => this.#body?.push(chunk, isLast)).length) this.#idleMs = 0;
    if (!decoder.isOver) return;
    if (this.#body) this.#body.trailers = decoder.trailers;
    this.#answered();
  }

  #answered(): void {
    this.#isAnswered = true;
    this.#body?.end();
    this.#finish();
  }

  #sent(): void {
    this.#isSent = true;
    this.watch?.onSent();
    this.#finish();
  }

  /** An upload continues after its response, unless the target closes the connection. */
  #finish(): void {
    if (this.#isOver || !this.#isAnswered) return;
    if (!this.#isSent && this.#idleMs > 0) return this.#linger();
    this.#isOver = true;
    if (!this.#isSent) this.#upload?.closed();
    this.#events.onOver(this.#idleMs);
  }

  #linger(): void {
    const size = this.#upload?.size;
    setTimeout(() => {
      if (this.#upload?.size === size) this.#idleMs = 0;
      this.#finish();
    }, UPLOAD_LINGER_MS).unref();
  }

  #resolve({ status, reason: statusText, headers }: AnswerHead, body: Body): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const upload = this.#upload?.isOver ? undefined : this.#upload;
    this.#events.resolve({ status, statusText, headers, body }, upload);
  }

  #reject(failure: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#events.reject(failure);
  }
}
