/**
 * Keeps the heads, trailers and interim responses of one request: without keys of the table, with secrets masked, and as
 * far as memory allows.
 * @module
 */

import { readRequestPath } from "../../core/address/address.ts";
import type { Aim } from "../../core/exchange/record.ts";
import { type FieldReader, linesOf } from "../../core/http/fields.ts";
import { copyText } from "../../core/http/memo.ts";
import { type Interim, MOST_INTERIM_BYTES, MOST_INTERIMS } from "../../core/interim.ts";
import type { CapturedInterim, CapturedRequest, CapturedResponse, FieldLine } from "./capture.ts";
import { cleanLines, cleanRequest, cleanResponse, type KeyGuard } from "./key-guard.ts";
import { maskAddress } from "./mask-address.ts";
import { maskLines, maskRequest, maskResponse } from "./mask-fields.ts";
import type { Masker } from "./masker.ts";
import type { Memory, Reserve } from "./message-log.ts";
import type { TlsFacts } from "../../core/hop-watch.ts";
import type { Incoming } from "../../core/runtime.ts";
import { readHost } from "../../core/who/caller.ts";

/** Rough overhead in bytes: of a header line in addition to its text, and of an interim response to its lines. */
const LINE_BYTES = 50;
const INTERIM_BYTES = 100;
/** Maximum length of a method or address that is kept, and where there is no memory for as much. */
const MOST_TEXT = 65_536;
const LEAST_TEXT = 256;
/** A name in a certificate is cut here, and may end within a key. */
const MOST_NAME = 256;

/** What a recorder gets from its process. */
export interface RecorderContext {
  /** Maximum bytes of each body; 0 for heads only. */
  readonly bodyBytes: number;
  readonly masker: Masker;
  readonly guard: KeyGuard | undefined;
  memoryOf(id: string): Memory;
  /** Numbers a connection to a target. */
  numberOf(connection: object): string;
}

/** Keeps heads. */
export class KeptHeads {
  /** True for a request of a viewer's own console: its secrets are masked only when somebody else reads it. */
  isOwn = false;
  /** True once a key of the table was sent. */
  hadKey = false;
  readonly #context: Pick<RecorderContext, "masker" | "guard">;
  readonly #take: Reserve;

  constructor(context: Pick<RecorderContext, "masker" | "guard">, take: Reserve) {
    this.#context = context;
    this.#take = take;
  }

  request(head: CapturedRequest): CapturedRequest {
    const { masker, guard } = this.#context;
    const clean = guard ? cleanRequest(head, guard) : head;
    this.hadKey ||= clean !== head && !isSame(clean, head);
    const kept = this.#fit(this.isOwn ? clean : maskRequest(clean, masker));
    return { ...kept, method: this.#cut(kept.method), url: this.#cut(kept.url) };
  }

  #cut(text: string): string {
    return copyText(text.slice(0, this.#take(Math.min(text.length, MOST_TEXT)) ? MOST_TEXT : LEAST_TEXT));
  }

  /** The request to a target that was refused: masked for every viewer, and not kept. */
  refused({ method, origin, path }: Aim): Pick<CapturedRequest, "method" | "url"> {
    const { masker, guard } = this.#context;
    const head = { method, url: origin.origin + path.replace(/\?$/, ""), headers: [] };
    const { url } = maskRequest(guard ? cleanRequest(head, guard) : head, masker);
    return { method, url };
  }

  /** The query of a kept request, masked for every viewer; `undefined` if it has none. */
  query({ url }: Pick<CapturedRequest, "url"> = { url: "" }): string | undefined {
    const start = url.indexOf("?");
    if (start < 0) return undefined;
    const query = url.slice(start);
    return this.isOwn ? maskAddress(query, this.#context.masker) : query;
  }

  response(head: CapturedResponse): CapturedResponse {
    const { masker, guard } = this.#context;
    const clean = guard ? cleanResponse(head, guard) : head;
    return this.#fit(this.isOwn ? clean : maskResponse(clean, masker));
  }

  /** The TLS of a connection: without keys, since a target that was sent one may write it into its next certificate. */
  tls({ certificate, ...agreed }: TlsFacts): TlsFacts {
    if (!certificate) return agreed;
    const { guard } = this.#context;
    const { subject, issuer } = certificate;
    if (!this.#take(subject.length + issuer.length + LINE_BYTES)) return agreed;
    const cleanName = (name: string) => guard?.cleanBody(name, name.length >= MOST_NAME) ?? name;
    const clean = { subject: cleanName(subject), issuer: cleanName(issuer) };
    return { ...agreed, certificate: { ...certificate, ...clean } };
  }

  /** Keeps the trailers of a message; does nothing if there is no such message. */
  trailers(of: CapturedRequest | CapturedResponse | undefined, fields: FieldReader | undefined): void {
    const { masker, guard } = this.#context;
    const lines = of && fields ? linesOf(fields) : [];
    const clean = guard ? cleanLines(lines, guard) : lines;
    const { headers: kept } = this.#fit({ headers: this.isOwn ? clean : maskLines(clean, masker) });
    if (of && kept.length > 0) of.trailers = kept;
  }

  /** Keeps an interim response, unless a limit is reached. Returns all that are kept. */
  interim(kept: CapturedInterim[] | undefined, said: Interim, atMs: number): CapturedInterim[] | undefined {
    const all = kept ?? [];
    if (all.length === MOST_INTERIMS) return kept;
    const { status, statusText, headers } = said;
    const head = { status, statusText, headers: linesOf(headers) };
    const bytes = all.reduce((sum, one) => sum + sizeOf(one), sizeOf(head));
    if (bytes > MOST_INTERIM_BYTES || !this.#take(statusText.length + INTERIM_BYTES)) return kept;
    return [...all, { atMs, ...this.response(head) }];
  }

  /** Leaves out the lines for which there is no memory. */
  #fit<Head extends { headers: FieldLine[] }>(head: Head): Head {
    const headers = head.headers.filter(([name, value]) =>
      this.#take(name.length + value.length + LINE_BYTES)
    );
    return { ...head, headers };
  }
}

/** The head of a request as it arrived. */
export function headOf(incoming: Incoming): CapturedRequest {
  const { method, url, headers, lines, httpVersion } = incoming;
  const scheme = url.startsWith("https:") ? "https" : "http";
  const address = `${scheme}://${readHost(incoming)}${readRequestPath(url)}`;
  const head = { method, url: address, headers: lines ? pairsOf(lines) : linesOf(headers) };
  return httpVersion ? { ...head, httpVersion } : head;
}

/** Pairs of alternating names and values, without the pseudo-headers of HTTP/2 (RFC 9113 §8.3). */
function pairsOf(lines: readonly string[]): FieldLine[] {
  const pairs: FieldLine[] = [];
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at] as string;
    if (!name.startsWith(":")) pairs.push([name, lines[at + 1] as string]);
  }
  return pairs;
}

function sizeOf({ statusText, headers }: CapturedResponse): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, statusText.length);
}

function isSame(one: CapturedRequest, other: CapturedRequest): boolean {
  return one.url === other.url && one.headers.every(([, value], at) => value === other.headers[at]?.[1]);
}

/** The request as it came, for one that did not go out: if its path and query are those that the target would have got. */
export function findUnsent(
  request: CapturedRequest | undefined,
  aim: Aim | undefined,
): CapturedRequest | undefined {
  if (!request || !aim?.path.endsWith("?")) return undefined;
  // Only text is compared: a caller may send a Host that is none.
  const [, sent] = /^\w+:\/\/[^/]*(\/[^?]*)/.exec(request.url) ?? [];
  return sent === aim.path.slice(0, -1) ? request : undefined;
}
