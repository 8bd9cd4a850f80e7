/**
 * Adapts HTTP/2 requests and responses of the compatibility API of `node:http2`, which development servers use with
 * https.
 * @module
 */

import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from "node:http2";
import { setTimeout } from "node:timers";
import { encodeBytes } from "../../core/address/address.ts";
import { discard, isStreaming } from "../../core/http/body.ts";
import { Cancellation } from "../../core/http/cancellation.ts";
import { type FieldReader, Fields } from "../../core/http/fields.ts";
import { FlowBody } from "../../core/http/flow.ts";
import { hasToken } from "../../core/http/headers.ts";
import type { Sink } from "../../core/http/flow-pipe.ts";
import type { Reply } from "../../core/http/reply.ts";
import { type Interim, MOST_INTERIM_BYTES } from "../../core/interim.ts";
import type { Bonds, Incoming } from "../../core/runtime.ts";
import type { ConnectionBonds } from "../../wire/client/bonds.ts";
import { isTaken } from "./incoming-message.ts";
import { endWithTrailers } from "./message-trailers.ts";
import { ResponseSink, setField } from "./server-response.ts";

/** Connection-specific fields, which HTTP/2 does not allow (RFC 9113 §8.2.2, RFC 7540 §3.2.1). */
const CONNECTION_FIELDS = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

const isDeno = "deno" in process.versions;

/** NO_ERROR: the response is complete, and the reset is no failure (RFC 9113 §7). */
const NO_ERROR = 0;
/** How often to check whether a whole response has been sent, in milliseconds. There is no event for it. */
const SENT_MS = 50;

/** Maximum bytes of a field section that every `node:http2` accepts, and the overhead per line (RFC 9113 §6.5.2). */
const MAX_SECTION_BYTES = 65_535;
const LINE_BYTES = 32;
/** Maximum bytes of a name that every `node:http2` sends: Bun (1.4) leaves a stream with a longer one open. */
const MAX_NAME_BYTES = 4_095;

/** An HTTP/2 request with the headers that it would have in HTTP/1.1. */
export class Http2Request implements Incoming {
  readonly httpVersion = "HTTP/2";
  readonly headers: Fields;
  readonly #incoming: Http2ServerRequest;
  readonly #bonds: ConnectionBonds | undefined;
  /** Not `endAfterHeaders` alone: Bun (1.4) sets that for a request with trailers, too, once they have arrived. */
  readonly #hasBody: boolean;
  #interimBytes = 0;
  #body: FlowBody | null | undefined;
  #signal: Cancellation | undefined;

  /** @param bonds absent if connections are not distinguished */
  constructor(incoming: Http2ServerRequest, bonds?: ConnectionBonds) {
    this.#incoming = incoming;
    this.#bonds = bonds;
    this.headers = readFields(incoming);
    const { stream, rawTrailers } = incoming;
    this.#hasBody = !stream.endAfterHeaders || stream.readableLength > 0 || rawTrailers.length > 0;
  }

  get method(): string {
    return this.#incoming.method;
  }

  /** Bytes beyond ASCII are percent-encoded: each is one character here. */
  get url(): string {
    const { headers, url } = this.#incoming;
    return `${headers[":scheme"] ?? "https"}://${this.headers.get("host") ?? ""}${encodeBytes(url)}`;
  }

  get fieldBytes(): number {
    return this.headers.bytes;
  }

  get takesTrailers(): boolean {
    return hasToken(this.headers.get("te"), "trailers");
  }

  /** The bonds of the HTTP/2 connection, shared by all of its streams. */
  get bonds(): Bonds | undefined {
    const { session } = this.#incoming.stream;
    return session && this.#bonds?.of(session);
  }

  get body(): FlowBody | null {
    const { stream, rawTrailers } = this.#incoming;
    // A body that has turned out to be empty counts as no body.
    const isEmpty = stream.readableEnded && !stream.aborted && rawTrailers.length === 0;
    return this.#body ??= !this.#hasBody || isEmpty ? null : createBody(this.#incoming);
  }

  get bodyUsed(): boolean {
    return this.#hasBody && (isTaken(this.#incoming) || this.#incoming.stream.readableDidRead);
  }

  /** Sends an interim response, as a header section before the one of the response (RFC 9113 §8.1). */
  readonly sendInterim = ({ status, headers }: Interim): boolean => {
    const { stream } = this.#incoming;
    if (stream.destroyed || stream.headersSent) return false;
    const fields = Object.fromEntries(listFields(headers));
    this.#interimBytes += JSON.stringify(fields).length;
    if (this.#interimBytes > MOST_INTERIM_BYTES) return false;
    stream.additionalHeaders({ ...fields, ":status": status });
    // Deno (2.9) sends it only together with the next frame of another kind.
    if (isDeno) stream.session?.ping(() => {});
    return true;
  };

  /** Aborts when the client resets the stream, or the connection ends, before the response is complete. */
  get signal(): Cancellation {
    if (this.#signal) return this.#signal;
    const cancellation = new Cancellation();
    const { stream } = this.#incoming;
    const leave = () => cancellation.abort(leftEarly());
    // Not `close`: it is emitted after a complete response too, with the same state of the stream.
    if (stream.aborted || stream.destroyed) leave();
    else stream.once("aborted", leave);
    return this.#signal = cancellation;
  }
}

/**
 * Reads the fields: `:authority` becomes Host (RFC 9113 §8.3.1), and the parts of a cookie are joined (§8.2.3). If both
 * `:authority` and Host exist and differ in more than letters, both are kept, so that the request is refused.
 */
function readFields({ rawHeaders, headers }: Http2ServerRequest): Fields {
  const fields = new Fields();
  const hosts = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    const value = rawHeaders[at + 1] ?? "";
    if (name === "host" || name === ":authority") hosts.set(value.toLowerCase(), value);
    else if (!name.startsWith(":") && name !== "cookie") fields.append(name, value);
  }
  if (hosts.size > 0) fields.set("host", [...hosts.values()].join(", "));
  if (headers.cookie !== undefined) fields.set("cookie", headers.cookie);
  return fields;
}

/** Streams whose upload was given up: then `end` tells of no end of it, and `aborted` is not emitted. */
const givenUp = new WeakSet<ServerHttp2Stream>();

function leftEarly(): Error {
  return new Error("the client reset the stream");
}

/** Reads the stream itself: a reset stream may emit `end` like a complete one, and only `aborted` distinguishes them. */
function createBody(incoming: Http2ServerRequest): FlowBody {
  const { stream } = incoming;
  let isFlowing = false;
  const body = new FlowBody({
    pause: () => void stream.pause(),
    resume() {
      if (!isFlowing) stream.on("data", (chunk: Uint8Array) => body.push(chunk, false));
      isFlowing = true;
      stream.resume();
    },
    cancel: () => void stream.resume(),
  });
  const isCut = () => stream.aborted || givenUp.has(stream);
  const end = () => isCut() ? body.end(leftEarly()) : endWithTrailers(body, incoming.rawTrailers);
  body.announced = incoming.headers.trailer as string | undefined;
  if (stream.readableEnded) end();
  stream.once("end", end);
  stream.once("aborted", () => body.end(leftEarly()));
  stream.once("close", () => body.end(leftEarly()));
  if (stream.destroyed) body.end(leftEarly());
  return body;
}

/** Sends the head at once, then the body. A body that fails resets the stream, so that it looks incomplete. */
export function writeHttp2Response(reply: Reply, outgoing: Http2ServerResponse, method: string): void {
  const { body } = reply;
  const { stream } = outgoing;
  if (stream.destroyed || outgoing.headersSent) return discard(body);
  // Read now: Bun (1.4) sets it for a response without a body, too.
  const { endAfterHeaders } = stream;
  for (const [name, value] of listFields(reply.headers)) setField(outgoing, name, [value].flat());
  outgoing.writeHead(reply.status);
  if (method === "HEAD" || body === null) {
    discard(body);
    outgoing.end();
    // Node and Deno emit no `finish` for HEAD.
    if (!endAfterHeaders) endRequest(stream);
    return;
  }
  if (!endAfterHeaders) stream.once("finish", () => endRequest(stream));
  if (isStreaming(body)) {
    // The stream itself, which tells more, unless middleware such as `compression` has wrapped the response.
    const sink = Object.hasOwn(outgoing, "write") ? outgoing as unknown as Sink : stream;
    const sendTrailers = (trailers: FieldReader) => addTrailers(outgoing, trailers);
    body.pipe(new ResponseSink(sink, outgoing, body, { sendTrailers }));
  } else outgoing.end(body);
}

/** Adds trailers, unless they are too large: some versions would drop them, others would reset the stream. */
function addTrailers(outgoing: Http2ServerResponse, trailers: FieldReader): void {
  const fields = listFields(trailers);
  let bytes = 0;
  for (const [name, value] of fields) bytes += LINE_BYTES + name.length + value.length;
  if (bytes <= MAX_SECTION_BYTES) outgoing.addTrailers(Object.fromEntries(fields));
}

/**
 * Resets a stream whose upload is not wanted any more, once the response is complete: otherwise it would stay open (RFC 9113
 * §8.1). The reset must not overtake the end of the response, which would look cut.
 */
function endRequest(stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.readableEnded) return;
  if (stream.state.localClose === 1) {
    givenUp.add(stream);
    stream.close(NO_ERROR);
  } else setTimeout(() => endRequest(stream), SENT_MS).unref();
}

/**
 * The fields that HTTP/2 can send. Joins lines of the same name (RFC 9110 §5.3): Node refuses a second line of fields that it
 * considers single-valued.
 */
function listFields(headers: FieldReader): Map<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  headers.forEach((value, name) => {
    if (CONNECTION_FIELDS.has(name) || name.length > MAX_NAME_BYTES) return;
    const before = fields.get(name);
    if (name === "set-cookie") fields.set(name, [...before ?? [], value]);
    else fields.set(name, before === undefined ? value : `${String(before)}, ${value}`);
  });
  return fields;
}
