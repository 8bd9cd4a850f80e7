/**
 * The caller under our own control: writes exactly the bytes that a test gives it and reads exactly what comes back.
 * @module
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { connectInMemory } from "./memory-network.ts";
import { BodyReader, type Fields, framingOf, Head } from "./http.ts";
import { headBytes, type Header, pairsOf, splitHead } from "./http.ts";

/** How an answer ended: whole, cut off before its announced end, or still open when the time was up. */
export type Ending = "end" | "cut" | "timeout";

/** An answer, whole or as much of it as came. */
export class Answer extends Head {
  /** 0 where no status line came. */
  readonly status: number;
  readonly reason: string;
  /** The body without its chunk framing; content codings stay. */
  readonly body: Buffer;
  readonly ended: Ending;
  /** The field lines behind the last chunk of the body. */
  trailers: readonly Header[] = [];
  readonly #pieces: readonly Buffer[];

  /** @param pieces all bytes of the connection so far, which few tests look at */
  constructor(head: Head, body: Buffer, ended: Ending, pieces: readonly Buffer[] = []) {
    super(head.head);
    const [, status, reason] = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(head.line) ?? [];
    this.status = Number(status ?? 0);
    this.reason = reason ?? "";
    this.body = body;
    this.ended = ended;
    this.#pieces = pieces;
  }

  /** All bytes of the connection so far. */
  get raw(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  get text(): string {
    return this.body.toString("utf8");
  }

  /** The body as JSON. */
  json(): unknown {
    return JSON.parse(this.text);
  }
}

export interface ConnectOptions {
  /** Address to connect to; `127.0.0.1` unless given. */
  host?: string;
  /** Own address to connect from, such as `127.0.0.2`. */
  from?: string;
  /** Speaks TLS, without checking the certificate. */
  tls?: boolean;
}

export interface SendOptions extends ConnectOptions {
  /** Milliseconds until the answer is given up; 20,000 unless given. */
  timeout?: number;
}

/** Long bodies are not copied. */
function bytesOf(text: string | Buffer, encoding: "utf8" | "latin1"): Buffer {
  return typeof text === "string" ? Buffer.from(text, encoding) : text;
}

/** The bytes of a request: the path, method and fields exactly as given, `Content-Length` only if given. */
export function request(method: string, path: string, fields: Fields, body: string | Buffer = ""): Buffer {
  return Buffer.concat([headBytes(`${method} ${path} HTTP/1.1`, fields), bytesOf(body, "utf8")]);
}

/** The same with a true `Content-Length` where there is a body. */
function requestWithLength(method: string, path: string, fields: Fields, body: string | Buffer): Buffer {
  const bytes = bytesOf(body, "utf8");
  const length: Fields = bytes.length > 0 ? [["Content-Length", String(bytes.length)]] : [];
  return request(method, path, [...pairsOf(fields), ...length], bytes);
}

/** How long bytes may take to come on a machine that does much else, in milliseconds. */
const PATIENCE_MS = 20_000;

/** One connection to the proxy: write what you like, read what you like. */
export class Connection {
  /** True once the other side has closed, in order or not. */
  closed = false;
  readonly #socket: Socket;
  readonly #all: Buffer[] = [];
  #pending: Buffer = Buffer.alloc(0);
  #orderly = false;
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    // Node tells of a reset right behind bytes as of an end; but then the socket has no address any more, as after two ends.
    socket.on("end", () => (this.#orderly = socket.writableEnded || socket.remoteAddress !== undefined));
    // A cut connection is an outcome here, not a fault; `ended` tells of it.
    socket.on("error", () => {});
    socket.on("close", () => this.#close());
  }

  /** Everything that has arrived. */
  get raw(): Buffer {
    return Buffer.concat(this.#all);
  }

  get localPort(): number {
    return this.#socket.localPort ?? 0;
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytesOf(bytes, "latin1"));
  }

  /** Settles when all of it has been handed to the system. */
  send(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Waits until the bytes so far, read as latin1, hold the text; rejects where they never do. */
  async until(text: string, timeout = PATIENCE_MS): Promise<string> {
    const deadline = performance.now() + timeout;
    for (;;) {
      const seen = this.raw.toString("latin1");
      if (seen.includes(text)) return seen;
      if (await this.#more(deadline)) {
        throw new Error(`Expected ${JSON.stringify(text)}, got ${JSON.stringify(seen)}`);
      }
    }
  }

  /** Reads the next answer; `method` is that of its request, because HEAD answers have no body. */
  async answer(method = "GET", timeout = PATIENCE_MS): Promise<Answer> {
    const deadline = performance.now() + timeout;
    const { head, ended } = await this.#head(deadline);
    if (!head) return this.#answer(new Head(""), Buffer.alloc(0), ended!);
    const bodiless = method === "HEAD" || /^HTTP\/1\.1 (101|204|304)/.test(head.line);
    const framing = bodiless ? 0 : framingOf(head, "close");
    const body = new BodyReader(framing);
    for (;;) {
      const bytes = this.#pending;
      this.#pending = Buffer.alloc(0);
      if (body.done) this.#pending = bytes;
      else body.push(bytes);
      if (body.done) {
        return Object.assign(this.#answer(head, body.bytes, "end", body.rest), { trailers: body.trailers });
      }
      const over = await this.#more(deadline);
      if (over) return this.#answer(head, body.bytes, framing === "close" && this.#orderly ? "end" : over);
    }
  }

  /** Closes our sending side. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Cuts the connection by a reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Stops reading, so that the other side meets back-pressure. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** The head of the next final answer; interim ones (1xx but 101) are passed over. */
  async #head(deadline: number): Promise<{ head?: Head; ended?: Ending }> {
    for (;;) {
      const split = splitHead(this.#pending);
      if (split) this.#pending = split.rest;
      if (split && !/^HTTP\/1\.1 1(?!01)/.test(split.head.line)) return { head: split.head };
      const over = split ? undefined : await this.#more(deadline);
      if (over) return { ended: over };
    }
  }

  #answer(head: Head, body: Buffer, ended: Ending, rest?: Buffer): Answer {
    if (rest && rest.length > 0) this.#pending = rest;
    return new Answer(head, body, ended, [...this.#all]);
  }

  /** Waits for more bytes; says how it is over where none will come. */
  async #more(deadline: number): Promise<"cut" | "timeout" | undefined> {
    if (this.closed) return "cut";
    const left = deadline - performance.now();
    if (left <= 0) return "timeout";
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return undefined;
  }

  #take(bytes: Buffer): void {
    this.#all.push(bytes);
    this.#pending = Buffer.concat([this.#pending, bytes]);
    this.#wake();
  }

  #close(): void {
    this.closed = true;
    this.#wake();
  }
}

/** Opens a connection. */
export async function open(port: number, options: ConnectOptions = {}): Promise<Connection> {
  const near = options.tls ? undefined : connectInMemory(port, options.from);
  if (near) {
    // As real ones do that ask for nothing else.
    near.allowHalfOpen = false;
    await once(near, "connect");
    return new Connection(near as unknown as Socket);
  }
  const to = { port, host: options.host ?? "127.0.0.1", localAddress: options.from };
  const socket = options.tls
    ? connectTls({ ...to, rejectUnauthorized: false })
    : connect({ ...to, noDelay: true });
  await once(socket, options.tls ? "secureConnect" : "connect");
  return new Connection(socket);
}

/** Sends the bytes of one request on a connection of its own and reads the answer. */
export async function send(port: number, bytes: string | Buffer, options: SendOptions = {}): Promise<Answer> {
  const connection = await open(port, options);
  connection.write(bytes);
  const method = Buffer.from(bytes as string, "latin1").toString("latin1", 0, 5).split(" ")[0];
  const answer = await connection.answer(method, options.timeout);
  connection.destroy();
  return answer;
}

export interface CallOptions extends SendOptions {
  fields?: Fields;
  body?: string | Buffer;
}

/** Sends a common request: `Host` is the proxy's own unless given, `Content-Length` is true where there is a body. */
export function call(port: number, line: string, options: CallOptions = {}): Promise<Answer> {
  const [method = "GET", path = "/"] = line.split(" ");
  const given = pairsOf(options.fields ?? {});
  const hosted = given.some(([name]) => name.toLowerCase() === "host");
  const host: Fields = hosted ? [] : [["Host", `127.0.0.1:${port}`]];
  return send(port, requestWithLength(method, path, [...host, ...given], options.body ?? ""), options);
}
