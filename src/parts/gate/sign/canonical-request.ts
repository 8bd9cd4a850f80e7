/**
 * The canonical request of AWS Signature Version 4: one text for everything in a request that its signature covers.
 * @module
 */

import type { Outgoing } from "../../../core/runtime.ts";

/** The headers that are signed. Others may be changed on the way. */
const SIGNED = /^(?:host|content-type|x-amz-.+)$/;

/** The canonical request, one character for each byte, and the names of the signed headers. */
export type Canonical = Readonly<Record<"names" | "text", string>>;

/** True for a service of S3: its paths are encoded once and never normalized, and its bodies need no hash. */
export function isS3(service: string): boolean {
  return /^s3(?:express|-outposts|-object-lambda)?$/.test(service);
}

/** Writes the canonical request; `hash` is the SHA-256 of the body, or the word that stands in its place. */
export function writeCanonical(
  { method, path, headers }: Pick<Outgoing, "method" | "path" | "headers">,
  service: string,
  hash: string,
  signed: RegExp = SIGNED,
): Canonical {
  const [pathname = "", ...rest] = path.split("?");
  const fields = new Map<string, string[]>();
  headers.forEach((value, name) => {
    // `trim` would take bytes of UTF-8 for blanks.
    const trimmed = value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "");
    if (signed.test(name)) fields.set(name, [...fields.get(name) ?? [], trimmed]);
  });
  const sorted = [...fields.keys()].sort();
  const lines = sorted.map((name) => `${name}:${fields.get(name)!.join()}\n`);
  const names = sorted.join(";");
  // The other services encode the path as it was sent, so that its escapes are escaped again.
  const uri = encode(isS3(service) ? decode(pathname) : normalize(pathname), /[^\w.~/-]/g);
  return { names, text: [method, uri, sortQuery(rest.join("?")), lines.join(""), names, hash].join("\n") };
}

/** The path without empty and dot segments (RFC 3986 §5.2.4). */
function normalize(pathname: string): string {
  const kept: string[] = [];
  for (const segment of pathname.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}${kept.length > 0 && pathname.endsWith("/") ? "/" : ""}`;
}

/** The parameters, encoded once, by their names and then by their values. */
function sortQuery(query: string): string {
  const pairs = query.split("&").filter(Boolean).map((pair) => {
    const [name, ...value] = pair.replaceAll("+", " ").split("=");
    return [name!, value.join("=")].map((part) => encode(decode(part), /[^\w.~-]/g)).join(" ");
  });
  // A blank sorts before every character of an encoded text.
  return pairs.sort().join("&").replaceAll(" ", "=");
}

function encode(text: string, reserved: RegExp): string {
  return text.replace(reserved, (byte) => `%${toHex([byte.charCodeAt(0)]).toUpperCase()}`);
}

/** Decodes each byte by itself; a `%` without two digits stays. */
function decode(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

/** Bytes in hexadecimal. */
export function toHex(bytes: Iterable<number>): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
