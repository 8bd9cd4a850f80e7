/**
 * Adds `Forwarded`, `X-Forwarded-*` and `Via`, if the settings ask for them.
 * @module
 */

import type { FieldWriter } from "./fields.ts";

/** Facts about the caller. */
export interface Client {
  /** IP address without brackets, `""` if unknown. */
  readonly address: string;
  readonly isSecure: boolean;
  /** Host and port that the caller requested. */
  readonly host: string;
}

/**
 * Adds `Forwarded` and `X-Forwarded-*`, from the connection's facts only: the caller's own fields of these names are
 * already dropped.
 * @see RFC 7239 §4, §6 (IPv6 is quoted and in brackets)
 */
export function addClient(headers: FieldWriter, { address, isSecure, host }: Client): void {
  const proto = isSecure ? "https" : "http";
  const node = address.includes(":") ? `"[${address}]"` : address || "unknown";
  headers.set("forwarded", `for=${node};host="${host}";proto=${proto}`);
  if (address) headers.set("x-forwarded-for", address);
  headers.set("x-forwarded-proto", proto);
  headers.set("x-forwarded-host", host);
}

/** Adds this hop to `Via`. The version is always 1.1, because a `Request` does not expose its own (RFC 9110 §7.6.3). */
export function addVia(headers: FieldWriter, pseudonym: string): void {
  headers.append("via", `1.1 ${pseudonym}`);
}
