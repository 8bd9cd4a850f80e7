/**
 * Formats HTTP/1.1 responses (RFC 9112 §4, §6).
 * @module
 */

import { Buffer } from "node:buffer";
import type { Interim } from "../../core/interim.ts";
import { ProxyError } from "../../core/http/error.ts";
import { Derived, type FieldReader, nameOf } from "../../core/http/fields.ts";
import { cleanReason } from "../../core/http/headers.ts";
import { memoizeLast } from "../../core/http/memo.ts";
import { NULL_BODY_STATUSES, type Reply } from "../../core/http/reply.ts";
import { isStreaming } from "../../core/http/body.ts";
import { isField } from "../codec/head.ts";
import { encodeLatin1, ownCopy, writeLatin1 } from "../codec/buffers.ts";
import type { ReceivedRequest } from "./received-request.ts";

/** How the body of a response ends. */
export type Ending =
  /** There is no body, or it is sent with the head. */
  | "at once"
  /** After this many bytes. */
  | number
  | "chunked"
  /** With the connection: for HTTP/1.0, which has no chunks. */
  | "closed";

/** A head for the wire, in Latin-1. */
export interface ResponseHead {
  readonly text: string;
  readonly ending: Ending;
  /** False if the response must not contain a body (RFC 9110 §6.4.1). */
  readonly hasBody: boolean;
  /** The text as bytes, once the same head is sent again. */
  bytes: Buffer | undefined;
}

/**
 * Formats the head of a reply.
 *
 * @param isLast true if the connection ends after this response
 * @throws {ProxyError} `internal` for a field that is not well-formed: it could split one response into two
 */
export function formatResponse(
  reply: Reply,
  request: ReceivedRequest,
  isLast: boolean,
): ResponseHead {
  const { status, statusText, headers, body } = reply;
  const isUsual = !isLast && request.isCurrent && request.method !== "HEAD";
  const kept = isUsual ? KEPT.recall(headers) : undefined;
  const isSame = kept?.status === status && kept.statusText === statusText &&
    kept.isStreaming === isStreaming(body);
  if (!isSame) return formatAnew(reply, request, isLast, isUsual);
  kept.bytes ??= ownCopy(encodeLatin1(kept.text));
  return kept;
}

/** A usual head, and what determines it in addition to the fields. */
interface KeptHead extends ResponseHead, Pick<Reply, "status" | "statusText"> {
  readonly isStreaming: boolean;
}

/** The heads of repeated headers. */
const KEPT = new Derived<KeptHead>();

/** @param isUsual true if the head depends on the reply only */
function formatAnew(
  reply: Reply,
  request: ReceivedRequest,
  isLast: boolean,
  isUsual: boolean,
): ResponseHead {
  const { status, statusText, headers, body } = reply;
  const { lines, length, hasDate } = formatLines(headers);
  let fields = hasDate ? lines : `${lines}date: ${currentDate()}\r\n`;
  const { isCurrent } = request;
  const isBodiless = request.method === "HEAD" || NULL_BODY_STATUSES.has(status);
  let ending: Ending = "at once";
  if (isBodiless || length !== undefined) {
    if (!isBodiless && isStreaming(body)) ending = Number(length);
  } else if (!isStreaming(body)) fields += `content-length: ${body?.length ?? 0}\r\n`;
  else if (isCurrent) {
    ending = "chunked";
    fields += "transfer-encoding: chunked\r\n";
  } else ending = "closed";
  if (isLast || ending === "closed") fields += "connection: close\r\n";
  else if (!isCurrent) fields += "connection: keep-alive\r\n";
  const reason = cleanReason(statusText ?? reasonOf(status));
  const text = `HTTP/1.1 ${status} ${reason}\r\n${fields}\r\n`;
  const head = { text, ending, hasBody: !isBodiless, bytes: undefined };
  // A head with a generated date or length is not kept: both may differ next time.
  const isTimeless = hasDate && (isStreaming(body) || isBodiless || length !== undefined);
  if (isUsual && isTimeless && KEPT.takes(headers)) {
    KEPT.keep(headers, { ...head, status, statusText, isStreaming: isStreaming(body) });
  }
  return head;
}

/**
 * Formats the head of an interim response.
 *
 * @throws {ProxyError} `internal` for a field that is not well-formed
 */
export function formatInterim({ status, statusText, headers }: Interim): string {
  const reason = cleanReason(statusText);
  return `HTTP/1.1 ${status} ${reason}\r\n${formatLines(headers).lines}\r\n`;
}

/** Formats the field lines, and finds what the rest of the head depends on. */
function formatLines(headers: FieldReader) {
  let lines = "";
  let length: string | undefined;
  let hasDate = false;
  headers.forEach((value, lowerName, written) => {
    if (lowerName === "content-length") length = value;
    else if (lowerName === "date") hasDate = true;
    const name = nameOf(lowerName, written);
    if (!isField(name, value)) throw malformed();
    lines += `${name}: ${value}\r\n`;
  });
  return { lines, length: length as string | undefined, hasDate };
}

function malformed(): ProxyError {
  return new ProxyError("internal", "Cannot send the response: a header field is malformed");
}

/** Joins head and body into one buffer. */
export function joinHead(head: Pick<ResponseHead, "text" | "bytes">, body: Uint8Array): Buffer {
  const { length } = head.text;
  const bytes = Buffer.allocUnsafe(length + body.length);
  if (head.bytes) bytes.set(head.bytes);
  else writeLatin1(head.text, bytes);
  bytes.set(body, length);
  return bytes;
}

/** The time in HTTP format (RFC 9110 §5.6.7). Formatting is expensive, so all responses of one second share the text. */
function currentDate(): string {
  return formatSecond(Math.floor(Date.now() / 1_000));
}

const formatSecond = memoizeLast((second: number) => new Date(second * 1_000).toUTCString());

/** Status → phrase (RFC 9110 §15, RFC 6585). */
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  206: "Partial Content",
  303: "See Other",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  426: "Upgrade Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  508: "Loop Detected",
};

/** The phrase of a status; `""` for a status that is not listed, because clients do not need it. */
function reasonOf(status: number): string {
  return REASONS[status] ?? "";
}
