/**
 * Just enough of HTTP/1.1 to know where a message ends; everything else stays raw bytes.
 * @module
 */

/** One field line, name and value as they stood on the wire. */
export type Header = [name: string, value: string];

/** Fields to write: pairs where order or repetition matters, an object elsewhere; `undefined` writes none. */
export type Fields = Readonly<Record<string, string | undefined>> | readonly Header[];

/** The fields as pairs, in their order. */
export function pairsOf(fields: Fields): Header[] {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields);
  return pairs.filter(([, value]) => value !== undefined);
}

/** The bytes of a head: first line, field lines, empty line; written as latin1. */
export function headBytes(line: string, fields: Fields): Buffer {
  const lines = pairsOf(fields).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([line, ...lines, "", ""].join("\r\n"), "latin1");
}

/** The head of a message: its first line and its field lines, in order and in their own case. */
export class Head {
  /** Everything before the empty line, read as latin1. */
  readonly head: string;
  /** The request or status line. */
  readonly line: string;
  readonly headers: Header[];

  constructor(text: string) {
    const [line = "", ...fields] = text.split("\r\n");
    this.head = text;
    this.line = line;
    this.headers = fields.map(parseField);
  }

  /** All values of a field, one per line on the wire. */
  headersNamed(name: string): string[] {
    const wanted = name.toLowerCase();
    return this.headers.filter(([other]) => other.toLowerCase() === wanted).map(([, value]) => value);
  }

  /** The value of a field that stands once; `undefined` where it is absent, joined with `, ` where it repeats. */
  header(name: string): string | undefined {
    const values = this.headersNamed(name);
    return values.length === 0 ? undefined : values.join(", ");
  }
}

function parseField(line: string): Header {
  const colon = line.indexOf(":");
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** Splits off the head; `undefined` while the empty line has not arrived. */
export function splitHead(bytes: Buffer): { head: Head; rest: Buffer } | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  return { head: new Head(bytes.toString("latin1", 0, end)), rest: bytes.subarray(end + 4) };
}

/** How a body ends: after so many bytes, with the last chunk, or with the connection. */
export type Framing = number | "chunked" | "close";

/** The framing that a head announces; `otherwise` where it announces none. */
export function framingOf(head: Head, otherwise: Framing): Framing {
  if (/chunked/i.test(head.header("transfer-encoding") ?? "")) return "chunked";
  const length = head.headersNamed("content-length")[0];
  return length === undefined ? otherwise : Number(length);
}

/** Reads one body: takes bytes as they come, keeps the decoded ones, and says when it is whole. */
export class BodyReader {
  /** True once the last byte of the body has arrived. */
  done = false;
  /** Bytes that came after the body. */
  rest: Buffer = Buffer.alloc(0);
  /** The field lines behind its last chunk. */
  trailers: Header[] = [];
  readonly #framing: Framing;
  readonly #parts: Buffer[] = [];
  #size = 0;
  #pending: Buffer = Buffer.alloc(0);

  constructor(framing: Framing) {
    this.#framing = framing;
    this.done = framing === 0;
  }

  /** The body so far, without its chunk framing. */
  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  push(bytes: Buffer): void {
    if (this.#framing === "close") this.#keep(bytes);
    else if (this.#framing === "chunked") this.#pushChunked(bytes);
    else this.#pushCounted(bytes, this.#framing);
  }

  #keep(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#size += bytes.length;
  }

  #pushCounted(bytes: Buffer, length: number): void {
    const missing = length - this.#size;
    this.#keep(bytes.subarray(0, missing));
    this.rest = bytes.subarray(missing);
    this.done = this.#size === length;
  }

  #pushChunked(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (!this.done && this.#takeChunk());
  }

  /** Takes one whole chunk off the pending bytes; false while it is not whole. */
  #takeChunk(): boolean {
    const lineEnd = this.#pending.indexOf("\r\n");
    if (lineEnd < 0) return false;
    const size = Number.parseInt(this.#pending.toString("latin1", 0, lineEnd), 16);
    if (size === 0) return this.#takeTrailers(lineEnd);
    const start = lineEnd + 2;
    if (this.#pending.length < start + size + 2) return false;
    this.#keep(this.#pending.subarray(start, start + size));
    this.#pending = this.#pending.subarray(start + size + 2);
    return true;
  }

  #takeTrailers(lineEnd: number): boolean {
    const end = this.#pending.indexOf("\r\n\r\n", lineEnd);
    if (end < 0) return false;
    this.rest = this.#pending.subarray(end + 4);
    const lines = this.#pending.toString("latin1", lineEnd, end).split("\r\n").slice(1);
    this.trailers = lines.map(parseField);
    this.done = true;
    return true;
  }
}
