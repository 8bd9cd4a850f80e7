/**
 * Follows a redirect in place of the runtime: a sealed one is an ordinary response to it, and with another one it would take
 * the fields of the request along, because all targets share the proxy's origin.
 * @module
 * @see Fetch §4.4 (HTTP-redirect fetch)
 */

import type { FieldList } from "./caller-fields.ts";
import { parsePlainUrl } from "../core/address/plain-url.ts";
import { readHead } from "./unseal.ts";

/** A request as a caller asked for it. */
export interface Asked {
  readonly url: string;
  readonly method: string;
  /** All fields, also those that a page's `fetch` would lose. */
  readonly fields: FieldList;
  /** The body; a stream can be sent once only. */
  readonly body: ArrayBuffer | ReadableStream | null;
}

const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "cookie", "cookie2"]);
const BODY_FIELD = /^content-(?:encoding|language|length|location|type)$/;

/** True for a status that leads elsewhere (Fetch §2.2.3, redirect status). */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** True if fields hold what must not leave its origin. */
export function hasCredentials(fields: FieldList): boolean {
  return fields.some(([name]) => CREDENTIALS.has(name));
}

/** The address that a redirect names. In one that is not sealed it stands in a link to the proxy, because of rule 4.14. */
export function readLocation(response: Response): string | null {
  const sealed = readHead(response);
  if (sealed) return sealed.headers.get("location");
  const location = response.headers.get("location");
  const link = location === null ? undefined : parsePlainUrl(location);
  return (link?.pathname.endsWith("/__proxy__/") ? link.searchParams.get("url") : undefined) ?? location;
}

/**
 * The request that a redirect leads to.
 *
 * @param location the value of its `Location`
 * @returns `undefined` if the location is missing or can't be requested
 * @throws {TypeError} when a stream would have to be sent again
 */
export function nextRequest(asked: Asked, status: number, location: string | null): Asked | undefined {
  const url = location === null ? undefined : parsePlainUrl(location, asked.url);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const { method, body } = asked;
  const becomesGet = status === 303
    ? method !== "GET" && method !== "HEAD"
    : (status === 301 || status === 302) && method === "POST";
  if (!becomesGet && body instanceof ReadableStream) {
    throw new TypeError(
      `Cannot follow the redirect to ${url.host}: the body was a stream. Send text or bytes`,
    );
  }
  const isElsewhere = url.origin !== new URL(asked.url).origin;
  const fields = asked.fields.filter(([name]) =>
    !(isElsewhere && CREDENTIALS.has(name)) && !(becomesGet && BODY_FIELD.test(name))
  );
  return { url: url.href, method: becomesGet ? "GET" : method, fields, body: becomesGet ? null : body };
}
