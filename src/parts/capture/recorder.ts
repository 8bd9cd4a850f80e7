/**
 * Records one request while capture is on. The steps call it at a few places; it never changes the request.
 * @module
 */

import { type Body, isStreaming } from "../../core/http/body.ts";
import { Fields, linesOf } from "../../core/http/fields.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { Incoming, Outgoing, Send } from "../../core/runtime.ts";
import type { Interim } from "../../core/interim.ts";
import type { SocketMessage } from "../../core/socket-message.ts";
import type { Capture, CapturedRequest, CapturedResponse, CapturedTimes } from "./capture.ts";
import { type Decode, DecodedSearch } from "./decoded-search.ts";
import { type HopContext, HopRecorder } from "./hop-recorder.ts";
import { findWithheld, hasEvents, KeptBody } from "./kept-body.ts";
import { findUnsent, headOf, KeptHeads, type RecorderContext } from "./kept-heads.ts";
import { maskCapture } from "./mask-fields.ts";
import { type Memory, MessageLog, MOST_MESSAGES, MOST_PAYLOAD } from "./message-log.ts";
import { Operation } from "./operation.ts";
import type { RingEntry } from "./ring.ts";
import type { Recording, RequestRecord } from "../../core/exchange/record.ts";
import { isSameViewer } from "./viewer.ts";

/** Rough overhead of a request in bytes, in addition to its heads and bodies. */
const BASE_BYTES = 1_000;
/** The interim response that a caller gets if it waits for one. */
const CONTINUE: Interim = { status: 100, statusText: "Continue", headers: new Fields() };

/** Records one request. */
export class Recorder implements RingEntry, HopContext, Recording {
  readonly #record: RequestRecord;
  readonly #context: RecorderContext;
  readonly #memory: Memory;
  readonly heads: KeptHeads;
  readonly numberOf: RecorderContext["numberOf"];
  readonly #start = performance.now();
  readonly #hops: HopRecorder[] = [];
  /** The request, until the caller is known and its head may be kept. */
  #incoming: Incoming | undefined;
  #viewer: string | undefined;
  #request: CapturedRequest | undefined;
  #interims: Capture["interims"];
  #response: CapturedResponse | undefined;
  #requestBody: KeptBody | undefined;
  #responseBody: KeptBody | undefined;
  #messages: MessageLog | undefined;
  #begun: Pick<CapturedTimes, "startMs" | "lookedUpMs"> = { startMs: 0 };
  isRunning = true;
  readonly #search = new DecodedSearch();
  readonly #operation = new Operation();

  constructor(record: RequestRecord, incoming: Incoming, context: RecorderContext) {
    this.#record = record;
    this.#incoming = incoming;
    this.#context = context;
    this.#memory = context.memoryOf(record.id);
    this.numberOf = context.numberOf;
    this.heads = new KeptHeads(context, (bytes) => this.#memory.take(bytes));
    const { continuation } = incoming;
    if (continuation) continuation.onContinue = () => this.onInterim(CONTINUE);
  }

  get id(): string {
    return this.#record.id;
  }

  get time(): number {
    return this.#record.time;
  }

  get operation(): string | undefined {
    return this.#operation.read(this.#requestBody, this.#context.guard);
  }

  get query(): string | undefined {
    return this.heads.query(this.#hops[0]?.hop.request ?? findUnsent(this.#request, this.#record.aim));
  }

  /** Notes that this viewer's console sent the request, so that this viewer sees its secrets. */
  own(viewer: string | null): void {
    if (!viewer || this.#request) return;
    this.#viewer = viewer;
    this.heads.isOwn = true;
  }

  /** Notes that the steps begin: the first hop's time counts from here. */
  aim(): void {
    this.#begun = { startMs: this.now() };
  }

  /** Notes that the addresses of the target's name are known. */
  lookedUp(): void {
    this.#begun = { ...this.#begun, lookedUpMs: this.now() };
  }

  /** Wraps a sender, so that its hops are recorded. */
  watch(send: Send): Send {
    return async (outgoing) => {
      const hop = this.#beginHop(outgoing);
      try {
        const upstream = await send({ ...outgoing, watch: hop });
        hop.answered(upstream);
        this.#begun = { startMs: this.now() };
        return upstream;
      } catch (failure) {
        const { aborted, reason } = outgoing.signal;
        hop.failed(aborted ? reason : failure);
        throw failure;
      }
    };
  }

  get messageBytes(): number {
    return Math.min(this.#context.bodyBytes, MOST_PAYLOAD);
  }

  readonly mostMessages = MOST_MESSAGES;

  /** Notes a message of a WebSocket. */
  readonly onMessage = (message: SocketMessage): void => {
    this.#messages ??= new MessageLog(this.#context.bodyBytes, this.#memory);
    this.#messages.add(this.now(), message);
  };

  /** Notes an interim response to the caller. */
  onInterim(interim: Interim): void {
    this.#interims = this.heads.interim(this.#interims, interim, this.now());
  }

  /** Notes the response to the caller, as it is sent. */
  answer(reply: Reply, method: string): void {
    const { status, statusText = "", headers, body } = reply;
    this.#keepHead();
    this.#response = this.heads.response({ status, statusText, headers: linesOf(headers) });
    if (body === null || method === "HEAD") return;
    const isOwn = this.#hops.at(-1)?.hop.response === undefined;
    const withheld = findWithheld(reply, { isOwn, hadKey: this.heads.hadKey });
    this.#responseBody = this.#keepBody(body, this.#hops.at(-1)?.hop.response, withheld);
    this.#followTrailers(body, this.#response);
  }

  /** Notes that the request has ended. */
  end(): void {
    this.#hops.at(-1)?.ended();
    this.isRunning = false;
  }

  drop(): void {
    // Live traffic still refers to the record.
    this.#record.capture = undefined;
    this.#requestBody?.drop();
    this.#responseBody?.drop();
    this.#messages?.drop();
  }

  /** Milliseconds since the request arrived. */
  now(): number {
    return Math.round((performance.now() - this.#start) * 10) / 10;
  }

  /** True if a body holds a text, given as one character for each byte. Keys of the table are never found. */
  holds(text: string, decode: Decode): Promise<boolean> {
    const { guard } = this.#context;
    const clean: Decode = (...body) =>
      decode(...body).then((text) => text && guard ? guard.cleanBody(text, true) : text);
    const textOf = (body: KeptBody | undefined) => body?.readText(guard) ?? "";
    const request = { text: textOf(this.#requestBody), headers: this.#request?.headers ?? [] };
    const response = { text: textOf(this.#responseBody), headers: this.#response?.headers ?? [] };
    return this.#search.holds(text, [request, response], clean, !this.isRunning);
  }

  /** All that is known so far, as this viewer may see it. */
  read(viewer: string | null): Capture {
    this.#keepHead();
    const { id, time, selector, callerId, aim, status, headMs, totalMs, error } = this.#record;
    const { guard, masker } = this.#context;
    const now = this.now();
    const capture: Capture = {
      id,
      time,
      isRunning: this.isRunning,
      request: this.#request!,
      hops: this.#hops.map(({ hop }) => hop),
      headMs: status === 0 ? now : headMs,
      totalMs: this.isRunning ? now : totalMs,
    };
    if (selector) capture.selector = selector;
    if (callerId) capture.callerId = callerId;
    if (error) capture.error = error;
    if (aim && error && this.#hops.length === 0) capture.refused = this.heads.refused(aim);
    if (this.#interims) capture.interims = this.#interims;
    if (this.#response) capture.response = this.#response;
    if (this.#requestBody) capture.requestBody = this.#requestBody.read(guard);
    if (this.#responseBody) capture.responseBody = this.#responseBody.read(guard);
    if (this.#messages) {
      capture.messages = this.#messages.read(guard, this.heads.hadKey);
      if (this.#messages.skipped > 0) capture.skippedMessages = this.#messages.skipped;
    }
    if (this.#viewer === undefined) return capture;
    return isSameViewer(viewer, this.#viewer) ? { ...capture, isOwn: true } : maskCapture(capture, masker);
  }

  #beginHop(outgoing: Outgoing): HopRecorder {
    this.#keepHead();
    const hop = new HopRecorder(outgoing, this.#begun, this);
    this.#hops.push(hop);
    // A redirect may send the body again.
    if (outgoing.body !== null) {
      this.#requestBody ??= this.#keepBody(outgoing.body, this.#request);
      this.#followTrailers(outgoing.body, hop.hop.request);
    }
    return hop;
  }

  #keepHead(): void {
    if (!this.#incoming) return;
    this.#memory.take(BASE_BYTES);
    this.#request = this.heads.request(headOf(this.#incoming));
    this.#incoming = undefined;
  }

  /** @param received the message that the body arrived with: its trailers are kept too */
  #keepBody(
    body: Exclude<Body, null>,
    received: CapturedRequest | CapturedResponse | undefined,
    withheld?: string,
  ): KeptBody {
    const onOver = () => this.heads.trailers(received, isStreaming(body) ? body.trailers : undefined);
    const now = hasEvents(received?.headers) ? () => this.now() : undefined;
    const kept = new KeptBody(this.#context.bodyBytes, this.#memory, now, withheld, onOver);
    if (isStreaming(body)) body.tap(kept);
    else {
      kept.onBytes(body);
      kept.onEnd();
    }
    return kept;
  }

  /** Keeps the trailers that are passed on with a message. */
  #followTrailers(body: Body, sent: CapturedRequest | CapturedResponse): void {
    if (!isStreaming(body) || !body.passTrailers) return;
    const pass = body.passTrailers;
    body.passTrailers = (trailers) => {
      const passed = pass(trailers);
      this.heads.trailers(sent, passed);
      return passed;
    };
  }
}
