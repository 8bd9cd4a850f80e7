/**
 * WebSockets on `Deno.serve`: first the handshake with the target, then the caller's. Bytes pass unchanged, as on Node.
 *
 * `Deno.upgradeWebSocket` (2.9) joins fragments without a limit, can't stop reading a caller, and hides the connection.
 * So this file takes over the raw connection, as Deno's own `node:http` does.
 * @module
 */

import { Buffer } from "node:buffer";
import { Fields } from "../../core/http/fields.ts";
import { type Reply, toResponse } from "../../core/http/reply.ts";
import { ConnStream, type RawConn } from "./released-connection.ts";
import { ByteSide, formatHead } from "../../wire/websocket/bytes.ts";
import { refuseCaller } from "../../wire/websocket/caller-side.ts";
import { DialledSocket } from "../../wire/websocket/dial.ts";
import { joinSides } from "../../wire/websocket/join.ts";
import type { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { watchSilence } from "../../wire/websocket/silence.ts";

/** An internal API of Deno without a stability guarantee. */
interface Internals {
  upgradeHttpRaw?(request: Request): { conn: RawConn; response: Response };
}

declare const Deno: { readonly internal: symbol; readonly [key: symbol]: Internals | undefined };

/** Maximum fields besides `Upgrade` and `Connection`: Deno (2.9) accepts at most 16 response fields here. */
const MAX_FIELDS = 14;

/** True if this version of Deno releases connections. */
export function releasesConnections(): boolean {
  return typeof Deno[Deno.internal]?.upgradeHttpRaw === "function";
}

/** Returns the response; for a 101 it joins the caller's side to the target's. */
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

/** Limits the fields: those of the handshake go first, then cookies. A page's scripts can't see the dropped fields. */
export function limitFields(reply: Reply): Reply {
  const fields = [...reply.headers];
  if (fields.length <= MAX_FIELDS) return reply;
  const rank = ([name]: [string, string]) =>
    name.startsWith("sec-websocket-") ? 0 : name === "set-cookie" ? 1 : 2;
  const kept = fields.sort((one, other) => rank(one) - rank(other)).slice(0, MAX_FIELDS);
  return { ...reply, headers: new Fields(kept) };
}
