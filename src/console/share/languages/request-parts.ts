/**
 * The parts of a request that every language writes: its place, its fields and its body.
 * @module
 */

import { toBinary } from "../../../parts/capture/binary.ts";
import { decodeUtf8 } from "../../../parts/console/har-content.ts";
import { isToken } from "../../../core/http/headers.ts";

/** One request with nothing left to decide. */
export interface PlainRequest {
  method: string;
  /** Absolute, without a fragment. */
  url: string;
  /** In order; names may repeat. Values are Latin-1: one character for each byte. */
  headers: [name: string, value: string][];
  /** Text goes out as UTF-8. Absent if the request has no body. */
  body?: string | Uint8Array;
}

/** Fields that a client writes itself, because they frame the message or end at the next hop (RFC 9110 §7.6.1). */
const FRAMING =
  /^(?:content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|http2-settings|proxy-.*)$/i;

/** A value without control characters (RFC 9110 §5.5). */
const VALUE = /^[\t\x20-\x7e\x80-\uffff]*$/;

/** Host, port and path of a request as they stand in it. The path is that of the text: `URL` would remove dot segments. */
export function readPlace(url: string) {
  const { protocol, hostname, port, host } = new URL(url);
  const isSecure = protocol === "https:";
  const [, rest = ""] = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url) ?? [];
  return {
    isSecure,
    /** Without brackets. */
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || (isSecure ? 443 : 80)),
    /** The value of `Host` for this address. */
    host,
    /** Path and query, byte for byte. */
    path: rest.startsWith("/") ? rest : `/${rest}`,
  };
}

/**
 * The fields that code has to name: all but those that every client writes itself. A file may hold some that are none: a
 * client would read those as names of files, or as lines of their own.
 */
export function listFields({ url, headers }: PlainRequest): [name: string, value: string][] {
  const { host } = readPlace(url);
  return headers.filter(([name, value]) =>
    isToken(name) && VALUE.test(value) && !FRAMING.test(name) &&
    !(name.toLowerCase() === "host" && value === host)
  );
}

/** The name of a field for a comment. Some shells run what stands there, so it holds nothing that they could read as code. */
export function tellName(name: string): string {
  return /^[\w-]+$/.test(name) ? name : "a field";
}

/** The body as text that encodes to the very same bytes; `undefined` if there is none such, as for an image. */
export function readText(body: string | Uint8Array): string | undefined {
  const text = typeof body === "string" ? body : decodeUtf8(body);
  return text?.includes("\0") ? undefined : text;
}

/** The body in Base64. */
export function writeBase64(body: string | Uint8Array): string {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return btoa(toBinary([bytes]));
}
