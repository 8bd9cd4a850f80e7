/**
 * Records one request to a target: what was sent, what came back, and when.
 * @module
 */

import { mapFailure } from "../../core/http/failure.ts";
import { linesOf } from "../../core/http/fields.ts";
import type { Outgoing, Upstream } from "../../core/runtime.ts";
import type { Interim } from "../../core/interim.ts";
import type { CapturedHop, CapturedTimes } from "./capture.ts";
import type { HopWatch, TlsFacts } from "../../core/hop-watch.ts";
import type { KeptHeads } from "./kept-heads.ts";

/** What a hop needs from its request's recorder. */
export interface HopContext {
  /** Milliseconds since the request arrived. */
  now(): number;
  readonly heads: Pick<KeptHeads, "request" | "response" | "interim" | "tls">;
  /** Numbers a connection. */
  numberOf(connection: object): string;
}

/** Records a hop, and watches it. */
export class HopRecorder implements HopWatch {
  readonly hop: CapturedHop;
  readonly #context: HopContext;
  readonly #host: string;
  #httpVersion: string | undefined;

  /** @param begun when it began, and when its addresses were known */
  constructor(outgoing: Outgoing, begun: Pick<CapturedTimes, "startMs" | "lookedUpMs">, context: HopContext) {
    const { method, origin, path, headers, addresses, route } = outgoing;
    this.#context = context;
    this.#host = origin.host;
    const request = context.heads.request({ method, url: origin.origin + path, headers: linesOf(headers) });
    this.hop = { request, times: { ...begun } };
    if (addresses) this.hop.addresses = addresses;
    if (route?.upstream) this.hop.upstream = route.upstream.host;
  }

  onReused(connection: object, tls?: TlsFacts): void {
    this.#take(connection, true);
    this.#secure(tls);
  }

  onConnected(connection: object): void {
    this.#take(connection, false);
    this.hop.times.connectedMs = this.#context.now();
  }

  #take(connection: object, isReused: boolean): void {
    this.hop.connection = this.#context.numberOf(connection);
    this.hop.times.isReused = isReused;
  }

  onSecured(tls?: TlsFacts): void {
    this.#secure(tls);
    this.hop.times.securedMs = this.#context.now();
  }

  #secure(tls: TlsFacts | undefined): void {
    if (tls) this.hop.tls = this.#context.heads.tls(tls);
  }

  onSent(): void {
    this.hop.times.sentMs = this.#context.now();
  }

  onFirstByte(): void {
    this.hop.times.firstByteMs = this.#context.now();
  }

  onVersion(httpVersion: string): void {
    this.#httpVersion = httpVersion;
  }

  onInterim(interim: Interim): void {
    const { heads } = this.#context;
    const kept = heads.interim(this.hop.interims, interim, this.#context.now());
    if (kept) this.hop.interims = kept;
  }

  /** Notes the head of the response. */
  answered({ status, statusText, headers }: Pick<Upstream, "status" | "statusText" | "headers">): void {
    // Not every runtime reports the first byte.
    this.hop.times.firstByteMs ??= this.#context.now();
    const head = { status, statusText, headers: linesOf(headers) };
    const httpVersion = this.#httpVersion;
    this.hop.response = this.#context.heads.response(httpVersion ? { ...head, httpVersion } : head);
  }

  failed(failure: unknown): void {
    this.hop.error = mapFailure(failure, this.#host).code;
    this.ended();
  }

  /** Notes that the last byte of the response has arrived. */
  ended(): void {
    this.hop.times.endMs ??= this.#context.now();
  }
}
