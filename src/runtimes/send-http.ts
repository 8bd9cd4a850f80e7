/**
 * The sender over `node:http(s)`, for Node, Deno and Bun: raw bytes, exact path, any method, judged addresses only.
 * @module
 */

import * as http from "node:http";
import * as https from "node:https";
import { nextTick } from "node:process";
import {
  type Body,
  type FieldReader,
  Fields,
  type Outgoing,
  type Send,
  type Signal,
  toStandard,
  type Upstream,
} from "../index.ts";
import { connectionOptions } from "./connection.ts";
import { NodeBody } from "./node-body.ts";
import { writeStream } from "./streams.ts";

/** A connection that idles this many milliseconds is closed: before the five seconds after which many servers do. */
const IDLE_CONNECTION_MS = 4_000;

/** How the sender treats connections. */
export interface HttpSenderOptions {
  /** Keeps connections for methods other than GET and HEAD too. False on Deno 2.9, which sends a POST twice on a stale one. */
  reuseForAll: boolean;
}

/** Makes a sender with connection pools of its own. */
export function createHttpSender({ reuseForAll }: HttpSenderOptions): Send {
  const pooled = createAgents(true);
  const single = createAgents(false);
  return (outgoing) => {
    const mayReuse = reuseForAll || outgoing.method === "GET" || outgoing.method === "HEAD";
    return sendOnce(outgoing, mayReuse ? pooled : single);
  };
}

interface Agents {
  plain: http.Agent;
  secure: https.Agent;
}

/** Keeps connections apart by the addresses that were judged for them, so that a later verdict holds for reused ones. */
function createAgents(keepAlive: boolean): Agents {
  const options = {
    keepAlive,
    timeout: IDLE_CONNECTION_MS,
    maxSockets: Infinity,
    scheduling: "lifo",
  } as const;
  const agents = { plain: new http.Agent(options), secure: new https.Agent(options) };
  for (const agent of [agents.plain, agents.secure]) {
    agent.getName = (request?: http.RequestOptions & { pool?: string }) => request?.pool ?? "";
  }
  return agents;
}

function sendOnce(outgoing: Outgoing, agents: Agents): Promise<Upstream> {
  const { origin, signal } = outgoing;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const isSecure = origin.protocol === "https:";
    const request = (isSecure ? https : http).request(
      requestOptions(outgoing, isSecure ? agents.secure : agents.plain),
    );
    request.method = outgoing.method;
    abortWith(signal, request, reject);
    // An error after the head is one of the body: a connection that was reset ends cleanly for `node:http` where only
    // its end delimits the body (RFC 9112 §8 wants that incomplete).
    let failure: Error | undefined;
    request.on("error", (error) => {
      failure = error;
      reject(error);
    });
    // By the next tick the parser has read all that came with the head: most bodies are whole by then.
    request.once("response", (response) =>
      nextTick(() => {
        try {
          resolve(readAnswer(response, outgoing.method, () => failure));
        } catch (error) {
          response.destroy();
          reject(error);
        }
      }));
    // An upgrade that nobody asked for: the connection no longer speaks HTTP.
    request.once("upgrade", (_response, socket) => {
      socket.destroy();
      reject(Object.assign(new Error("unexpected upgrade"), { code: "UnrequestedUpgrade" }));
    });
    writeBody(outgoing, request);
  });
}

/** Gives the request up when the signal says so, before its answer and in the middle of it. */
function abortWith(signal: Signal, request: http.ClientRequest, reject: (reason: Error) => void): void {
  const abort = () => {
    const reason = signal.reason instanceof Error ? signal.reason : new Error("aborted");
    // Deno (2.9) takes a pooled connection that is destroyed for a stale one and sends again, on one that nobody waits for.
    request.on("socket", (socket) => socket.destroy());
    request.destroy(reason);
    reject(reason);
  };
  signal.addEventListener("abort", abort, { once: true });
}

function requestOptions({ method, origin, path, headers, body, addresses }: Outgoing, agent: http.Agent) {
  const { host, port, pool, servername, lookup, maxHeaderSize } = connectionOptions(origin, addresses);
  const framing = frame(method, headers, body);
  // `node:http` writes lines down at once, with the method in capitals; fields wait until it has its own spelling.
  const fields = method === method.toUpperCase()
    ? [...(headers instanceof Fields ? headers.lines : new Fields(headers).lines), ...framing]
    : Object.fromEntries(framing.length ? [...headers, framing] : headers);
  return {
    host,
    port,
    pool,
    servername,
    lookup,
    maxHeaderSize,
    agent,
    method,
    path,
    headers: fields,
    setHost: false,
  };
}

/** Methods whose requests say nothing of a length where they have no body (RFC 9110 §8.6). */
const BODILESS_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);

/**
 * The framing that the headers leave open. `node:http` would write a body of these methods bare, where the target takes
 * it for the next request, and on Deno (2.9) chunk a POST that has none.
 */
function frame(method: string, headers: FieldReader, body: Body): string[] {
  if (headers.has("content-length")) return [];
  if (body !== null) return ["transfer-encoding", "chunked"];
  return BODILESS_METHODS.has(method) ? [] : ["content-length", "0"];
}

function writeBody({ body }: Outgoing, request: http.ClientRequest): void {
  if (body === null) request.end();
  else if (body instanceof Uint8Array) request.end(body);
  else {
    // The target decides by the head what it does with the body. An empty write sends it now and keeps Latin-1 bytes.
    request.write(new Uint8Array());
    if (body instanceof NodeBody) body.pipe(request);
    else void writeStream(toStandard(body) as ReadableStream<Uint8Array>, request);
  }
}

/** What a server can write as a reason; the parser of `node:http` lets more through (RFC 9112 §4). */
const REASON = /^[\t\x20-\x7e\x80-\xff]*$/;

function readAnswer(
  response: http.IncomingMessage,
  method: string,
  failure: () => Error | undefined,
): Upstream {
  const headers = new Fields();
  const { rawHeaders, statusCode: status = 0, statusMessage: reason = "" } = response;
  const statusText = REASON.test(reason) ? reason : "";
  for (let i = 0; i < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i]?.toLowerCase() ?? "", rawHeaders[i + 1] ?? "");
  }
  return { status, statusText, headers, body: readBody(response, method, headers, failure) };
}

function readBody(
  response: http.IncomingMessage,
  method: string,
  headers: Fields,
  failure: () => Error | undefined,
): Body {
  const length = headers.get("content-length");
  if (method === "HEAD" || response.statusCode === 204 || response.statusCode === 304 || length === "0") {
    // Without a body there is nothing to wait for: the connection goes back to its pool at once.
    response.resume();
    return null;
  }
  const isWhole = response.complete && length !== null && response.readableLength === Number(length);
  if (!isWhole) return new NodeBody(response, { failure });
  // Without a number Deno (2.9) reads the first chunk alone; with one, nobody notices the end that gives the connection
  // back to its pool.
  const bytes = response.read(Number(length)) as Uint8Array<ArrayBuffer>;
  response.resume();
  return bytes;
}
