/**
 * WebSocket handshakes with targets: sends them, and verifies the response (RFC 6455 §4).
 * @module
 */

import { encodeBase64 } from "../address/base64url.ts";
import { encodeUtf8 } from "../http/text.ts";
import { discard } from "../http/body.ts";
import { ProxyError } from "../http/error.ts";
import { mapFailure } from "../http/failure.ts";
import { type FieldReader, Fields } from "../http/fields.ts";
import { hasToken, isUpgrade } from "../http/headers.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { RequestRecord } from "../exchange/record.ts";
import type { Send, SocketWatch, Upgrade, Upstream } from "../runtime.ts";
import { takeAnswer } from "../exchange/web-standard.ts";
import { VERSION } from "./caller-handshake.ts";

/** Both sides hash this text with the key (RFC 6455 §1.3). */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const SWITCHED = "it switched to another protocol, expected Upgrade: websocket";

/**
 * Makes the sender of a handshake. A target's response with status 300 or more is an ordinary one (RFC 6455 §4.1). A
 * success that opens no WebSocket is an error.
 *
 * @throws {ProxyError} `upgrade_failed` for any other response than those or a valid 101
 */
export function createUpgradeSender({ incoming, record }: Exchange, upgrade: Upgrade): Send {
  return async (outgoing) => {
    const { host } = outgoing.origin;
    const key = createKey();
    const headers = new Fields(outgoing.headers);
    headers.set("connection", "Upgrade");
    headers.set("upgrade", "websocket");
    headers.set("sec-websocket-version", VERSION);
    headers.set("sec-websocket-key", key);
    const open: Send = (sent) => upgrade(sent, watchSocket(record, host));
    const send = record.capture?.watch(open) ?? open;
    const answer = takeAnswer(await send({ ...outgoing, headers, body: null }));
    const fault = answer.socket ? await findFault(answer, headers, key) : findStatusFault(answer);
    if (fault) {
      discard(answer.body);
      answer.socket?.cancel();
      throw new ProxyError("upgrade_failed", `Cannot open a WebSocket to ${host}: ${fault}`);
    }
    if (!answer.socket) return answer;
    record.isStreaming = true;
    const fields = new Fields(answer.headers);
    fields.set("sec-websocket-accept", await hashKey(incoming.headers.get("sec-websocket-key") ?? ""));
    fields.delete("content-length");
    return { ...answer, headers: fields, body: null };
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
  if (!isUpgrade(headers) || !hasToken(headers.get("connection"), "upgrade")) {
    return SWITCHED;
  }
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
      if (failure !== undefined) {
        const { code, cause } = mapFailure(failure, host);
        record.error = code;
        record.cause = cause;
      }
      record.end();
    },
  };
}

function createKey(): string {
  return encodeBase64(crypto.getRandomValues(new Uint8Array(16)));
}

/** Computes `Sec-WebSocket-Accept` from a key. */
export async function hashKey(key: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", encodeUtf8(key + GUID));
  return encodeBase64(new Uint8Array(digest));
}
