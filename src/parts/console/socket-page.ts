/**
 * `/__proxy__/socket`: WebSockets of the console. Browsers let no page set headers of a handshake, so the console first
 * posts the head with its ticket, and gets a pass for one handshake.
 * @module
 */

import { answerJson } from "../../core/http/answer.ts";
import { decodeBase64url, encodeBase64url } from "../../core/address/base64url.ts";
import { isUpgrade, PROOF_FIELD } from "../../core/http/headers.ts";
import type { Exchange, Forward } from "../../core/exchange/exchange.ts";
import type { ProcessKey } from "../../core/exchange/process-key.ts";
import { checkMethod, ProxyError } from "../../core/http/error.ts";
import type { Reply } from "../../core/http/reply.ts";
import { readParameter, readQuery } from "../../core/address/query.ts";
import type { Argument } from "../../core/pages/argument/argument.ts";
import { describeRequest, readArgTarget } from "../../core/pages/named-target.ts";
import { forbid } from "./capture-rights.ts";
import { REQUEST_FIELD } from "./page-facts.ts";
import { parseHead } from "./send-page.ts";
import type { UsedPasses } from "./used-passes.ts";

/** How long a pass is valid. A browser opens the WebSocket at once. */
export const PASS_MS = 20_000;
const NONCE_BYTES = 12;
const PARAMETER = "pass";
/** Headers on which the browser's handshake and the target's must agree (RFC 6455 §4.1). */
const AGREED = ["sec-websocket-protocol", "sec-websocket-extensions"];

/**
 * Gives a pass to the console (POST), or opens the WebSocket that a pass is for.
 *
 * @throws {ProxyError} `forbidden` without the ticket, or for a pass that is not valid
 */
export async function answerSocket(exchange: Exchange, used: UsedPasses, forward: Forward): Promise<Reply> {
  const { incoming } = exchange;
  if (isUpgrade(incoming.headers)) return await openSocket(exchange, used, forward);
  checkMethod(incoming.method, "POST");
  return await givePass(exchange);
}

async function givePass({ incoming, ticket, key }: Exchange): Promise<Reply> {
  if (incoming.headers.get(PROOF_FIELD) !== ticket) {
    forbid("Cannot give a pass: the request does not come from the console's page, expected its ticket");
  }
  const head = incoming.headers.get(REQUEST_FIELD) ?? "";
  readSocketHead(await parseHead(head));
  return answerJson({ pass: await sealPass(key, { end: Date.now() + PASS_MS, head }) });
}

async function openSocket(exchange: Exchange, used: UsedPasses, forward: Forward): Promise<Reply> {
  const { incoming: { headers }, key, path, carried } = exchange;
  const now = Date.now();
  const pass = readParameter(readQuery(path), PARAMETER) ?? "";
  const opened = await openPass(key, pass);
  if (
    !opened || carried.label !== undefined || opened.end <= now || !used.take(opened.nonce, opened.end, now)
  ) {
    forbid("Cannot open a WebSocket: its pass is wrong, used or expired. Connect again in the console");
  }
  const argument = readSocketHead(await parseHead(opened.head));
  for (const name of AGREED) {
    argument.headers.delete(name);
    const value = headers.get(name);
    if (value !== null) argument.headers.set(name, value);
  }
  const described = describeRequest({ ...exchange, asker: "console" }, argument);
  const target = { ...readArgTarget(described, argument, false), follow: false, isSocket: true };
  const reply = await forward(described, target);
  // The browser would store the cookies for the proxy's own origin.
  reply.headers.delete("set-cookie");
  return reply;
}

function readSocketHead(argument: Argument): Argument {
  if (argument.method === "GET") return argument;
  throw new ProxyError("bad_request", "Cannot open a WebSocket: it has another method, expected GET");
}

/** The content of a pass. */
interface Pass {
  /** Milliseconds since 1970. */
  end: number;
  /** The head of the request, as in `x-fetchvia-request`. */
  head: string;
}

/** Encrypts a pass, because it is sent in an address and its head may hold credentials. */
async function sealPass(key: ProcessKey, pass: Pass): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(pass));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await readKey(key), plain);
  const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(sealed), NONCE_BYTES);
  return encodeBase64url(bytes);
}

/** Decrypts a pass; `undefined` if it is not this proxy's. */
async function openPass(key: ProcessKey, text: string): Promise<Pass & { nonce: string } | undefined> {
  const bytes = decodeBase64url(text);
  if (!bytes || bytes.length <= NONCE_BYTES) return undefined;
  const iv = bytes.slice(0, NONCE_BYTES);
  try {
    const sealed = bytes.slice(NONCE_BYTES);
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, await readKey(key), sealed);
    return { ...JSON.parse(new TextDecoder().decode(plain)) as Pass, nonce: encodeBase64url(iv) };
  } catch {
    return undefined;
  }
}

/** The key for passes: 128 bits, known to this proxy only and the same in all of its processes. */
async function readKey(key: ProcessKey): Promise<CryptoKey> {
  const bytes = decodeBase64url(await key.mark("socket")) as Uint8Array<ArrayBuffer>;
  return await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}
