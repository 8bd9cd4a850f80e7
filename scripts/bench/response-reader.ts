/**
 * Reads HTTP/1.1 responses from a socket, one after the other, without keeping large bodies.
 * @module
 */

const KEPT_CHARS = 1_000;

/** A complete response. */
export interface Answer {
  status: number;
  /** Bytes of the body, without chunk frames. */
  bytes: number;
  /** The beginning of the body. */
  text: string;
}

/** Callbacks of a reader. */
export interface ReaderEvents {
  onData?(chunk: Buffer): void;
  onEnd?(answer: Answer): void;
}

type State = "head" | "body" | "size" | "chunk" | "gap" | "trailer";

/** Takes the bytes of a socket, and reports each complete response once. Framing as in RFC 9112 §6. */
export class ResponseReader {
  readonly #events: ReaderEvents;
  #state: State = "head";
  #pending: Buffer = Buffer.alloc(0);
  /** Bytes of the body or the chunk that are still missing. */
  #left = 0;
  #answer: Answer = { status: 0, bytes: 0, text: "" };

  constructor(events: ReaderEvents) {
    this.#events = events;
  }

  push(chunk: Buffer): void {
    this.#pending = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    while (this.#pending.length > 0 && this.#step());
  }

  /** Notes that the connection ended, which also ends a body without a length. */
  close(): void {
    if (this.#state === "body" && this.#left === Infinity) this.#end();
  }

  /** Advances by one state; false if more bytes are needed. */
  #step(): boolean {
    if (this.#state === "body" || this.#state === "chunk") return this.#takeData();
    const line = this.#takeUntil(this.#state === "head" ? "\r\n\r\n" : "\r\n");
    if (line === undefined) return false;
    if (this.#state === "head") this.#readHead(line);
    else if (this.#state === "size") this.#readSize(line);
    else if (this.#state === "gap") this.#state = "size";
    else if (line === "") this.#end();
    return true;
  }

  #takeUntil(mark: string): string | undefined {
    const at = this.#pending.indexOf(mark);
    if (at < 0) return undefined;
    const line = this.#pending.toString("latin1", 0, at);
    this.#pending = this.#pending.subarray(at + mark.length);
    return line;
  }

  #takeData(): boolean {
    const data = this.#pending.subarray(0, Math.min(this.#left, this.#pending.length));
    this.#pending = this.#pending.subarray(data.length);
    this.#left -= data.length;
    this.#answer.bytes += data.length;
    if (this.#answer.text.length < KEPT_CHARS) this.#answer.text += data.toString("latin1", 0, KEPT_CHARS);
    this.#events.onData?.(data);
    if (this.#left > 0) return false;
    if (this.#state === "chunk") this.#state = "gap";
    else this.#end();
    return true;
  }

  #readHead(head: string): void {
    const status = Number(head.slice(9, 12));
    if (status < 200) return;
    this.#answer = { status, bytes: 0, text: "" };
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    if (/^transfer-encoding:.*chunked/im.test(head)) this.#state = "size";
    else {
      this.#state = "body";
      this.#left = status === 204 || status === 304 ? 0 : Number(length ?? Infinity);
      if (this.#left === 0) this.#end();
    }
  }

  #readSize(line: string): void {
    this.#left = parseInt(line, 16);
    this.#state = this.#left === 0 ? "trailer" : "chunk";
  }

  #end(): void {
    this.#state = "head";
    this.#events.onEnd?.(this.#answer);
  }
}
