/**
 * Verifies the signature of a link (rule 5.10).
 * @module
 */

import { readParameter, readQuery } from "../../core/address/query.ts";
import { decodeBase64url, encodeBase64url } from "../../core/address/base64url.ts";
import { isFetch } from "../../core/address/reserved-paths.ts";
import { importKey } from "../../core/address/signature.ts";
import type { Rules } from "../../core/exchange/exchange.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { Config } from "../../core/settings/config.ts";

/** Result of verifying a signed link. */
export type LinkVerdict = "valid" | "wrong" | "expired" | "undated" | "unsigned";

const LINK = /^\/__proxy__(?:\/(?:fetch\/?)?)?\?/;
/** The signed part, and the signature, which comes last. */
const SIGNED = /^(.*)&sig=([^&=]*)=*$/;
/** A parameter that says when the link expires. */
const END = /[?&]exp(?:=([^&]*)|(?=&|$))/g;

/** The rules of signed links: the holder of the key approved exactly this request. */
export function linkRules({ signingKey }: Pick<Config, "signingKey">): Rules {
  return {
    async admit({ incoming: { method }, path }, isReserved) {
      if (!isReserved || !(await checkSignature(path, signingKey))) return undefined;
      // The signature does not cover a posted argument.
      return method === "POST" && isFetch(path) ? undefined : "signature";
    },
  };
}

/** True for a link with a valid signature, false for one without any. */
async function checkSignature(path: string, signingKey: string): Promise<boolean> {
  const verdict = await verifyLink(path, signingKey, Date.now() / 1000);
  if (verdict === "unsigned") return false;
  if (verdict === "valid") return true;
  throw new ProxyError(
    "forbidden",
    verdict === "undated"
      ? "Cannot use this link: its exp is not a time, expected Unix seconds"
      : `Cannot use this link: its signature is ${verdict}. Create a new link`,
  );
}

/**
 * Verifies a link with `url` or `arg`, in constant time: the signature is compared by `crypto.subtle.verify` alone.
 *
 * @param path path and query as sent
 * @param now Unix time in seconds
 */
export async function verifyLink(path: string, signingKey: string, now: number): Promise<LinkVerdict> {
  const query = readQuery(path);
  const isLink = LINK.test(path) && ["url", "arg"].some((name) => readParameter(query, name) !== undefined);
  if (!isLink || readParameter(query, "sig") === undefined) return "unsigned";
  const [, signed = "", signature = ""] = SIGNED.exec(path) ?? [];
  const bytes = decodeBase64url(signature);
  // Several Base64 texts decode to the same bytes; only the canonical one is accepted.
  if (!bytes || encodeBase64url(bytes) !== signature) return "wrong";
  const key = await importKey(signingKey);
  if (!(await crypto.subtle.verify("HMAC", key, bytes, new TextEncoder().encode(signed)))) return "wrong";
  const end = endOfLink(signed);
  return Number.isNaN(end) ? "undated" : end > now ? "valid" : "expired";
}

/**
 * When a link expires, in Unix seconds; Infinity if it never does, NaN if an `exp` is no time. Whoever wrote a part of the
 * address may have added one, so the earliest counts.
 */
export function endOfLink(path: string): number {
  const ends = [...path.matchAll(END)].map(([, end = ""]) => /^\d{1,12}$/.test(end) ? Number(end) : NaN);
  return Math.min(...ends);
}
