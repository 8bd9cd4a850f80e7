/**
 * Refuses messages that Node's parser accepts but no server may.
 * @module
 */

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { answerError, ProxyError } from "../../core/http/error.ts";
import { malformed, OLD_CODING } from "../../wire/server/request-head.ts";
import { writeResponse } from "./server-response.ts";

/**
 * Wraps a listener so that a transfer coding in HTTP/1.0, and a version that is not HTTP/1, get 400 and end the connection. A
 * front proxy may have seen a different end of that message, so nothing after it is read.
 *
 * @see RFC 9112 §6.1
 */
export function refuseVersions(listener: RequestListener): RequestListener {
  const refused = new WeakSet<Socket>();
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    if (refused.has(socket)) return;
    const fault = incoming.httpVersion === "1.1" ? undefined : findFault(incoming);
    if (!fault) return listener(incoming, outgoing);
    refused.add(socket);
    outgoing.shouldKeepAlive = false;
    writeResponse(answerError(fault, "Proxy Error"), outgoing, incoming.method ?? "GET");
  };
}

function findFault({ httpVersion, headers }: IncomingMessage): ProxyError | undefined {
  if (httpVersion !== "1.0") return malformed("the version of the request");
  if (headers["transfer-encoding"] === undefined) return undefined;
  return new ProxyError("bad_request", OLD_CODING);
}
