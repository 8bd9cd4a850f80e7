/**
 * WebSocket handshakes: reads and checks those of callers, sends those to targets, and verifies the response (RFC 6455 §4).
 * @module
 */

import { encodeBase64 } from "../address/base64url.ts";
import { encodeUtf8 } from "../http/text.ts";
import { discard } from "../http/body.ts";
import { ProxyError } from "../http/error.ts";
import { mapFailure } from "../http/failure.ts";
import { type FieldReader, Fields } from "../http/fields.ts";
import { hasToken, isUpgrade, readUpgrade } from "../http/headers.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import type { RequestRecord } from "../exchange/record.ts";
import type { Incoming, Send, SocketWatch, Upgrade, Upstream } from "../runtime.ts";
import { takeResponse } from "../exchange/web-standard.ts";

const KEY = /^[A-Za-z0-9+/]{22}==$/;
/** Maximum characters that a refusal shows of another protocol's name. */
const MAX_SHOWN = 60;
/** The only version of the protocol. */
const VERSION = "13";
/** Both sides hash this text with the key (RFC 6455 §1.3). */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const SWITCHED = "it switched to another protocol, expected Upgrade: websocket";

/** Converts a `ws` address to `http`: a handshake is an HTTP request (RFC 6455 §3). */
export function toHttp(address: string): string {
  return address.replace(/^ws(s?):\/\//i, "http$1://");
}

/** True for a request that opens a WebSocket to its target, as the incoming handshake asks. */
export function opensSocket({ incoming }: Pick<Exchange, "incoming">, target: Target): boolean {
  return (target.selector !== "arg" || target.isSocket === true) && isUpgrade(incoming.headers);
}

/**
 * Checks a WebSocket handshake; requests without a protocol upgrade pass. A handshake must never get a 200.
 *
 * @param hasTarget whether the request names a target that sockets can connect to
 * @throws {ProxyError} `bad_request` for a bad handshake, `not_implemented` if the runtime has no WebSockets, and for
 * any other protocol
 */
export function checkUpgrade(
  { incoming, runtime }: Pick<Exchange, "incoming" | "runtime">,
  hasTarget: boolean,
): void {
  const protocol = readUpgrade(incoming.headers);
  if (protocol === undefined) return;
  if (protocol !== "websocket") {
    const shown = JSON.stringify(protocol.slice(0, MAX_SHOWN));
    const message =
      `Cannot switch to the protocol ${shown}: it is not supported, expected websocket or no Upgrade`;
    throw new ProxyError("not_implemented", message);
  }
  if (!hasTarget) throw refusal("no target is named", "a host selector or url");
  if (!runtime.upgrade) {
    throw new ProxyError("not_implemented", "Cannot open a WebSocket: this runtime does not support it");
  }
  checkHandshake(incoming);
}

/** @see RFC 6455 §4.2.1 */
function checkHandshake({ method, headers }: Incoming): void {
  const length = headers.get("content-length") ?? "0";
  if (method !== "GET" || length !== "0" || headers.has("transfer-encoding")) {
    throw refusal("the handshake has another method or a body", "a GET without a body");
  }
  if (!hasToken(headers.get("connection"), "upgrade")) {
    throw refusal("its Connection header lacks Upgrade", "Connection: Upgrade");
  }
  if (headers.get("sec-websocket-version") !== VERSION) {
    throw refusal("its version is not supported", `Sec-WebSocket-Version: ${VERSION}`);
  }
  if (!KEY.test(headers.get("sec-websocket-key") ?? "")) {
    throw refusal("Sec-WebSocket-Key is missing or malformed", "the Base64 of 16 bytes");
  }
}

function refusal(state: string, expected: string): ProxyError {
  const headers = { "sec-websocket-version": VERSION };
  return new ProxyError("bad_request", `Cannot open a WebSocket: ${state}, expected ${expected}`, {
    headers,
  });
}

/**
 * Makes the sender of a handshake. A target's response with status 300 or more is an ordinary one (RFC 6455 §4.1). A
 * success that opens no WebSocket is an error.
 *
 * @throws {ProxyError} `upgrade_failed` for any other response than those or a valid 101
 */
export function createUpgradeSender({ incoming, record }: Exchange, upgrade: Upgrade): Send {
  return async (outgoing) => {
    const { host } = outgoing.origin;
    const key = encodeBase64(crypto.getRandomValues(new Uint8Array(16)));
    const headers = new Fields(outgoing.headers);
    headers.set("connection", "Upgrade");
    headers.set("upgrade", "websocket");
    headers.set("sec-websocket-version", VERSION);
    headers.set("sec-websocket-key", key);
    const open: Send = (sent) => upgrade(sent, watchSocket(record, host));
    const send = record.capture?.watch(open) ?? open;
    const response = takeResponse(await send({ ...outgoing, headers, body: null }));
    const fault = response.socket ? await findFault(response, headers, key) : findStatusFault(response);
    if (fault) {
      discard(response.body);
      response.socket?.cancel();
      throw new ProxyError("upgrade_failed", `Cannot open a WebSocket to ${host}: ${fault}`);
    }
    if (!response.socket) return response;
    record.isStreaming = true;
    const fields = new Fields(response.headers);
    fields.set("sec-websocket-accept", await hashKey(incoming.headers.get("sec-websocket-key") ?? ""));
    fields.delete("content-length");
    return { ...response, headers: fields, body: null };
  };
}

function findStatusFault({ status }: Upstream): string | undefined {
  if (status === 101) return SWITCHED;
  return status >= 300 ? undefined : `it answered ${status}, expected 101`;
}

/** Describes what is wrong with a 101. @see RFC 6455 §4.1 */
async function findFault(
  { headers }: Upstream,
  sent: FieldReader,
  key: string,
): Promise<string | undefined> {
  const protocol = headers.get("sec-websocket-protocol");
  const extensions = headers.get("sec-websocket-extensions");
  if (!isUpgrade(headers) || !hasToken(headers.get("connection"), "upgrade")) return SWITCHED;
  if (headers.get("sec-websocket-accept") !== await hashKey(key)) {
    return "its Sec-WebSocket-Accept does not match the key";
  }
  if (protocol !== null && !readList(sent.get("sec-websocket-protocol")).includes(protocol)) {
    return "it chose a subprotocol that was not offered";
  }
  if (extensions !== null && !isOffered(extensions, sent.get("sec-websocket-extensions"))) {
    return "it chose an extension that was not offered";
  }
  return undefined;
}

/** True if every extension was offered by name. Parameters are left to the two sides. */
function isOffered(chosen: string, offered: string | null): boolean {
  const names = readList(offered).map(dropParameters);
  return chosen.split(",").every((extension) => names.includes(dropParameters(extension)));
}

function dropParameters(extension: string): string {
  return extension.replace(/;.*/, "").trim();
}

/** The members of a list. Empty ones do not count (RFC 9110 §5.6.1), so nobody can choose them. */
function readList(list: string | null): string[] {
  return (list ?? "").split(",").map((member) => member.trim()).filter((member) => member !== "");
}

function watchSocket(record: RequestRecord, host: string): SocketWatch {
  return {
    onIn: (bytes) => void (record.bytesIn += bytes),
    onOut: (bytes) => void (record.bytesOut += bytes),
    onMessage: record.capture?.onMessage,
    messageBytes: record.capture?.messageBytes,
    mostMessages: record.capture?.mostMessages,
    onEnd(failure) {
      if (failure !== undefined) record.fail(mapFailure(failure, host));
      record.end();
    },
  };
}

/** Computes `Sec-WebSocket-Accept` from a key. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", encodeUtf8(key + GUID));
  return encodeBase64(new Uint8Array(digest));
}
