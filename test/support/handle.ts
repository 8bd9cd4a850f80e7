/**
 * The proxy without sockets: requests as an entry hands them in, and a target that is a function.
 * @module
 */
import type { HandedBody, Incoming, Outgoing, Runtime, Upstream } from "../../src/core/runtime.ts";
import { incomingOf } from "./exchange.ts";

/** Header fields of a row; rows of one table need not have the same. `undefined` sends none. */
export type Fields = Record<string, string | undefined>;

/** A target that answers with these in turn, and remembers what it was asked. */
export function target(...answers: Partial<Upstream>[]): { sent: Outgoing[]; runtime: Runtime } {
  const sent: Outgoing[] = [];
  const send = (outgoing: Outgoing) => {
    const answer = answers[sent.push(outgoing) - 1];
    return Promise.resolve({ status: 200, statusText: "", headers: new Headers(), body: null, ...answer });
  };
  const resolve = () => Promise.resolve(["93.184.215.14"]);
  return { sent, runtime: { send, resolve, clientAddress: "127.0.0.1", listensOnLoopback: true } };
}

/** A request to the proxy. */
export function incoming(
  path: string,
  fields: Fields = {},
  method = "GET",
  body: HandedBody = null,
): Incoming {
  return incomingOf({ path, fields, method, body });
}

/** A body that streams these chunks. */
export function stream(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}
