/**
 * Responses of a Worker, and WebSockets, which the platform joins itself.
 * @module
 */

import { type Body, discard, isStreaming, type StandardBody, toStandard } from "../../http/body.ts";
import { Fields } from "../../http/fields.ts";
import type { Outgoing, SocketWatch, Upstream } from "../../exchange/runtime.ts";
import { ProxyError } from "../../http/error.ts";
import { type Reply, toResponse } from "../../http/reply.ts";
import { hashKey } from "../../exchange/websocket.ts";
import { pipeThroughPlatform } from "./platform-streams.ts";
import { fetchTarget, readAnswer } from "./send.ts";
import { writeFields } from "./fields.ts";

/** The target's side of a WebSocket, as workerd keeps it. */
interface PlatformSocket {
  accept(): void;
  close(): void;
}

/** What `Response` has and takes on a Worker, and the types don't know. */
interface WithSocket {
  webSocket?: PlatformSocket | null;
}

/** Keeps a request alive for a work of it, though its caller leaves: `waitUntil` of the platform. */
export type Keep = (work: Promise<unknown>) => void;

/** A joined WebSocket: the platform passes its messages, and nobody here sees them. */
class PassedSocket {
  readonly webSocket: PlatformSocket;
  readonly watch: SocketWatch;

  constructor(webSocket: PlatformSocket, watch: SocketWatch) {
    this.webSocket = webSocket;
    this.watch = watch;
  }

  cancel(): void {
    this.webSocket.accept();
    this.webSocket.close();
    this.watch.onEnd();
  }
}

/**
 * Asks the target for a WebSocket. The key and its hash are the platform's own: it checks them itself.
 *
 * @throws {ProxyError} `upgrade_failed` for a 101 that the platform did not take: it makes a bare 502 of that
 */
export async function joinWorker(outgoing: Outgoing, watch: SocketWatch): Promise<Upstream> {
  const headers = new Fields(outgoing.headers);
  headers.delete("sec-websocket-extensions");
  const response: Response & WithSocket = await fetchTarget({ ...outgoing, headers });
  const answer = readAnswer(response);
  if (answer.status === 502 && [...answer.headers].every(([name]) => name === "transfer-encoding")) {
    discard(answer.body);
    const message =
      `Cannot open a WebSocket to ${outgoing.origin.host}: its handshake failed, expected a valid 101`;
    throw new ProxyError("upgrade_failed", message);
  }
  const { webSocket } = response;
  if (!webSocket) return answer;
  const fields = new Fields(answer.headers);
  fields.set("connection", "Upgrade");
  fields.set("upgrade", "websocket");
  fields.set("sec-websocket-accept", await hashKey(headers.get("sec-websocket-key") ?? ""));
  return { ...answer, headers: fields, body: null, socket: new PassedSocket(webSocket, watch) };
}

/**
 * The answer as the platform takes it: a stream that has a length keeps it.
 *
 * @param keep takes what must go on where the caller leaves
 */
export function answerWorker(reply: Reply, request: Request, keep: Keep): Response {
  const { status, statusText, body, socket } = reply;
  const headers = writeFields(reply.headers);
  if (socket instanceof PassedSocket) {
    const answer: ResponseInit & WithSocket = { status, headers, webSocket: socket.webSocket };
    const response = new Response(null, answer);
    // What goes on from here is out of sight.
    socket.watch.onEnd();
    return response;
  }
  const length = reply.headers.get("content-length");
  const write = (body: Body) => carryAnswer(body, length, request, keep);
  return toResponse({ status, statusText, headers: new Fields(headers), body }, request, write);
}

function carryAnswer(body: Body, length: string | null, { signal }: Request, keep: Keep): StandardBody {
  // Nobody is left to read it.
  if (signal.aborted) {
    discard(body);
    return null;
  }
  // A stream made in code the platform cancels itself; where it is carried, it is for the code that carries it to go on.
  if (length === null || !isStreaming(body)) return toStandard(body);
  const { readable, done, stop } = pipeThroughPlatform(body.stream(), length);
  keep(done);
  // At once: the request to the target breaks off too, and that would look like the target's own fault.
  signal.addEventListener("abort", () => void stop(signal.reason), { once: true });
  return readable;
}
