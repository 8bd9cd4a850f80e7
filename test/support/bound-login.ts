/**
 * A target that binds a login to its connection, as NTLM and Negotiate do (RFC 4559 §6).
 * @module
 */
import type { Socket } from "node:net";
import { reply } from "./answers.ts";
import type { Answer, Connection } from "./client.ts";
import { type Fields, headBytes, pairsOf } from "./http.ts";
import type { Received, Upstream } from "./upstream.ts";

/** Answers by who has logged in on the connection; `served` answers those who have, with their name. */
export function bindLogins(
  upstream: Upstream,
  served = (user: string) => reply(200, {}, `hello ${user}`),
): void {
  const users = new Map<Socket, string>();
  upstream.answer = (request, socket) => {
    const token = tokenOf(request);
    if (token?.startsWith("TYPE3-")) users.set(socket, token.slice(6));
    const user = users.get(socket);
    const challenge = token === "TYPE1" ? "NTLM TYPE2" : "NTLM";
    const isServed = user !== undefined && token !== "TYPE1";
    const answer = isServed ? served(user) : reply(401, { "WWW-Authenticate": challenge }, "who?");
    return answer(request, socket);
  };
}

/** The token of a login in the request. */
function tokenOf(request: Received): string | undefined {
  return /^(?:NTLM|Negotiate) (\S+)/i.exec(request.header("authorization") ?? "")?.[1];
}

/** Sends one request after the other on a connection, and gives the last answer. */
export async function talk(connection: Connection, requests: readonly Buffer[]): Promise<Answer> {
  let last: Answer | undefined;
  for (const request of requests) {
    connection.write(request);
    last = await connection.answer();
  }
  return last!;
}

/** The requests with which a user logs in. */
export function login(user: string, requestWith: (fields: Fields) => Buffer): Buffer[] {
  return ["TYPE1", `TYPE3-${user}`].map((token) => requestWith([["Authorization", `NTLM ${token}`]]));
}

/** Makes requests with the same line, host and fields. */
export function requester(line: string, fields: Fields): (more?: Fields) => Buffer {
  return (more = []) => headBytes(`${line} HTTP/1.1`, [...pairsOf(fields), ...pairsOf(more)]);
}
