/**
 * Adapts requests and responses of HTTP/2, as the compatibility API of `node:http2` gives them. Development servers use
 * it with https.
 * @module
 */

import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from "node:http2";
import { discard, isStreaming } from "../../http/body.ts";
import { Cancellation } from "../../http/cancellation.ts";
import { Fields } from "../../http/fields.ts";
import { FlowBody } from "../../http/flow.ts";
import type { Reply } from "../../http/reply.ts";
import type { Bonds, Incoming } from "../../exchange/runtime.ts";
import type { ConnectionBonds } from "./caller-bonds.ts";

/** Fields of a connection, which HTTP/2 does not have (RFC 9113 §8.2.2, RFC 7540 §3.2.1). */
const CONNECTION_FIELDS = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

/** A request of HTTP/2 with the fields that HTTP/1.1 would have. */
export class Http2Request implements Incoming {
  readonly headers: Fields;
  readonly #incoming: Http2ServerRequest;
  readonly #bonds: ConnectionBonds | undefined;
  #body: FlowBody | null | undefined;
  #signal: Cancellation | undefined;

  /** @param bonds absent where connections are not told apart */
  constructor(incoming: Http2ServerRequest, bonds?: ConnectionBonds) {
    this.#incoming = incoming;
    this.#bonds = bonds;
    this.headers = readFields(incoming);
  }

  get method(): string {
    return this.#incoming.method;
  }

  get url(): string {
    const { headers, url } = this.#incoming;
    return `${headers[":scheme"] ?? "https"}://${this.headers.get("host") ?? ""}${url}`;
  }

  get fieldBytes(): number {
    return this.headers.bytes;
  }

  /** Those of the whole connection, which all of its streams share. */
  get bonds(): Bonds | undefined {
    const { session } = this.#incoming.stream;
    return session && this.#bonds?.of(session);
  }

  get body(): FlowBody | null {
    const { stream } = this.#incoming;
    // A body that has turned out to be empty is none.
    const isOver = stream.endAfterHeaders || (stream.readableEnded && !stream.aborted);
    return this.#body ??= isOver ? null : createBody(stream);
  }

  get bodyUsed(): boolean {
    const { stream, readableDidRead } = this.#incoming;
    return !stream.endAfterHeaders && (readableDidRead || stream.readableDidRead);
  }

  /** Aborts when the client resets the stream, or the connection ends, before the response is complete. */
  get signal(): Cancellation {
    if (this.#signal) return this.#signal;
    const cancellation = new Cancellation();
    const { stream } = this.#incoming;
    const leave = () => cancellation.abort(leftEarly());
    // `close` comes for a complete response too, and says the same of the stream.
    if (stream.aborted || stream.destroyed) leave();
    else stream.once("aborted", leave);
    return this.#signal = cancellation;
  }
}

/**
 * Reads the fields: `:authority` is the Host (RFC 9113 §8.3.1), and the parts of a cookie are joined (§8.2.3). If Host
 * differs from it, both are kept, so that the request is refused.
 */
function readFields({ rawHeaders, headers }: Http2ServerRequest): Fields {
  const fields = new Fields();
  const hosts = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    const value = rawHeaders[at + 1] ?? "";
    if (name === "host" || name === ":authority") hosts.add(value);
    else if (!name.startsWith(":") && name !== "cookie") fields.append(name, value);
  }
  if (hosts.size > 0) fields.set("host", [...hosts].join(", "));
  if (headers.cookie !== undefined) fields.set("cookie", headers.cookie);
  return fields;
}

function leftEarly(): Error {
  return new Error("the client reset the stream");
}

/** Reads the stream itself: one that was reset may end like a complete one, and only `aborted` tells them apart. */
function createBody(stream: ServerHttp2Stream): FlowBody {
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
  stream.once("end", () => body.end(stream.aborted ? leftEarly() : undefined));
  stream.once("aborted", () => body.end(leftEarly()));
  stream.once("close", () => body.end(leftEarly()));
  if (stream.destroyed) body.end(leftEarly());
  return body;
}

/** Sends the head at once, then the body. A body that fails resets the stream, so that it looks incomplete. */
export function writeHttp2Response(reply: Reply, outgoing: Http2ServerResponse, method: string): void {
  const { body } = reply;
  if (outgoing.stream.destroyed) return discard(body);
  writeHead(reply, outgoing);
  if (method === "HEAD" || body === null) {
    discard(body);
    outgoing.end();
  } else if (isStreaming(body)) body.pipe(outgoing.stream);
  else outgoing.end(body);
}

/** Equal names are one list (RFC 9110 §5.3): Node refuses a second line of those that it takes for single ones. */
function writeHead({ status, headers }: Reply, outgoing: Http2ServerResponse): void {
  const lines = new Map<string, string[]>();
  headers.forEach((value, name) => {
    if (!CONNECTION_FIELDS.has(name)) lines.set(name, [...lines.get(name) ?? [], value]);
  });
  for (const [name, values] of lines) {
    outgoing.setHeader(name, name === "set-cookie" ? values : values.join(", "));
  }
  outgoing.writeHead(status);
}
