/**
 * Adapts an incoming message of `node:http` for the core. Nothing is parsed or copied before it is needed.
 * @module
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { Cancellation } from "../../core/http/cancellation.ts";
import type { FieldReader } from "../../core/http/fields.ts";
import { FlowBody } from "../../core/http/flow.ts";
import { hasToken } from "../../core/http/headers.ts";
import type { Bonds, Incoming } from "../../core/runtime.ts";
import { readOtherHost } from "../../wire/server/request-head.ts";
import type { ConnectionBonds } from "../../wire/client/bonds.ts";
import { endWithTrailers } from "./message-trailers.ts";

/** The request as received. Its `url` keeps the path as sent, while a web-standard `Request` would normalise it. */
export class NodeRequest implements Incoming {
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #bonds: ConnectionBonds | undefined;
  #headers: NodeHeaders | undefined;
  #body: FlowBody | null | undefined;
  #signal: Cancellation | undefined;

  /** @param bonds absent if connections are not distinguished */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, bonds?: ConnectionBonds) {
    this.#incoming = incoming;
    this.#bonds = bonds;
    this.#outgoing = outgoing;
  }

  get method(): string {
    return this.#incoming.method ?? "GET";
  }

  /** An absolute address; `*` and an absolute target (RFC 9112 §3.2) stay unchanged. */
  get url(): string {
    const { url = "/", headers, socket } = this.#incoming;
    // Of `/proxy?x`, frameworks that remove a mount path may leave `?x`.
    if (!/^(?:[/?]|$)/.test(url)) return url;
    return `${(socket as TLSSocket).encrypted ? "https" : "http"}://${headers.host ?? ""}${url}`;
  }

  get httpVersion(): string {
    return `HTTP/${this.#incoming.httpVersion}`;
  }

  get isAbsolute(): boolean {
    return /^\w+:/.test(this.#incoming.url ?? "");
  }

  get headers(): FieldReader {
    return this.#headers ??= new NodeHeaders(this.#incoming);
  }

  get lines(): readonly string[] {
    return this.#incoming.rawHeaders;
  }

  get fieldBytes(): number {
    const { rawHeaders } = this.#incoming;
    let bytes = 0;
    for (let at = 0; at < rawHeaders.length; at += 1) bytes += rawHeaders[at]!.length;
    return bytes;
  }

  /** HTTP/1.0 has no chunks. */
  get takesTrailers(): boolean {
    const { headers: { te }, httpVersion } = this.#incoming;
    return te !== undefined && httpVersion === "1.1" && hasToken(String(te), "trailers");
  }

  get body(): FlowBody | null {
    if (this.#body !== undefined) return this.#body;
    const incoming = this.#incoming;
    if (!hasBody(incoming)) return this.#body = null;
    endWithSocket(incoming);
    // A target that answers early wants no more of the body. The rest is read and dropped, so that the response gets
    // through.
    return this.#body = createBody(incoming, () => incoming.resume());
  }

  get bonds(): Bonds | undefined {
    return this.#bonds?.of(this.#incoming.socket);
  }

  get bodyUsed(): boolean {
    return isTaken(this.#incoming) || this.#incoming.readableEnded;
  }

  /** Aborts when the client closes the connection before the response is complete. */
  get signal(): Cancellation {
    if (this.#signal) return this.#signal;
    const cancellation = new Cancellation();
    const outgoing = this.#outgoing;
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) cancellation.abort(new Error("the client closed the connection"));
    });
    if (outgoing.destroyed) cancellation.abort(new Error("the client closed the connection"));
    return this.#signal = cancellation;
  }
}

/** The headers as Node has parsed them. */
export class NodeHeaders implements FieldReader {
  readonly #incoming: IncomingMessage;
  readonly #headers: IncomingHttpHeaders;
  #letters: ReadonlyMap<string, string> | undefined;

  constructor(incoming: IncomingMessage) {
    const { headers, rawHeaders } = incoming;
    this.#incoming = incoming;
    this.#headers = Object.keys(headers).length * 2 === rawHeaders.length
      ? headers
      : restoreLines(headers, rawHeaders);
  }

  get(name: string): string | null {
    if (name === "host") return readHosts(this.#incoming);
    // HTTP/1.0 has no protocol upgrade (RFC 9110 §7.8).
    if (name === "upgrade" && this.#incoming.httpVersion === "1.0") return null;
    const value = this.#headers[name];
    if (typeof value === "string") return value;
    // Not what every object has: `constructor`.
    return Array.isArray(value) ? value.join(", ") : null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  forEach(visit: (value: string, name: string, written: unknown) => void): void {
    const headers = this.#headers;
    const letters = this.#letters ??= readLetters(this.#incoming.rawHeaders);
    for (const name in headers) {
      const value = headers[name];
      const written = letters.get(name);
      if (typeof value === "string") visit(value, name, written);
      else value?.forEach((line) => visit(line, name, written));
    }
  }

  [Symbol.iterator](): Iterator<[name: string, value: string]> {
    const pairs: [name: string, value: string][] = [];
    this.forEach((value, name) => pairs.push([name, value]));
    return pairs[Symbol.iterator]();
  }
}

/** The spelling of each name as received, by lower-case name. */
function readLetters(rawHeaders: readonly string[]): Map<string, string> {
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  return new Map(names.map((written) => [written.toLowerCase(), written]));
}

/**
 * Restores the field lines that Node drops: for some names it keeps only the first (RFC 9110 §5.3), for `__proto__`
 * none. Changes by a framework stay.
 */
function restoreLines(headers: IncomingHttpHeaders, rawHeaders: readonly string[]): IncomingHttpHeaders {
  const lines = new Map<string, string[]>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    const value = rawHeaders[at + 1] ?? "";
    const before = lines.get(name);
    if (before) before.push(value);
    else lines.set(name, [value]);
  }
  const restored: IncomingHttpHeaders = Object.assign(Object.create(null), headers);
  for (const [name, values] of lines) {
    const isCut = values.length > 1 && headers[name] === values[0];
    if (isCut || name === "__proto__") restored[name] = values.join(", ");
  }
  return restored;
}

/**
 * The requested host; several, joined by commas, if they differ. Node keeps only the first of two lines, and ignores
 * the host of an absolute target (RFC 9112 §3.2).
 */
function readHosts({ url = "/", rawHeaders }: IncomingMessage): string | null {
  const hosts: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === "host") {
      hosts.push(rawHeaders[at + 1] ?? "");
    }
  }
  const other = readOtherHost(url, hosts[0] ?? "");
  if (other !== undefined) hosts.push(other);
  return hosts.length ? hosts.join(", ") : null;
}

/** Ends the message with its socket: Node (20) does not if the connection closes after the response. */
function endWithSocket(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const end = () => incoming.destroy(new Error("the client closed the connection"));
  socket.once("close", end);
  incoming.once("close", () => socket.off("close", end));
}

/**
 * True if somebody else has read of the body, or has begun to: bytes that arrive before the proxy reads would be lost, and
 * those of a body in chunks unnoticed.
 */
export function isTaken(incoming: Readable): boolean {
  return incoming.readableDidRead || incoming.readableFlowing === true ||
    incoming.listenerCount("readable") > 0;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Makes the body. It reads nothing before it is read itself.
 *
 * @param cancel called when the rest of the body is not wanted
 */
function createBody(readable: IncomingMessage, cancel: () => void): FlowBody {
  let isFlowing = false;
  const body = new FlowBody({
    pause: () => void readable.pause(),
    resume() {
      if (!isFlowing) flow();
      isFlowing = true;
      readable.resume();
    },
    cancel,
  });
  const flow = () => {
    readable.on("data", (chunk: Uint8Array) => body.push(chunk, isLast(readable)));
    readable.once("end", () => endWithTrailers(body, readable.rawTrailers));
    readable.once("error", (error) => body.end(error));
    readable.once("close", () => body.end(new Error("closed before its end")));
    if (readable.destroyed) body.end(readable.errored ?? new Error("closed before its end"));
  };
  body.announced = readable.headers.trailer;
  // An early error must not end the process; readers still see it.
  readable.on("error", () => {});
  return body;
}

/** True for the last chunk of a fully parsed message without trailers, so that the end is sent with the last bytes. */
function isLast({ complete, readableLength, rawTrailers }: IncomingMessage): boolean {
  return complete && readableLength === 0 && !rawTrailers?.length;
}
