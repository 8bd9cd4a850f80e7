/**
 * Expires the previous host's cookies when a browser changes its host.
 * @module
 */

import { cookieNames } from "./cookies.ts";
import type { FieldWriter } from "./fields.ts";
import { noteName, readNotes } from "./cookie-jar.ts";

/** Lines of one answer, with that of the host: a caller could send thousands of names. */
const MAX_LINES = 50;

/** How cookies are expired. */
interface ExpireOptions {
  /** Where the proxy is mounted. */
  mountPath: string;
  /** The attribute of cookies over https, else empty. */
  secure: string;
  /** Those too that are kept for a host: the host is cleared. */
  isAll: boolean;
}

/**
 * Appends the lines: first for cookies under paths of their own, which are noted, then for those that the caller shows.
 * What is more than an answer may hold is told in `Proxy-Status`, and expired by asking again.
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
