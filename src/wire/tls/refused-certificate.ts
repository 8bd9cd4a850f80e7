/**
 * Finds out why a target's certificate was refused, where the runtime does not tell.
 *
 * Bun (1.4) has one code for self-signed certificates and unknown authorities, and Deno (2.9) has the same one for
 * certificates out of their time, too. Node is exact.
 * @module
 */

import type { X509Certificate } from "node:crypto";
import { clearTimeout, setTimeout } from "node:timers";
import type { ConnectionOptions } from "../client/connection-options.ts";

const VAGUE = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
/** Milliseconds to look at a certificate. */
const LOOK_MS = 2_000;
/** Maximum number of certificates to look at together, so that failures can't double the connections of a flood. */
const MOST_LOOKS = 32;

const { bun, deno } = process.versions as Record<string, string | undefined>;
let looks = 0;

/** What can be seen of a certificate. */
type Seen = Pick<X509Certificate, "validFrom" | "validTo" | "subject" | "issuer">;

/** Opens a connection that refuses no certificate, and tells what is shown there, or that it has closed. */
export type Look = (
  onSeen: (certificate: Seen | undefined) => void,
  onClose: () => void,
) => { destroy(): unknown };

/**
 * Explains a failure of a TLS connection. The certificate is read on a second connection, which carries nothing and is
 * closed at once: the first one has forgotten it.
 *
 * @returns a promise that always settles, with a failure whose code is exact; `undefined` if there is nothing to explain
 */
export function explainRefusal(failure: NodeJS.ErrnoException, look: Look): Promise<Error> | undefined {
  if (failure.code !== VAGUE || (!bun && !deno) || looks >= MOST_LOOKS) return undefined;
  looks += 1;
  let wire: ReturnType<Look> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const looked = new Promise<Error>((resolve) => {
    const giveUp = () => resolve(failure);
    timer = setTimeout(giveUp, LOOK_MS);
    wire = look((certificate) => resolve(refused(findFault(certificate) ?? VAGUE)), giveUp);
  });
  return looked.finally(() => {
    looks -= 1;
    clearTimeout(timer);
    wire?.destroy();
  });
}

/**
 * The options for a look: no certificate is refused, because nothing is sent. The one of the proxy is shown, since some
 * targets close the connection without it.
 */
export function uncheckedOptions(options: ConnectionOptions): ConnectionOptions {
  const { ca: _, pin: __, ...kept } = options.route?.tls ?? {};
  return { ...options, isLook: true, route: { ...options.route, tls: { ...kept, insecure: true } } };
}

function refused(code: string): Error {
  return Object.assign(new Error("refused certificate"), { code });
}

/**
 * The code of what is wrong with a certificate itself; `undefined` if only its issuer is unknown.
 *
 * @param now in Unix milliseconds
 */
export function findFault(
  certificate: Seen | undefined,
  now: number = Date.now(),
): string | undefined {
  if (!certificate) return undefined;
  const { validFrom, validTo, subject, issuer } = certificate;
  if (now > Date.parse(validTo)) return "CERT_HAS_EXPIRED";
  if (now < Date.parse(validFrom)) return "CERT_NOT_YET_VALID";
  return subject === issuer ? "DEPTH_ZERO_SELF_SIGNED_CERT" : undefined;
}
