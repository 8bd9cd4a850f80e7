/**
 * Expires the previous host's cookies when a browser changes its host.
 * @module
 */

import { cookieNames } from "./cookies.ts";
import type { FieldWriter } from "./fields.ts";
import { noteName, readNotes } from "./cookie-jar.ts";

/** Maximum `Set-Cookie` lines in one response, including the host's: a caller could send thousands of names. */
const MAX_LINES = 50;

/** Options for expiring cookies. */
interface ExpireOptions {
  /** Where the proxy is mounted. */
  mountPath: string;
  /** The `Secure` attribute over https, otherwise empty. */
  secure: string;
  /** True to expire cookies that are stored for hosts too, because the host is cleared. */
  isAll: boolean;
}

/**
 * Appends the lines: first for noted cookies under other paths, then for those in the request. If there are too many
 * for one response, `Proxy-Status` says so, and another request expires the rest.
 */
export function expireCookies(headers: FieldWriter, cookie: string | null, options: ExpireOptions): void {
  const { mountPath, secure, isAll } = options;
  const root = mountPath || "/";
  const expire = (name: string, path: string) => `${name}=; Path=${path}; HttpOnly; Max-Age=0${secure}`;
  const noted = readNotes(cookie).flatMap((
    note,
  ) => [expire(note.name, note.path), expire(noteName(note), root)]);
  const shown = cookieNames(cookie, isAll).filter(Boolean).map((name) => expire(name, root));
  const lines = [...new Set([...noted, ...shown])];
  for (const line of lines.slice(0, MAX_LINES - 1)) headers.append("set-cookie", line);
  const left = lines.length - (MAX_LINES - 1);
  if (left > 0) headers.set("proxy-status", `fetchvia; details="${left} cookies are left: ask again"`);
}
