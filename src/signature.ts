/**
 * Signed links: HMAC-SHA-256 over path and query as sent, without `&sig=…` (contract 5).
 * @module
 * @see RFC 2104 (HMAC), RFC 4648 §5 (Base64url)
 */

/** What a link is worth. */
export type LinkVerdict = "valid" | "wrong" | "expired" | "unsigned";

const SIGNED = /^(\/__proxy__\/?(?:fetch)?\?.*)&sig=([\w-]*={0,2})$/;
const encoder = new TextEncoder();
const keys = new Map<string, CryptoKey>();

/**
 * Signs path and query of a link.
 *
 * @param path from its `/` on, with `exp` where the link shall expire
 * @returns Base64url without padding, to be appended as `&sig=…`
 */
export async function signLink(path: string, signingKey: string): Promise<string> {
  const bytes = new Uint8Array(
    await crypto.subtle.sign("HMAC", await importKey(signingKey), encoder.encode(path)),
  );
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Verifies a link with `url` or `arg`, in constant time: the signature is compared by `crypto.subtle.verify` alone.
 *
 * @param path path and query as sent
 * @param now Unix time in seconds
 */
export async function verifyLink(path: string, signingKey: string, now: number): Promise<LinkVerdict> {
  const [, signed, signature] = SIGNED.exec(path) ?? [];
  if (signed === undefined || signature === undefined || !/[?&](?:url|arg)=/.test(signed)) return "unsigned";
  if (isInAddress(signed)) return "unsigned";
  const bytes = decode(signature);
  const key = await importKey(signingKey);
  if (!bytes || !(await crypto.subtle.verify("HMAC", key, bytes, encoder.encode(signed)))) return "wrong";
  const expires = /[?&]exp=([^&]*)/.exec(signed)?.[1];
  if (expires === undefined) return "valid";
  if (!/^\d{1,12}$/.test(expires)) return "wrong";
  return Number(expires) > now ? "valid" : "expired";
}

/** A raw `url=` address with a query takes everything that follows; what looks like a signature is the target's own. */
function isInAddress(signed: string): boolean {
  return /[?&]url=(?:https?|wss?):\/\/[^&?]*\?/i.test(signed);
}

/** Keeps the key itself, not its promise: in workerd one request can't await what another one began. */
async function importKey(text: string): Promise<CryptoKey> {
  const known = keys.get(text);
  if (known) return known;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(text), algorithm, false, [
    "sign",
    "verify",
  ]);
  keys.set(text, key);
  return key;
}

function decode(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(
      atob(text.replaceAll("-", "+").replaceAll("_", "/")),
      (digit) => digit.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}
