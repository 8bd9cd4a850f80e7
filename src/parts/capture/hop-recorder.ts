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
  readonly heads: Pick<KeptHeads, "request" | "response" | "interim">;
}

/** Records a hop, and watches it. */
export class HopRecorder implements HopWatch {
  readonly hop: CapturedHop;
  readonly #context: HopContext;
  readonly #host: string;

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

  onReused(tls?: TlsFacts): void {
    if (tls) this.hop.tls = tls;
    this.hop.times.isReused = true;
  }

  onConnected(): void {
    this.hop.times.isReused = false;
    this.hop.times.connectedMs = this.#context.now();
  }

  onSecured(tls?: TlsFacts): void {
    if (tls) this.hop.tls = tls;
    this.hop.times.securedMs = this.#context.now();
  }

  onSent(): void {
    this.hop.times.sentMs = this.#context.now();
  }

  onFirstByte(): void {
    this.hop.times.firstByteMs = this.#context.now();
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
    this.hop.response = this.#context.heads.response({ status, statusText, headers: linesOf(headers) });
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
