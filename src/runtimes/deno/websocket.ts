/**
 * WebSockets on `Deno.serve`: first the handshake with the target, then the caller's. Bytes pass as on Node.
 *
 * `Deno.upgradeWebSocket` (2.9) joins fragments without any limit, and can't stop reading a caller; of its connection nothing
 * is seen. So the connection itself is asked for, as `node:http` of Deno and its own tests do.
 * @module
 */

import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import { Fields } from "../../http/fields.ts";
import { type Reply, toResponse } from "../../http/reply.ts";
import { ConnStream, type RawConn } from "./connection.ts";
import { ByteSide, formatHead } from "../websocket/bytes.ts";
import { refuseCaller } from "../websocket/caller.ts";
import { DialledSocket } from "../websocket/dial.ts";
import { joinSides } from "../websocket/join.ts";
import type { OpenSockets } from "../websocket/open-sockets.ts";

/** An internal API of Deno, without stability guarantee. */
interface Internals {
  upgradeHttpRaw?(request: Request): { conn: RawConn; response: Response };
}

declare const Deno: { readonly internal: symbol; readonly [key: symbol]: Internals | undefined };

/** A caller that is silent for so many milliseconds, or twice as many, is pinged; with no answer in as many it is gone. */
const SILENCE_MS = 60_000;
/** Deno (2.9) takes no head of more than 16 fields; two of them are `Upgrade` and `Connection`. */
const MAX_FIELDS = 14;

/** True where this Deno lets go of connections. */
export function releasesConnections(): boolean {
  return typeof Deno[Deno.internal]?.upgradeHttpRaw === "function";
}

/** Gives the answer; with a 101 it joins the caller's side to the target's. */
export function answerDeno(reply: Reply, request: Request, sockets: OpenSockets): Response {
  if (!(reply.socket instanceof DialledSocket)) return toResponse(reply, request);
  const head = formatHead(limitFields(reply));
  try {
    const { conn, response } = Deno[Deno.internal]!.upgradeHttpRaw!(request);
    const stream = new ConnStream(conn, Buffer.from(head, "latin1"));
    const side = new ByteSide(stream, false);
    joinSides(side, new ByteSide(reply.socket.socket, true), reply.socket.watch, sockets);
    watchSilence(stream, side);
    return response;
  } catch {
    return toResponse(refuseCaller(reply.socket), request);
  }
}

/** What the handshake needs comes first, then cookies; of what is too much nothing can be seen by a script of a page. */
export function limitFields(reply: Reply): Reply {
  const fields = [...reply.headers];
  if (fields.length <= MAX_FIELDS) return reply;
  const rank = ([name]: [string, string]) =>
    name.startsWith("sec-websocket-") ? 0 : name === "set-cookie" ? 1 : 2;
  const kept = fields.sort((one, other) => rank(one) - rank(other)).slice(0, MAX_FIELDS);
  return { ...reply, headers: new Fields(kept) };
}

/** Deno has no TCP keep-alive to detect a lost peer. */
export function watchSilence(stream: Duplex, side: Pick<ByteSide, "ping">): void {
  let isSilent = false;
  let isAsked = false;
  stream.on("data", () => (isSilent = isAsked = false));
  const timer = setInterval(() => {
    if (stream.isPaused()) return;
    if (isAsked) stream.destroy();
    else if (isSilent) isAsked = side.ping();
    isSilent = true;
  }, SILENCE_MS);
  stream.once("close", () => clearInterval(timer));
}
