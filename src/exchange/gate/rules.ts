/**
 * The methods and paths that an entry of the table allows (contract 8).
 * @module
 */

import type { Address } from "../../address/address.ts";
import { ProxyError } from "../../http/error.ts";
import type { Entry } from "../../settings/targets/entry.ts";

/**
 * Refuses what the entry does not allow. It says nothing about the target itself: that is decided before.
 *
 * @throws {ProxyError} `forbidden`
 */
export function checkRules(entry: Entry | undefined, method: string, { origin, path }: Address): void {
  if (entry?.methods && !entry.methods.includes(method)) {
    throw refusal(`method ${method} is not allowed for ${origin.host}`, `methods of ${entry.name}`);
  }
  if (entry?.paths && !isBelow(entry.paths, path)) {
    throw refusal(`this path is not allowed for ${origin.host}`, `paths of ${entry.name}`);
  }
}

function refusal(state: string, member: string): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot send this request: ${state}. The table of targets has it in ${member}`,
  );
}

/**
 * True for a path below one of the prefixes. Servers differ in what they take for a separator and for a dot segment, so
 * both readings of the path must lie below the same prefix.
 */
export function isBelow(prefixes: readonly string[], path: string): boolean {
  const [pathname = ""] = path.split("?", 1);
  const strict = resolveDots(pathname.replace(/%2e/gi, "."));
  const loose = resolveDots(
    pathname.replace(/%2e/gi, ".").replace(/%2f|%5c|\\/gi, "/").replace(/;[^/]*/g, "").replace(
      /\/{2,}/g,
      "/",
    ),
  );
  return prefixes.some((prefix) => isUnder(strict, prefix) && isUnder(loose, prefix));
}

function isUnder(path: string, prefix: string): boolean {
  return prefix.endsWith("/") ? path.startsWith(prefix) : path === prefix || path.startsWith(`${prefix}/`);
}

/** @see RFC 3986 §5.2.4 */
function resolveDots(path: string): string {
  const resolved: string[] = [];
  const parts = path.split("/");
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (part === "..") resolved.length = Math.max(1, resolved.length - 1);
    else if (part !== ".") resolved.push(part);
    if (isLast && (part === "." || part === "..")) resolved.push("");
  }
  return resolved.join("/");
}
