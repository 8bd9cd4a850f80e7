/**
 * What the origin of a page is granted (rule 5.8).
 * @module
 */

import { readAuthority } from "../address/authority.ts";
import { type Grant, isLoopbackOrigin } from "../address/origins.ts";
import type { FieldReader } from "../http/fields.ts";
import type { Config } from "../settings/config.ts";
import type { Runtime } from "../runtime.ts";

/** What the origin of the caller's page is granted. */
export function readGrant(headers: FieldReader, runtime: Runtime, config: Config): Grant {
  const origin = headers.get("origin");
  const { corsOrigins, proxyDomain } = config;
  if (corsOrigins) {
    return origin && corsOrigins.listed.has(origin) ? "listed" : corsOrigins.any ? "any" : "none";
  }
  const isLocal = origin !== null && runtime.listensOnLoopback === true &&
    isLoopbackOrigin(origin, proxyDomain) && !isOwnPort(origin, headers.get("host") ?? "");
  return isLocal ? "listed" : "none";
}

/** Under any loopback name, the proxy's own port serves pages of targets. */
function isOwnPort(origin: string, host: string): boolean {
  return (new URL(origin).port || undefined) === readAuthority(host).port?.toString();
}
