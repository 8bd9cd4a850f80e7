/**
 * Why the proxy withheld a cookie that a browser would refuse, derived from the capture of the hop.
 * @module
 */

import type { CapturedRequest } from "../capture/capture.ts";
import { findCookieFault } from "../../core/http/refused-cookie.ts";

/** Names and addresses that browsers trust over plain http too. */
const LOOPBACK = /^(?:(?:.*\.)?localhost|127\.[\d.]+|\[::1\])$/;
const TELLS_HOST = /^(?:x-forwarded-)?host$/i;

/** The reason, such as `it is SameSite=None without Secure`; `undefined` for a cookie that was passed on. */
export function findWithheld(line: string, { url, headers }: CapturedRequest): string | undefined {
  const { protocol, hostname } = new URL(url);
  const told = headers.filter(([name]) => TELLS_HOST.test(name)).map(([, host]) => host.replace(/:\d*$/, ""));
  // A target that gets the caller's own host is trusted like the caller, who is not known here.
  const isLoopback = LOOPBACK.test(hostname);
  const isTrusted = protocol === "https:" || isLoopback ||
    told.some((host) => host !== hostname);
  return findCookieFault(line, { hosts: isLoopback ? [] : [hostname, ...told], isTrusted });
}
