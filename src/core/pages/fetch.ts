/**
 * `/__proxy__/fetch`: issues the request that `arg` describes (specification 4.3).
 * @module
 */

import { parseArgument, parseBase64 } from "./argument/argument.ts";
import { readPosted } from "../way/request-body.ts";
import { discard } from "../http/body.ts";
import { answerUnconfirmed, describeArgument, isAnswered, isConfirmed } from "./confirm.ts";
import { cannotUse, checkMethod, ProxyError } from "../http/error.ts";
import type { Exchange, Forward } from "../exchange/exchange.ts";
import { readParameter, readQuery } from "../address/query.ts";
import { describeRequest, readArgTarget } from "./named-target.ts";
import type { Reply } from "../http/reply.ts";

/** The methods that the page takes. */
export const FETCH_METHODS: readonly string[] = ["GET", "HEAD", "POST"];
/** Methods whose responses may be cached, if the target allows it. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Answers `/__proxy__/fetch`: GET and HEAD with `arg`, POST with the same JSON as its body.
 *
 * @throws {ProxyError} `bad_request` for every error in the argument, `method_not_allowed` for other methods
 */
export async function answerFetch(exchange: Exchange, forward: Forward): Promise<Reply> {
  const { incoming } = exchange;
  const hasSaidYes = await isConfirmed(exchange);
  const argument = await parseArgument(await readFields(exchange, isAnswered(exchange)));
  const { method } = argument;
  const target = readArgTarget(exchange, argument, hasSaidYes);
  let reply: Reply;
  try {
    reply = await forward(describeRequest(exchange, argument), target);
  } catch (error) {
    if (!(error instanceof ProxyError) || error.code !== "unconfirmed") throw error;
    const arg = readParameter(readQuery(exchange.path), "arg");
    return await answerUnconfirmed(exchange, describeArgument(argument), error, arg);
  }
  guardResponse(reply, method, incoming.method);
  if (incoming.method !== "HEAD") return reply;
  discard(reply.body);
  const { status, statusText, headers: fields } = reply;
  return { status, statusText, headers: fields, body: null };
}

/**
 * Adapts the response of a described request to the request that carried the description.
 *
 * @param method the method of the described request
 * @param arrived the method of the request that carried the description
 */
export function guardResponse(reply: Reply, method: string, arrived: string): void {
  // A link is opened by GET. Caches must not keep the response if the method inside is unsafe (RFC 9110 §9.2.1).
  if (!SAFE_METHODS.has(method)) reply.headers.set("cache-control", "no-store");
  // For a HEAD inside a GET, the length would be that of a missing body. A 204 has no length, and that of a 304 has
  // another meaning (RFC 9110 §8.6).
  const saysLength = reply.status !== 204 && reply.status !== 304;
  if (method === "HEAD" && arrived !== "HEAD" && saysLength) {
    reply.headers.set("content-length", "0");
  }
}

async function readFields(exchange: Exchange, isInAddress: boolean): Promise<Uint8Array<ArrayBuffer>> {
  const { incoming, path } = exchange;
  if (incoming.method === "POST" && !isInAddress) return await readPosted(exchange);
  if (!isInAddress) checkMethod(incoming.method, ...FETCH_METHODS);
  const text = readParameter(readQuery(path), "arg");
  if (!text) throw cannotUse("arg", "it is missing", "the Base64 of a JSON object");
  return parseBase64(text);
}
