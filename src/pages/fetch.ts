/**
 * `/__proxy__/fetch`: issues the request that `arg` describes (specification 4.3).
 * @module
 */

import { decodeBase64 } from "../address/arg.ts";
import { parseArgument, refuseFormat } from "./argument/argument.ts";
import { discard, isStreaming, readWhole, watchBody } from "../http/body.ts";
import { answerUnconfirmed, describeArgument, isConfirmed } from "./confirm.ts";
import type { Config } from "../settings/config.ts";
import type { Deadlines } from "../http/deadlines.ts";
import { ProxyError } from "../http/error.ts";
import type { Exchange, Forward } from "../exchange/exchange.ts";
import { readParameter, readQuery } from "../address/query.ts";
import { checkUntouched } from "../exchange/request-body.ts";
import { describeRequest, readArgTarget } from "./named-target.ts";
import type { Reply } from "../http/reply.ts";
import type { Incoming } from "../exchange/runtime.ts";
import { checkLength, readFault, uploadStalled, uploadTooLarge } from "../http/upload.ts";

/** Maximum size of a posted argument: an address, a few fields and a body. */
const MAX_ARGUMENT_BYTES = 8 * 1024 * 1024;
const ALLOWED = "GET, HEAD, POST";
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
  const argument = await parseArgument(await readFields(exchange, hasSaidYes));
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
  // A link is opened by GET. Caches must not keep the response if the method inside is unsafe (RFC 9110 §9.2.1).
  if (!SAFE_METHODS.has(method)) reply.headers.set("cache-control", "no-store");
  // For a HEAD inside a GET, the length would be that of a missing body. A 204 has no length, and that of a 304 has
  // another meaning (RFC 9110 §8.6).
  const saysLength = reply.status !== 204 && reply.status !== 304;
  if (method === "HEAD" && incoming.method !== "HEAD" && saysLength) {
    reply.headers.set("content-length", "0");
  }
  if (incoming.method !== "HEAD") return reply;
  discard(reply.body);
  const { status, statusText, headers: fields } = reply;
  return { status, statusText, headers: fields, body: null };
}

async function readFields(
  { incoming, config, path, deadlines }: Exchange,
  isInAddress: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  if (incoming.method === "POST" && !isInAddress) return await readBytes(incoming, config, deadlines.idle);
  if (incoming.method !== "GET" && incoming.method !== "HEAD" && !isInAddress) {
    const message = `Cannot use method ${incoming.method} here, expected ${ALLOWED}`;
    throw new ProxyError("method_not_allowed", message, { headers: { allow: ALLOWED } });
  }
  const text = readParameter(readQuery(path), "arg");
  if (!text) {
    throw new ProxyError(
      "bad_request",
      "Cannot use arg: it is missing, expected the Base64 of a JSON object",
    );
  }
  return decodeBase64(text) ?? refuseFormat();
}

async function readBytes(
  incoming: Incoming,
  config: Config,
  idle: Deadlines,
): Promise<Uint8Array<ArrayBuffer>> {
  const { body } = incoming;
  const { idleTimeoutMs, maxRequestBytes } = config;
  const maxBytes = Math.min(maxRequestBytes || MAX_ARGUMENT_BYTES, MAX_ARGUMENT_BYTES);
  checkLength(incoming.headers, maxBytes);
  if (!isStreaming(body)) {
    if (body && body.length > maxBytes) throw uploadTooLarge(maxBytes);
    return body ?? new Uint8Array();
  }
  checkUntouched(incoming);
  const watched = watchBody(body, {
    idle,
    maxBytes,
    stalled: () => uploadStalled(idleTimeoutMs),
    tooLarge: () => uploadTooLarge(maxBytes),
  });
  return await readWhole(watched).catch((failure) => {
    throw readFault(failure);
  });
}
