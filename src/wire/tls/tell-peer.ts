/**
 * What a target tells of itself when a TLS connection begins: the protocol that it chose, and what is public of its certificate.
 * @module
 */

import type { X509Certificate } from "node:crypto";
import type { CertificateFacts, TlsFacts } from "../../core/hop-watch.ts";
import { copyText } from "../../core/http/memo.ts";

/** Maximum characters of a name: a target may write as many as it likes. */
const MOST_CHARACTERS = 256;
/** Characters that would hide or turn round what stands beside them. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The part of a TLS connection that is asked. */
interface Peer {
  readonly alpnProtocol: string | false | null;
  /** False where the certificate was not, or could not be, checked. */
  readonly authorized: boolean;
  getPeerX509Certificate(): Shown | undefined;
}

type Shown = Pick<X509Certificate, "subject" | "issuer" | "validTo">;

/**
 * Reads it. On some platforms that is expensive. What the platform can't read is left out.
 *
 * @param pinned the certificate, if a pin fits its key: Node (20) gives it once
 */
export function tellPeer(socket: Peer, pinned?: Shown): Pick<TlsFacts, "alpn" | "certificate"> {
  const { alpnProtocol, authorized } = socket;
  const shown = readCertificate(() => pinned ?? socket.getPeerX509Certificate());
  const certificate = shown && { ...shown, ...!authorized && !pinned && { isUnchecked: true as const } };
  return { ...alpnProtocol && { alpn: alpnProtocol }, ...certificate && { certificate } };
}

function readCertificate(show: () => Shown | undefined): CertificateFacts | undefined {
  try {
    const shown = show();
    if (!shown) return undefined;
    const end = new Date(shown.validTo);
    return {
      subject: clean(shown.subject),
      issuer: clean(shown.issuer),
      ...!Number.isNaN(end.getTime()) && { validTo: end.toISOString() },
    };
  } catch {
    return undefined;
  }
}

/** A name in one line; platforms write one part a line, and backslashes before commas. An empty name is absent on some of them. */
function clean(name: string | undefined): string {
  const line = (name ?? "").trim().replaceAll("\n", ", ").replaceAll("\\", "").replace(CONTROLS, "?");
  return copyText(line.slice(0, MOST_CHARACTERS));
}
