/**
 * Targets that answer each message in its own alphabet, and check that its request came in its own.
 * @module
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Minted } from "../mint.ts";
import { acceptOf } from "../websocket.ts";
import { Peer } from "../websocket-peer.ts";
import { foreignTags, StreamReader, tagOf } from "./alphabet.ts";
import { answerStream, type Plan, planOf, requestStream } from "./plan.ts";
import { cutOff, drink, pour } from "./pour.ts";
import { talk } from "./talk.ts";
import type { Tally } from "./tally.ts";

/** A listening target. */
export class OwnTarget {
  readonly #place: number;
  readonly #server: Server;
  readonly #isSecure: boolean;
  readonly #tally: Tally;
  /** Why connections were cut here. */
  readonly #failures = new WeakMap<Duplex, string>();

  /** @param tls present for a target by https, whose name is `localhost` */
  constructor(place: number, tally: Tally, tls?: Minted) {
    this.#place = place;
    this.#tally = tally;
    this.#isSecure = tls !== undefined;
    this.#server = tls ? createSecureServer(tls) : createServer();
    // An idle connection that is closed just when it is used again would be a failure of its own.
    this.#server.keepAliveTimeout = 0;
    this.#server.on("request", (request, response) => void this.#answer(request, response));
    this.#server.on("upgrade", (request, socket: Socket) => void this.#join(request, socket));
    this.#server.on("clientError", (error, socket) => {
      this.#failures.set(socket, error.message);
      socket.destroy();
    });
  }

  async listen(): Promise<this> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return this;
  }

  get origin(): string {
    return this.#isSecure ? `https://localhost:${this.#port}` : `http://127.0.0.1:${this.#port}`;
  }

  /** The host label that stands for it. */
  get label(): string {
    return this.#isSecure ? `s-localhost-${this.#port}` : `127-0-0-1-${this.#port}`;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on("error", () => {});
    response.on("error", () => {});
    const plan = this.#readHead(request);
    const reader = new StreamReader(requestStream(plan.message), (text) => this.#tally.tell(plan, text));
    await drink(request, reader, plan.isSlow);
    this.#tally.bytes += reader.size;
    const isWhole = request.complete && reader.size === plan.uploadBytes;
    const { socket } = request;
    const failure = this.#failures.get(socket);
    // Node (20) may read on while the response before waits for room, and fails then: its caller tells, if that matters.
    if (!isWhole && !plan.fault?.startsWith("caller") && failure !== "Parse Error: Paused") {
      const why = `${failure ?? "no failure"}, ${socket.bytesRead} bytes of the connection`;
      this.#tally.tell(plan, `the target got ${reader.size} bytes (${why})`);
    }
    this.#tally.taken.add(plan.message);
    if (response.destroyed) return;
    writeHead(response, plan);
    await this.#writeBody(request.socket, response, plan);
  }

  /** @param socket that of the request: a response has none while the one before it has not finished */
  async #writeBody(socket: Socket, response: ServerResponse, plan: Plan): Promise<void> {
    const isCut = plan.fault?.startsWith("target") ?? false;
    const size = isCut ? plan.answerBytes >> 1 : plan.answerBytes;
    await pour(response, answerStream(plan.message), size);
    if (plan.fault === "target resets") cutOff(socket);
    else if (isCut) socket.destroySoon();
    else response.end();
  }

  async #join(request: IncomingMessage, socket: Socket): Promise<void> {
    const plan = this.#readHead(request);
    socket.write(
      `HTTP/1.1 101 ${tagOf(plan.message, "a")}\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
        `x-own: ${tagOf(plan.message, "a")}\r\n` +
        `sec-websocket-accept: ${acceptOf(request.headers["sec-websocket-key"] ?? "")}\r\n\r\n`,
    );
    const { message, fault } = plan;
    const said = talk(new Peer(socket, false, Buffer.alloc(0)), {
      plan,
      tally: this.#tally,
      out: answerStream(message),
      in: requestStream(message),
      end: fault === "target resets" ? "reset" : fault === "target ends" ? "close" : "wait",
    });
    await said.catch((error: Error) => this.#tally.tell(plan, error.message));
  }

  /** Whose request it is; tells of everything in its head that is not its own. */
  #readHead({ url = "", rawHeaders, headers }: IncomingMessage): Plan {
    const plan = planOf(Number(url.slice(1)));
    const own = tagOf(plan.message, "q");
    const foreign = foreignTags(rawHeaders.join("\n"), own);
    if (foreign.length > 0) this.#tally.tell(plan, `the request has ${foreign.join(", ")}`);
    if (headers["x-own"] !== own || headers.cookie !== `own=${own}`) {
      this.#tally.tell(plan, `the request has x-own ${headers["x-own"]} and the cookie ${headers.cookie}`);
    }
    if (plan.target !== this.#place) this.#tally.tell(plan, `the request came to target ${this.#place}`);
    return plan;
  }
}

function writeHead(response: ServerResponse, { message, framing, answerBytes }: Plan): void {
  const own = tagOf(message, "a");
  const isClosing = framing === "close";
  if (isClosing) response.useChunkedEncodingByDefault = false;
  const status = framing === "204" || framing === "304" ? Number(framing) : 200;
  response.writeHead(status, own, {
    "content-type": "application/octet-stream",
    "x-own": own,
    "set-cookie": `own=${own}`,
    etag: `"${own}"`,
    ...(framing === "length" && { "content-length": answerBytes }),
    ...(isClosing && { connection: "close" }),
  });
}
