/**
 * One request and its response on a connection to a target (RFC 9112). Reads everything that the target sends: before,
 * during and after the writing of the request.
 * @module
 */

import type { Buffer } from "node:buffer";
import { setTimeout } from "node:timers";
import { FlowBody } from "../../core/http/flow.ts";
import type { Patience } from "../../core/http/flow-queue.ts";
import { FLOODING_INTERIMS } from "../../core/interim.ts";
import { type Body, isStreaming } from "../../core/http/body.ts";
import type { Outgoing } from "../../core/runtime.ts";
import type { ResponseHeads } from "./response-heads.ts";
import type { RoundTripEvents } from "./round-trip-events.ts";
import { type Block, keepRest } from "../codec/block.ts";
import type { Decoder } from "../codec/decoder.ts";
import { createDecoder } from "../codec/framing.ts";
import { malformed, type ReadHead, type ResponseHead } from "../codec/head.ts";
import { formatHead } from "../codec/outgoing-head.ts";
import { part } from "../codec/buffers.ts";
import { formatFraming, Upload, type UploadWatch } from "./upload.ts";
import { CLOSED, type Wire } from "../contract.ts";

/** After the response, an upload that makes no progress for this many milliseconds is given up. */
const UPLOAD_LINGER_MS = 5_000;

/** A request in flight, and its response. */
export class RoundTrip implements UploadWatch {
  readonly outgoing: Outgoing;
  readonly #wire: Wire;
  readonly #heads: ResponseHeads;
  readonly #patience: Patience;
  readonly #events: RoundTripEvents;
  #partialHead: Block | undefined;
  #interims = 0;
  #decoder: Decoder | undefined;
  #body: FlowBody | undefined;
  #upload: Upload | undefined;
  /** True once the request has been written to the connection. */
  isStarted = false;
  #isSettled = false;
  #isAnswered = false;
  #isOver = false;
  #idleMs = 0;
  /** Timer for an upload that continues after its response. */
  #lingering: NodeJS.Timeout | undefined;
  readonly #abort = (): void => {
    const { reason } = this.outgoing.signal;
    this.fail(this.#wire.explainEnd?.(reason) ?? reason);
  };

  constructor(
    outgoing: Outgoing,
    wire: Wire,
    heads: ResponseHeads,
    patience: Patience,
    events: RoundTripEvents,
  ) {
    this.outgoing = outgoing;
    this.#wire = wire;
    this.#heads = heads;
    this.#patience = patience;
    this.#events = events;
    outgoing.signal.addEventListener("abort", this.#abort, { once: true });
  }

  /** Removes the listener: the signal would keep the round trip in memory, and collecting that costs a tenth of a request's time. */
  #end(): void {
    this.#isOver = true;
    this.outgoing.signal.removeEventListener("abort", this.#abort);
  }

  /** Sends the request. The head is sent at once, because the target may decide from it what to do with the body. */
  start(): void {
    if (this.#isOver) return;
    this.isStarted = true;
    try {
      this.#write(formatHead(this.outgoing, formatFraming(this.outgoing)));
    } catch (failure) {
      this.fail(failure);
    }
  }

  #write(head: string | Buffer): void {
    const { body } = this.outgoing;
    const wire = this.#wire;
    if (body === null) {
      wire.write(head, "latin1");
      return this.outgoing.watch?.onSent();
    }
    wire.cork();
    wire.write(head, "latin1");
    this.#upload = new Upload(this.outgoing, wire, this);
    if (!isStreaming(body)) this.#upload.end(body);
    wire.uncork();
    if (isStreaming(body)) this.#upload.take(body, this.outgoing.continuation);
  }

  read(bytes: Buffer): void {
    try {
      // Unexpected bytes could be taken for the next response, so the connection is not reused.
      if (this.#isAnswered) this.#idleMs = 0;
      else if (this.#decoder) this.#readBody(this.#decoder, this.#body!, bytes);
      else this.#readHeads(bytes);
    } catch (failure) {
      this.fail(failure);
    }
  }

  drained(): void {
    this.#upload?.drained();
    if (this.#lingering && !this.#upload?.isUnderWay) this.#finish();
  }

  /** The target accepts no more bytes. What it has sent is still read (RFC 9112 §9.5). */
  stopUpload(): void {
    this.#upload?.closed();
  }

  /** The target has closed its side of the connection; cleanly if there is no failure. */
  closed(failure?: Error): void {
    if (!failure && this.#decoder?.endsWithConnection) this.#answered();
    else this.fail(failure ?? CLOSED);
  }

  /** Leaves a connection that has ended without a response, so that the request is sent again. */
  goOutAgain(): void {
    if (this.#isOver) return;
    this.#end();
    this.#events.onAgain();
  }

  /** Aborts the round trip and its connection. */
  fail(failure: unknown): void {
    if (this.#isOver) return;
    this.#end();
    if (!this.#isSettled) this.#events.reject(failure);
    this.#isSettled = true;
    this.#body?.end(failure instanceof Error ? failure : new Error("aborted"));
    this.#upload?.closed();
    this.#events.onOver(0);
  }

  #readHeads(bytes: Buffer): void {
    const partial = this.#partialHead;
    let from = partial?.size ?? 0;
    partial?.add(bytes, 0, bytes.length, 0);
    let rest: Buffer = partial?.bytes ?? bytes;
    this.#partialHead = undefined;
    for (;; from = 0) {
      const read = this.#heads.read(rest, from);
      if (!read) return void (this.#partialHead = keepRest(rest, partial));
      const { status, reason: statusText, headers, isCurrent } = read.head;
      this.outgoing.watch?.onVersion(isCurrent ? "HTTP/1.1" : "HTTP/1.0");
      if (status < 100 || status >= 200) return this.#begin(read, rest);
      rest = part(rest, read.size);
      if (status === 101) return this.#switch(read.head, rest);
      if ((this.#interims += 1) > FLOODING_INTERIMS) throw malformed("interim responses");
      this.outgoing.watch?.onInterim({ status, statusText, headers });
      this.#upload?.heard(status);
      if (status !== 100) this.outgoing.interims?.take({ status, statusText, headers });
    }
  }

  #switch({ isCurrent, headers }: ResponseHead, rest: Buffer): void {
    // HTTP/1.0 has no protocol upgrade (RFC 9110 §7.8).
    if (!isCurrent) throw malformed("101 of HTTP/1.0");
    this.#events.onSwitch(headers, rest);
    this.#end();
  }

  /** @param bytes the head and the bytes after it */
  #begin(read: ReadHead, bytes: Buffer): void {
    const { head, size: at } = read;
    const { framing, idleMs } = this.#heads.endOf(read, this.outgoing.method);
    this.#idleMs = framing === "unframed" || this.#upload?.refused() ? 0 : idleMs;
    const size = bytes.length - at;
    if (typeof framing === "number" && framing <= size) {
      if (framing < size) this.#idleMs = 0;
      this.#answered();
      const whole = framing > 0 ? part(bytes, at, at + framing) as Uint8Array<ArrayBuffer> : null;
      return this.#resolve(head, whole);
    }
    const decoder = this.#decoder = createDecoder(framing);
    const body = this.#body = this.#createBody();
    // Read before the response is reported, so that the request fails if the body is malformed from the start.
    this.#readBody(decoder, body, part(bytes, at));
    const { length } = decoder;
    if (length === undefined || length > this.#patience.maxBytes) return this.#resolve(head, body);
    // The rest of a short body almost always follows its head immediately.
    body.gather(this.#patience, (whole, failure) => {
      if (failure) this.fail(failure);
      else this.#resolve(head, whole ?? body);
    });
  }

  #createBody(): FlowBody {
    return new FlowBody({
      pause: () => void this.#wire.pause(),
      resume: () => void this.#wire.resume(),
      cancel: () => this.fail(new Error("nobody reads on")),
    });
  }

  #readBody(decoder: Decoder, body: FlowBody, bytes: Buffer): void {
    if (decoder.decode(bytes, (chunk, isLast) => body.push(chunk, isLast)).length) this.#idleMs = 0;
    if (!decoder.isOver) return;
    body.trailers = decoder.trailers;
    this.#answered();
  }

  #answered(): void {
    this.#isAnswered = true;
    this.#body?.end();
    this.#finish();
  }

  onWhole(): void {
    this.outgoing.watch?.onSent();
    this.#finish();
  }

  /** An upload continues after its response, unless the target closes the connection. */
  #finish(): void {
    if (this.#isOver || !this.#isAnswered) return;
    const upload = this.#upload;
    // Bytes that the target has not taken yet would precede the next request.
    if (this.#idleMs > 0 && upload?.isUnderWay) return this.#linger(upload);
    this.#end();
    upload?.closed();
    this.#events.onOver(this.#idleMs);
  }

  #linger(upload: Upload): void {
    const { progress } = upload;
    this.#lingering ??= setTimeout(() => {
      this.#lingering = undefined;
      if (upload.progress === progress) this.#idleMs = 0;
      this.#finish();
    }, UPLOAD_LINGER_MS).unref();
  }

  #resolve({ status, reason: statusText, headers }: ResponseHead, body: Body): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const upload = this.#upload;
    this.#events.resolve({ status, statusText, headers, body }, upload?.isOver ? undefined : upload);
  }
}
