/**
 * Refuses messages that Node's parser accepts but no server may.
 * @module
 */

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerError, ProxyError } from "../../core/http/error.ts";
import { OLD_CODING } from "../../wire/server/request-head.ts";
import { writeResponse } from "./server-response.ts";

/**
 * Wraps a listener so that a transfer coding in a version other than HTTP/1.1 gets 400 and ends the connection. A front
 * proxy may have seen a different end of that message, so nothing after it is read.
 *
 * @see RFC 9112 §6.1
 */
export function refuseOldCodings(listener: RequestListener): RequestListener {
  const refused = new WeakSet<Socket>();
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { httpVersion, socket } = incoming;
    if (refused.has(socket)) return;
    if (httpVersion === "1.1" || incoming.headers["transfer-encoding"] === undefined) {
      return listener(incoming, outgoing);
    }
    refused.add(socket);
    outgoing.shouldKeepAlive = false;
    writeResponse(answerError(oldCoding(), "Proxy Error"), outgoing, incoming.method ?? "GET");
  };
}

function oldCoding(): ProxyError {
  return new ProxyError("bad_request", OLD_CODING);
}
