/**
 * Credentials of the target, as the header row that carries them.
 * @module
 * @see RFC 7617 (Basic), RFC 6750 (Bearer)
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import { decodeUtf8 } from "../../parts/console/har-content.ts";
import { findField, type Lines } from "../page/find-field.ts";

/** Credentials in the Auth panel. */
export type Auth =
  | { kind: "none" }
  | { kind: "basic"; user: string; password: string }
  | { kind: "bearer"; token: string }
  | { kind: "key"; name: string; value: string };

/** The default field of an API key. */
export const KEY_FIELD = "x-api-key";

/** The header row of credentials; `undefined` for none. */
export function writeAuth(auth: Auth): [name: string, value: string] | undefined {
  switch (auth.kind) {
    case "basic":
      return ["authorization", `Basic ${encodeText(`${auth.user}:${auth.password}`)}`];
    case "bearer":
      return ["authorization", `Bearer ${auth.token}`];
    case "key":
      return [auth.name || KEY_FIELD, auth.value];
    default:
      return undefined;
  }
}

/** Reads the credentials out of header rows. */
export function readAuth(headers: Lines): Auth {
  const value = findField(headers, "authorization");
  const key = headers.find(([name]) => name.toLowerCase() === KEY_FIELD);
  if (value === undefined) return key ? { kind: "key", name: key[0], value: key[1] } : { kind: "none" };
  const [, scheme = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(value) ?? [];
  if (/^bearer$/i.test(scheme)) return { kind: "bearer", token: rest };
  const bytes = /^basic$/i.test(scheme) ? decodeBase64(rest) : undefined;
  const decoded = bytes && decodeUtf8(bytes);
  const colon = decoded?.indexOf(":") ?? -1;
  if (decoded === undefined || colon < 0) return { kind: "none" };
  return { kind: "basic", user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Base64 of UTF-8. */
export function encodeText(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
