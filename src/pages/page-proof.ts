/**
 * How the console proves that it is the console where it changes the host: by the ticket, or where its user is not trusted
 * with that, by what its page was given together with a cookie that no script reads. A page of a target has neither.
 * @module
 */

import { PROOF_FIELD, PROOF_PARAMETER } from "../exchange/asker.ts";
import { readCookie } from "../http/cookies.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { readParameter, readQuery } from "../address/query.ts";
import { RESERVED } from "../address/reserved.ts";

const COOKIE = "proxy_page";

/** What a page is given. */
export interface PageProof {
  /** What it shows. */
  proof: string;
  /** The cookie for its browser; absent where it has one. */
  cookie?: string;
}

/** Makes what the page of this browser is given. It is bound to the caller: a page could plant the cookie of somebody else. */
export async function readProof({ incoming, caller, config, key }: Exchange): Promise<PageProof> {
  const [known] = readCookie(incoming.headers.get("cookie"), COOKIE);
  const nonce = known ?? crypto.randomUUID();
  const proof = await key.mark("page", nonce, caller.address);
  if (known !== undefined) return { proof };
  const flags = caller.isSecure ? "; Secure" : "";
  const path = config.mountPath + RESERVED;
  return { proof, cookie: `${COOKIE}=${nonce}; Path=${path}; HttpOnly; SameSite=Strict${flags}` };
}

/** True where a request shows what the page of this browser was given. */
export async function hasProof(
  { incoming: { headers }, caller, path, key, ticket }: Exchange,
): Promise<boolean> {
  const [nonce] = readCookie(headers.get("cookie"), COOKIE);
  const shown = headers.get(PROOF_FIELD) ?? readParameter(readQuery(path), PROOF_PARAMETER);
  if (shown === undefined || shown === ticket) return shown !== undefined;
  return nonce !== undefined && shown === await key.mark("page", nonce, caller.address);
}
