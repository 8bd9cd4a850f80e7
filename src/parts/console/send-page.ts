/**
 * `/__proxy__/send`: the console's requests, byte for byte. The response is sealed.
 *
 * A request comes as a fetch argument like that of `/__proxy__/fetch`, or split: its head in a header, its body as the
 * body. The second form can carry repeated headers, and bodies of any bytes and length.
 * @module
 */

import { decodeArg } from "../../core/address/arg.ts";
import { PROOF_FIELD } from "../../core/http/headers.ts";
import type { Exchange, Forward } from "../../core/exchange/exchange.ts";
import type { Body } from "../../core/runtime.ts";
import { isStreaming } from "../../core/http/body.ts";
import { checkMethod, ProxyError } from "../../core/http/error.ts";
import type { Reply } from "../../core/http/reply.ts";
import {
  addHeader,
  type Argument,
  DEFAULT_USER_AGENT,
  parseArgument,
} from "../../core/pages/argument/argument.ts";
import { MAX_POSTED_BYTES, readPosted } from "../../core/way/request-body.ts";
import { answerFetch, guardResponse } from "../../core/pages/fetch.ts";
import { describeRequest, readArgTarget } from "../../core/pages/named-target.ts";
import { forbid } from "./capture-rights.ts";
import { viewerOf } from "./capture-page.ts";
import { MAX_REQUEST_FIELD, REQUEST_FIELD } from "./page-facts.ts";
import type { SealedHead } from "../../core/address/sealed-head.ts";
import type { FieldReader } from "../../core/http/fields.ts";
import { sealReply } from "../../core/way/sealed-reply.ts";

/**
 * Sends what the console asks for.
 *
 * @throws {ProxyError} `bad_request` for every error in the description, `forbidden` for a split request without the ticket
 * from a browser
 */
export async function answerSend(exchange: Exchange, forward: Forward): Promise<Reply> {
  const written = exchange.incoming.headers.get(REQUEST_FIELD);
  // The console sees the secrets of the requests that it sent.
  if (exchange.asker === "console") exchange.record.capture?.own(viewerOf(exchange));
  return sealResponse(
    written === null ? await answerFetch(exchange, forward) : await sendSplit(exchange, written, forward),
  );
}

async function sendSplit(exchange: Exchange, written: string, forward: Forward): Promise<Reply> {
  const { incoming } = exchange;
  checkConsole(exchange);
  checkMethod(incoming.method, "POST");
  const argument = await parseHead(written);
  const described = describeRequest(exchange, argument);
  const body = await takeBody(exchange, argument.redirect === "follow");
  const length = incoming.headers.get("content-length");
  const hasLength = body ? length !== null : length === "0" && !/^(?:GET|HEAD)$/.test(argument.method);
  if (hasLength) argument.headers.set("content-length", length as string);
  const target = readArgTarget(exchange, argument, false);
  const reply = await forward(
    { ...described, described: { ...described.described, body } },
    // A streamed body can't be sent twice.
    isStreaming(body) ? { ...target, follow: false } : target,
  );
  guardResponse(reply, argument.method, incoming.method);
  return reply;
}

/**
 * Refuses browsers without the ticket: pages of targets may share the console's origin. Programs need none, because they
 * can send the same bytes by any selector.
 *
 * @throws {ProxyError} `forbidden`
 */
function checkConsole({ incoming, asker, ticket }: Exchange): void {
  if (asker === "program" || incoming.headers.get(PROOF_FIELD) === ticket) return;
  forbid(
    "Cannot send this request: it does not come from the console's page, expected the page's ticket. Open /__proxy__/ again",
  );
}

/**
 * Reads the head of a request.
 *
 * @param written Base64 of its JSON
 * @throws {ProxyError} `bad_request`
 */
export async function parseHead(written: string): Promise<Argument> {
  if (written.length > MAX_REQUEST_FIELD) {
    refuse(`it is too long, expected at most ${MAX_REQUEST_FIELD} bytes`);
  }
  const { headers = [], body, ...rest } = decodeArg(written) ??
    refuse("expected the Base64 of a JSON object");
  if (body !== undefined) refuse("it has a body, expected the body of this request");
  if (!Array.isArray(headers)) refuse("headers is no list, expected pairs of name and value");
  const argument = await parseArgument(new TextEncoder().encode(JSON.stringify(rest)));
  argument.headers.delete("user-agent");
  for (const pair of headers) {
    const [name, value] = Array.isArray(pair) && pair.length === 2 ? pair : [];
    if (typeof name !== "string") refuse("headers has an entry that is no pair of name and value");
    addHeader(argument.headers, name, typeof value === "string" ? value : undefined);
  }
  if (!argument.headers.has("user-agent")) argument.headers.set("user-agent", DEFAULT_USER_AGENT);
  return argument;
}

/** The body: read into memory if it is short and a redirect may send it again, otherwise as a stream. */
async function takeBody(exchange: Exchange, mayRepeat: boolean): Promise<Body> {
  const { body, headers } = exchange.incoming;
  const length = headers.get("content-length");
  if (body === null || length === "0") return null;
  const isShort = length !== null && Number(length) <= MAX_POSTED_BYTES;
  return mayRepeat && isShort ? await readPosted(exchange) : body;
}

function refuse(state: string): never {
  throw new ProxyError("bad_request", `Cannot use ${REQUEST_FIELD}: ${state}`);
}

/** Seals a response; its body stays unchanged. The sealed head says which headers the proxy changed. */
export function sealResponse(response: Reply): Reply {
  const { status, statusText, received, headers } = response;
  const changed = received && listChanges(received, headers);
  return { ...sealReply(response, status, changed), ...(statusText !== undefined && { statusText }) };
}

/** Each header whose lines differ, with the lines that the target sent. */
function listChanges(received: FieldReader, sent: FieldReader): NonNullable<SealedHead["changed"]> {
  const before = readLines(received);
  const after = readLines(sent);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name): [string, string[]] => [name, before.get(name) ?? []])
    .filter(([name, lines]) => lines.join("\n") !== (after.get(name) ?? []).join("\n"));
}

function readLines(headers: FieldReader): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  headers.forEach((value, name) => {
    const known = lines.get(name);
    if (known) known.push(value);
    else lines.set(name, [value]);
  });
  return lines;
}
