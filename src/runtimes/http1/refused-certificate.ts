/**
 * Finds out why a target's certificate was refused, where the runtime does not tell.
 *
 * Bun (1.4) has one code for self-signed certificates and unknown authorities, and Deno (2.9) has the same one for
 * certificates out of their time, too. Node is exact.
 * @module
 */

import type { X509Certificate } from "node:crypto";
import process from "node:process";
import type { ConnectionOptions } from "./address.ts";
import { connectTls } from "./target-tls.ts";

const VAGUE = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
/** Milliseconds to look at a certificate. */
const LOOK_MS = 2_000;
/** Maximum number of certificates to look at together, so that failures can't double the connections of a flood. */
const MOST_LOOKS = 32;

const { bun, deno } = process.versions as Record<string, string | undefined>;
let looks = 0;

/**
 * Explains a failure of a TLS connection. The certificate is read on a second connection, which carries nothing and is
 * closed at once: the first one has forgotten it.
 *
 * @returns a promise that always settles, with a failure whose code is exact; `undefined` if there is nothing to explain
 */
export function explainRefusal(
  failure: NodeJS.ErrnoException,
  options: ConnectionOptions,
): Promise<Error> | undefined {
  if (failure.code !== VAGUE || (!bun && !deno) || looks >= MOST_LOOKS) return undefined;
  looks += 1;
  return new Promise((resolve) => {
    // The certificate was refused already. Nothing is sent here, and nothing but the certificate is read.
    const socket = connectTls(options, { rejectUnauthorized: false });
    const code = () => findFault(socket.getPeerX509Certificate()) ?? VAGUE;
    socket.once("secureConnect", () => {
      resolve(Object.assign(new Error("refused certificate"), { code: code() }));
      socket.destroy();
    });
    socket.on("error", () => resolve(failure));
    socket.setTimeout(LOOK_MS, () => socket.destroy());
    socket.once("close", () => {
      looks -= 1;
      resolve(failure);
    });
    socket.unref();
  });
}

/**
 * The code of what is wrong with a certificate itself; `undefined` if only its issuer is unknown.
 *
 * @param now in Unix milliseconds
 */
export function findFault(
  certificate: Pick<X509Certificate, "validFrom" | "validTo" | "subject" | "issuer"> | undefined,
  now: number = Date.now(),
): string | undefined {
  if (!certificate) return undefined;
  const { validFrom, validTo, subject, issuer } = certificate;
  if (now > Date.parse(validTo)) return "CERT_HAS_EXPIRED";
  if (now < Date.parse(validFrom)) return "CERT_NOT_YET_VALID";
  return subject === issuer ? "DEPTH_ZERO_SELF_SIGNED_CERT" : undefined;
}
