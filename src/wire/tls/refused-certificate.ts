/**
 * Finds out why a target's certificate was refused, on runtimes that do not report the reason.
 * @module
 */

import type { X509Certificate } from "node:crypto";
import { clearTimeout, setTimeout } from "node:timers";
import type { ConnectionOptions } from "../client/connection-options.ts";
import { traits } from "../runtime-traits.ts";

const VAGUE = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
/** A key or digest that the runtime's TLS never takes. */
const WEAK = "CERT_WEAK";
/** Time limit for inspecting a certificate, in milliseconds. */
const LOOK_MS = 2_000;
/** Maximum number of inspections at a time, so that failures can't double the number of connections during a flood. */
const MOST_LOOKS = 32;

let looks = 0;

/** The parts of a certificate that are inspected. */
type Seen = Pick<X509Certificate, "validFrom" | "validTo" | "subject" | "issuer"> & {
  readonly signatureAlgorithm?: string | undefined;
};

/** Opens a connection that accepts any certificate, and reports the certificate, or that the connection has closed. */
export type Look = (
  onSeen: (certificate: Seen | undefined) => void,
  onClose: (failure?: NodeJS.ErrnoException) => void,
) => { destroy(): unknown };

/**
 * Explains a failure of a TLS connection. The failed connection no longer has the certificate, so it is read on a second
 * connection, which carries no data and is closed at once.
 *
 * @returns a promise that always settles, with a failure whose code is exact; `undefined` if there is nothing to explain
 */
export function explainRefusal(failure: NodeJS.ErrnoException, look: Look): Promise<Error> | undefined {
  if (failure.code !== VAGUE || !traits.hasVagueFaults || looks >= MOST_LOOKS) return undefined;
  looks += 1;
  let wire: ReturnType<Look> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const looked = new Promise<Error>((resolve) => {
    // Deno (2.9) refuses keys that rustls can't use even where any certificate is accepted.
    const giveUp = (again?: NodeJS.ErrnoException) =>
      resolve(again?.code === VAGUE ? refused(WEAK) : failure);
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
 * The options for an inspection: any certificate is accepted, because no data is sent. The proxy's client certificate is
 * still presented, since some targets close the connection without it.
 */
export function uncheckedOptions(options: ConnectionOptions): ConnectionOptions {
  const { ca: _, pin: __, ...kept } = options.route?.tls ?? {};
  return { ...options, isLook: true, route: { ...options.route, tls: { ...kept, insecure: true } } };
}

function refused(code: string): Error {
  return Object.assign(new Error("refused certificate"), { code });
}

/**
 * The code for a fault of the certificate itself; `undefined` if only its issuer is unknown.
 *
 * @param now in Unix milliseconds
 */
export function findFault(
  certificate: Seen | undefined,
  now: number = Date.now(),
): string | undefined {
  if (!certificate) return undefined;
  const { validFrom, validTo, subject, issuer, signatureAlgorithm = "" } = certificate;
  if (now > Date.parse(validTo)) return "CERT_HAS_EXPIRED";
  if (now < Date.parse(validFrom)) return "CERT_NOT_YET_VALID";
  if (traits.refusesOldDigests && /^(?:md5|sha1)with/i.test(signatureAlgorithm)) return WEAK;
  return subject === issuer ? "DEPTH_ZERO_SELF_SIGNED_CERT" : undefined;
}
