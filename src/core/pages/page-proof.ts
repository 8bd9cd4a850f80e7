/**
 * How the console proves itself when it changes the host: by the ticket, or, for users without ticket, by a value in
 * its page that matches an `HttpOnly` cookie. A page of a target has neither.
 * @module
 */

import { PROOF_FIELD } from "../http/headers.ts";
import { PROOF_PARAMETER } from "../who/asker.ts";
import { readCookie } from "../http/cookies.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { readParameter, readQuery } from "../address/query.ts";
import { RESERVED } from "../address/reserved-paths.ts";

const COOKIE = "proxy_page";

/** The proof for a page. */
export interface PageProof {
  /** The value in the page. */
  proof: string;
  /** The cookie for its browser; absent if it already has one. */
  cookie?: string;
}

/**
 * Creates the proof for the page of this browser. It is bound to the caller, because a page could plant another
 * caller's cookie.
 */
export async function readProof({ incoming, caller, config, key }: Exchange): Promise<PageProof> {
  const [known] = readCookie(incoming.headers.get("cookie"), COOKIE);
  const nonce = known ?? crypto.randomUUID();
  const proof = await key.mark("page", nonce, caller.address);
  if (known !== undefined) return { proof };
  const flags = caller.isSecure ? "; Secure" : "";
  const path = config.mountPath + RESERVED;
  return { proof, cookie: `${COOKIE}=${nonce}; Path=${path}; HttpOnly; SameSite=Strict${flags}` };
}

/** True if a request carries the proof of this browser's page. */
export async function hasProof(
  { incoming: { headers }, caller, path, key, ticket }: Exchange,
): Promise<boolean> {
  const [nonce] = readCookie(headers.get("cookie"), COOKIE);
  const shown = headers.get(PROOF_FIELD) ?? readParameter(readQuery(path), PROOF_PARAMETER);
  if (shown === undefined || shown === ticket) return shown !== undefined;
  return nonce !== undefined && shown === await key.mark("page", nonce, caller.address);
}
