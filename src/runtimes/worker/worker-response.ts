/**
 * Responses of a Worker, and WebSockets, which the platform joins itself.
 * @module
 */

import { type Body, discard, isStreaming, type StandardBody, toStandard } from "../../core/http/body.ts";
import { Fields } from "../../core/http/fields.ts";
import type { Outgoing, SocketWatch, Upstream } from "../../core/runtime.ts";
import { ProxyError } from "../../core/http/error.ts";
import { type Reply, toResponse } from "../../core/http/reply.ts";
import { hashKey } from "../../core/way/handshake.ts";
import { pipeThroughPlatform } from "./platform-streams.ts";
import { fetchTarget, readResponse } from "./platform-sender.ts";
import { writeFields } from "./worker-fields.ts";

/** The target's side of a WebSocket in workerd. */
interface PlatformSocket {
  accept(): void;
  close(): void;
}

/** The members of a Worker's `Response` that the types lack. */
interface WithSocket {
  webSocket?: PlatformSocket | null;
}

/** Keeps a request alive until `work` ends, even if its caller leaves: `waitUntil` of the platform. */
export type Keep = (work: Promise<unknown>) => void;

/** A WebSocket that the platform joins itself, so its messages are not visible here. */
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
 * Opens a WebSocket to the target. The platform makes the key and checks its hash itself.
 *
 * @throws {ProxyError} `upgrade_failed` for a 101 that the platform rejects, which it turns into a bare 502
 */
export async function joinWorker(outgoing: Outgoing, watch: SocketWatch): Promise<Upstream> {
  const headers = new Fields(outgoing.headers);
  headers.delete("sec-websocket-extensions");
  const fetched: Response & WithSocket = await fetchTarget({ ...outgoing, headers });
  const response = readResponse(fetched);
  if (response.status === 502 && [...response.headers].every(([name]) => name === "transfer-encoding")) {
    discard(response.body);
    const message =
      `Cannot open a WebSocket to ${outgoing.origin.host}: its handshake failed, expected a valid 101`;
    throw new ProxyError("upgrade_failed", message);
  }
  const { webSocket } = fetched;
  if (!webSocket) return response;
  const fields = new Fields(response.headers);
  fields.set("connection", "Upgrade");
  fields.set("upgrade", "websocket");
  fields.set("sec-websocket-accept", await hashKey(headers.get("sec-websocket-key") ?? ""));
  return { ...response, headers: fields, body: null, socket: new PassedSocket(webSocket, watch) };
}

/**
 * Converts the reply for the platform. A stream with a known length keeps it.
 *
 * @param keep receives work that must continue if the caller leaves
 */
export function answerWorker(reply: Reply, request: Request, keep: Keep): Response {
  const { status, statusText, body, socket } = reply;
  const headers = writeFields(reply.headers);
  if (socket instanceof PassedSocket) {
    const init: ResponseInit & WithSocket = { status, headers, webSocket: socket.webSocket };
    const response = new Response(null, init);
    // The end of the WebSocket is not visible here, so the watch is notified now.
    socket.watch.onEnd();
    return response;
  }
  const length = reply.headers.get("content-length");
  const write = (body: Body) => carryResponse(body, length, request, keep);
  return toResponse({ status, statusText, headers: new Fields(headers), body }, request, write);
}

function carryResponse(body: Body, length: string | null, { signal }: Request, keep: Keep): StandardBody {
  // The caller has already left.
  if (signal.aborted) {
    discard(body);
    return null;
  }
  // The platform itself cancels a stream that was made in code. A piped stream must be stopped here.
  if (length === null || !isStreaming(body)) return toStandard(body);
  const { readable, done, stop } = pipeThroughPlatform(body.stream(), length);
  keep(done);
  // Stops at once: the request to the target is aborted too, which would otherwise look like a failure of the target.
  signal.addEventListener("abort", () => void stop(signal.reason), { once: true });
  return readable;
}
