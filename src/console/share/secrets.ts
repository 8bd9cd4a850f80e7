/**
 * Finds what a link should not carry unnoticed, by the table that capture masks by.
 * @module
 */

import type { Lines } from "../page/find-field.ts";
import { hideAddress, hideBody, hideField } from "../builder/hide.ts";

/** The parts of a request that a link carries. */
export interface Carried {
  url: string;
  headers: Lines;
  body?: string | Blob;
}

/** The secrets in an address: its user and password, parameters by name, and keys elsewhere in it. */
export function findAddressSecrets(address: string): string[] {
  const { username, password, origin, pathname, search, hash } = new URL(address);
  return [
    ...new Set([
      ...(password ? ["a password"] : username ? ["a user name"] : []),
      ...(isHidden(origin + pathname) ? ["a key in the path"] : []),
      ...findParameters(search),
      ...findParameters(hash),
    ]),
  ];
}

/** All secrets of a request, by name. */
export function findSecrets({ url, headers, body }: Carried): string[] {
  const fields = headers.filter(([name, value]) => hideField(name, value) !== value);
  const isKept = typeof body !== "string" || hideBody(body) === body;
  return [
    ...new Set([
      ...fields.map(([name]) => name.toLowerCase()),
      ...findAddressSecrets(url),
      ...(isKept ? [] : ["a secret in the body"]),
    ]),
  ];
}

/** Says calmly what a link carries; `undefined` if it carries no secret. */
export function warnOf(secrets: readonly string[]): string | undefined {
  return secrets.length > 0 ? `Carries ${secrets.join(", ")}: whoever has the link has it too` : undefined;
}

/** The names of the parameters that hold a secret, of a query or a fragment. */
function findParameters(text: string): string[] {
  const pairs = text.slice(1).split("&").filter((pair) => isHidden(`?${pair}`));
  return pairs.map((pair) => {
    const [[name, value] = ["", ""]] = new URLSearchParams(pair);
    // Without a value, the name is the secret.
    return value === "" || isHidden(`?${name}`) ? "a key in the query" : name;
  });
}

function isHidden(address: string): boolean {
  return hideAddress(address) !== address;
}
