/**
 * A WebSocket through the proxy: opened with a pass, or by `?url=` where the page has no ticket.
 * @module
 */

import { encodeArg } from "../../core/address/arg.ts";
import { REQUEST_FIELD } from "../../parts/console/page-facts.ts";
import type { Draft } from "./draft.ts";
import { buildRequest, type ReadyRequest, type Surroundings } from "./compose-request.ts";
import { findField } from "../page/find-field.ts";
import { askProxy, captureFields, ownAddress } from "../page/own-requests.ts";

/** A handshake that can be asked for, or why it can't. */
export type Handshake =
  | { request: ReadyRequest; protocols: string[]; notes: string[]; problem?: undefined }
  | {
    problem: string;
  };

/** Reads the handshake of a draft. Method and body are not used. */
export function readHandshake(draft: Draft, surroundings: Surroundings): Handshake {
  const address = draft.address.replace(
    /^(\s*)ws(s?):/i,
    (_, lead, s: string) => `${lead}http${s.toLowerCase()}:`,
  );
  const outcome = buildRequest(
    { ...draft, method: "GET", kind: "none", address, follow: false },
    surroundings,
  );
  if (outcome.problem !== undefined) return outcome;
  const { headers } = outcome.request;
  const offered = findField(headers, "sec-websocket-protocol") ?? "";
  return {
    request: { ...outcome.request, headers: headers.filter(([name]) => !/^sec-websocket-/i.test(name)) },
    protocols: offered.split(",").map((protocol) => protocol.trim()).filter((protocol) => protocol !== ""),
    notes: outcome.notes,
  };
}

/**
 * Opens the WebSocket.
 *
 * @param ticket proves that the console asks; `null` if the page has none
 * @throws {Error} if the proxy gives no pass; the message is its own
 */
export async function connect(
  { request, protocols }: { request: ReadyRequest; protocols: string[] },
  ticket: string | null,
): Promise<WebSocket> {
  const address = ticket === null
    ? `${ownAddress("")}?url=${encodeURIComponent(request.url)}`
    : `${ownAddress("socket")}?pass=${await askPass(request, ticket)}`;
  const socket = new WebSocket(address.replace(/^http/, "ws"), protocols);
  socket.binaryType = "arraybuffer";
  return socket;
}

async function askPass({ url, headers }: ReadyRequest, ticket: string): Promise<string> {
  const fields = { ...captureFields(ticket), [REQUEST_FIELD]: encodeArg({ url, headers }) };
  const answer = await askProxy<{ pass: string }>("socket", fields, { method: "POST" });
  if (answer.problem !== undefined) throw new Error(answer.problem);
  return answer.told.pass;
}

/** Reads bytes written as hexadecimal digits, with blanks as you like; `undefined` for anything else. */
export function readHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = text.replace(/\s+/g, "");
  if (!/^(?:[\da-f]{2})*$/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** The meaning of a close code (RFC 6455 §7.4.1). */
export function nameClose(code: number): string {
  const names: Readonly<Record<number, string>> = {
    1000: "normal",
    1001: "going away",
    1002: "protocol error",
    1003: "unsupported data",
    1005: "no code",
    1006: "no close frame: refused, or cut off",
    1007: "invalid data",
    1008: "against the policy",
    1009: "too big",
    1010: "extension missing",
    1011: "error of the server",
    1012: "restarts",
    1013: "try again later",
    1015: "TLS failed",
  };
  return names[code] ?? (code >= 4000 ? "of the application" : "reserved");
}
