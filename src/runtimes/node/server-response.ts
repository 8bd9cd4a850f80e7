/**
 * Writes the core's reply to a `node:http` response.
 * @module
 */

import { Buffer } from "node:buffer";
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { TLSSocket } from "node:tls";
import { discard, isStreaming } from "../../core/http/body.ts";
import { type FieldReader, linesOf } from "../../core/http/fields.ts";
import type { FlowBody } from "../../core/http/flow.ts";
import { cleanReason } from "../../core/http/headers.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { Sink } from "../../core/http/flow-pipe.ts";
import { passedTrailers } from "../../core/http/trailers.ts";

/** Bodies up to this many bytes are sent in one piece with the head. */
const JOINED_BYTES = 16_384;

/**
 * Sends the head at once, then the body. A body that fails cuts the connection, so that it looks incomplete. If the server has
 * begun a response of its own, such as one that says that it took too long, that stays as it is.
 */
export function writeResponse(reply: Reply, outgoing: ServerResponse, method: string): void {
  const { body } = reply;
  if (outgoing.destroyed || outgoing.headersSent) return discard(body);
  writeHead(reply, outgoing);
  if (method === "HEAD" || body === null) {
    discard(body);
    outgoing.end();
  } else if (!isStreaming(body)) {
    writeBytes(body, outgoing);
  } else {
    const isDelimited = outgoing.chunkedEncoding || reply.headers.has("content-length");
    const sink = new ResponseSink(outgoing, outgoing, body, {
      sendTrailers: (trailers) => outgoing.addTrailers(linesOf(trailers)),
      cut: isDelimited ? undefined : (failure) => reset(outgoing, failure),
    });
    sendHeadSoon(outgoing, sink);
    // A server that ends the response before the body does must not end the process with it.
    outgoing.on("error", () => discard(body));
    body.pipe(sink);
  }
}

/**
 * Writes the head. A flat list would leave one line of each name where the server has set fields before (Node 20). Middleware that
 * replaces `writeHead`, as `on-headers` does for `express-session` and `compression`, may know no such list: before 1.1.0 it takes
 * the first letters of fields for names (CVE-2025-7339).
 */
function writeHead({ status, statusText, headers }: Reply, outgoing: ServerResponse): void {
  const phrase = cleanReason(statusText ?? STATUS_CODES[status] ?? "");
  const lines = linesOf(headers);
  if (!Object.hasOwn(outgoing, "writeHead") && outgoing.getHeaderNames().length === 0) {
    return void outgoing.writeHead(status, phrase, lines.flat());
  }
  const fields = new Map<string, [name: string, ...values: string[]]>();
  for (const [name, value] of lines) {
    const known = fields.get(name.toLowerCase());
    if (known) known.push(value);
    else fields.set(name.toLowerCase(), [name, value]);
  }
  for (const [name, ...values] of fields.values()) setField(outgoing, name, values);
  outgoing.writeHead(status, phrase);
}

/** Fields that the server may have set, too: its cookies, and what its response depends on. */
const SHARED = new Set(["set-cookie", "vary"]);

/** Sets a field beside, or in place of, what the server has set. */
export function setField(
  outgoing: {
    getHeader: ServerResponse["getHeader"];
    setHeader(name: string, value: string | string[]): unknown;
  },
  name: string,
  values: readonly string[],
): void {
  const before = SHARED.has(name.toLowerCase()) ? [outgoing.getHeader(name) ?? []].flat().map(String) : [];
  const all = [...before, ...values];
  outgoing.setHeader(name, all.length > 1 ? all : all[0]!);
}

/** What a response does in its own way. */
interface Way {
  /** Sends the trailers that are passed on. */
  sendTrailers(trailers: FieldReader): void;
  /** Cuts the body; by default the sink is destroyed. */
  cut?: ((failure: Error) => void) | undefined;
}

/** Passes the body of a response on to its sink. */
export class ResponseSink implements Sink {
  readonly #sink: Sink;
  readonly #outgoing: { flush(): void } | undefined;
  readonly #body: FlowBody;
  readonly #way: Way;
  /** True once its end was written. Middleware that compresses ends the response itself later. */
  isEnded = false;

  /** @param outgoing the response, which middleware may have wrapped */
  constructor(sink: Sink, outgoing: object, body: FlowBody, way: Way) {
    this.#sink = sink;
    // With `compression`, what is written waits until its `flush` is called. The one of Node, on the prototype, is deprecated.
    this.#outgoing = Object.hasOwn(outgoing, "flush") ? outgoing as { flush(): void } : undefined;
    this.#body = body;
    this.#way = way;
  }

  get writableLength(): number | undefined {
    return this.#outgoing ? undefined : this.#sink.writableLength;
  }

  write(chunk: Uint8Array): unknown {
    const isTaken = this.#sink.write(chunk);
    this.#outgoing?.flush();
    return isTaken;
  }

  end(last?: Uint8Array): unknown {
    this.isEnded = true;
    const trailers = passedTrailers(this.#body);
    if (trailers) this.#way.sendTrailers(trailers);
    return this.#sink.end(last);
  }

  /** Servers write into the error that they get, as Koa does, and the one of a body may be frozen and that of several. */
  destroy(failure: Error): void {
    const own = new Error(failure.message, { cause: failure });
    if (this.#way.cut) this.#way.cut(own);
    else this.#sink.destroy(own);
  }

  on(event: "drain" | "close", listener: () => void): unknown {
    return this.#sink.on(event, listener);
  }
}

/** With HTTP/1.0 the end of the connection ends the body, so a cut body needs a reset (RFC 9112 §8). */
function reset(outgoing: ServerResponse, failure: Error): void {
  const { socket } = outgoing;
  // With TLS, no reset is needed: its own end marker is missing after `destroy`.
  if (!socket || (socket as TLSSocket).encrypted) outgoing.destroy(failure);
  else socket.resetAndDestroy();
}

const isBun = "bun" in process.versions;

/**
 * Sends the head together with the first bytes if they come in this turn, else alone. An empty write sends it and keeps
 * Latin-1 bytes, which `flushHeaders` does not (Node 20–26). On Bun (1.4) that alone sends it, and keeps them.
 */
function sendHeadSoon(outgoing: ServerResponse, sink: ResponseSink): void {
  setImmediate(() => {
    if (sink.isEnded || outgoing.writableEnded || outgoing.destroyed || outgoing.writableLength > 0) return;
    if (isBun) outgoing.flushHeaders();
    else sink.write(NOTHING);
  });
}

const NOTHING = new Uint8Array();

/** Writes a whole body. As Latin-1 text, Node joins it to the head in one write; as bytes it would take two. */
function writeBytes(body: Uint8Array, outgoing: ServerResponse): void {
  if (body.length > JOINED_BYTES) outgoing.end(body);
  else outgoing.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1"), "latin1");
}
