/**
 * Says what is wrong with a target's TLS certificate, and what to do about it.
 * @module
 */

const UNCHECKED = "set NODE_TLS_REJECT_UNAUTHORIZED=0 to check no target";
const EXTRA = "start the proxy with NODE_EXTRA_CA_CERTS=<PEM file with it>";
/** Where to find a member of the table, for messages. */
export const ENTRY = "in the entry of this target in the table of targets";
/** The same where there is no table. */
export const NEW_ENTRY = "for it in a table of targets (TARGETS)";
const TO_ALLOW = "To allow that, set minVersion to TLSv1.1";
/** How to accept keys and digests that the runtime's TLS takes for weak. */
export const WEAK = { remedy: `${TO_ALLOW} ${NEW_ENTRY}`, inTable: `${TO_ALLOW} ${ENTRY}` };
const INSECURE = `set insecure ${ENTRY}`;
const CA = `set ca ${ENTRY} to a PEM file with it`;

/** A reason, and how to fix it: with the settings, and with the table of targets. */
interface Fault {
  /** Codes of a refused certificate, and the error texts of a `fetch` without codes. */
  pattern: RegExp;
  /** Names its own subject, because the fault may be in another certificate than the target's. */
  state: string;
  remedy: string;
  /** The remedy in the table of targets; `remedy` if absent. */
  inTable?: string;
}

const FAULTS: readonly Fault[] = [
  {
    pattern: /CERT_HAS_EXPIRED|certificate:? (?:has )?expired/i,
    state: "its TLS certificate has expired",
    remedy: `Renew it, or ${UNCHECKED}`,
    inTable: `Renew it, or ${INSECURE}`,
  },
  {
    pattern: /CERT_NOT_YET_VALID|NotValidYet|not (?:valid yet|yet valid)/i,
    state: "its TLS certificate is not yet valid",
    remedy: `Check both clocks, or ${UNCHECKED}`,
    inTable: `Check both clocks, or ${INSECURE}`,
  },
  {
    pattern: /ALTNAME_INVALID|HOSTNAME_MISMATCH|NotValidForName|not valid for name/i,
    state: "its TLS certificate has the wrong name",
    remedy: `Use a name that it lists, or ${UNCHECKED}`,
    inTable: `Use a name that it lists, or set serverName to one ${ENTRY}`,
  },
  {
    pattern: /DEPTH_ZERO_SELF_SIGNED_CERT/,
    state: "its TLS certificate is self-signed",
    remedy: `To trust it, ${EXTRA}`,
    inTable: `To trust it, ${CA}`,
  },
  {
    pattern: /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_UNTRUSTED|UnknownIssuer/i,
    state: "its TLS certificate is from an unknown authority, or the target does not send its issuers",
    remedy: `To trust an authority, ${EXTRA}`,
    inTable: `To trust an authority, ${CA}`,
  },
  {
    pattern: /too weak/,
    state: "its TLS certificate or its issuer's is too weak",
    ...WEAK,
  },
  {
    pattern: /^CERT_WEAK$/,
    state:
      "its TLS certificate is too weak, such as RSA of 1024 bits or SHA-1, and no setting allows that here",
    remedy: "Renew it",
  },
  {
    pattern: /^CERT_PIN_MISMATCH$/,
    state: "its TLS certificate is revoked by pin: the table of targets pins other keys",
    remedy: `If the target has a new key, add its digest to pin ${ENTRY}`,
  },
  {
    pattern: /ALERT_CERTIFICATE_REQUIRED|CertificateRequired/,
    state: "it asks for a client certificate",
    remedy: `Set cert and key ${ENTRY}`,
  },
  {
    pattern: /ALERT_(?:(?:BAD|UNSUPPORTED)_CERTIFICATE|CERTIFICATE_(?:EXPIRED|REVOKED|UNKNOWN)|UNKNOWN_CA)$/,
    state: "it refuses the client certificate of this proxy",
    remedy: `Set cert and key to ones that it knows ${ENTRY}`,
  },
  {
    pattern: /^CERT_UNUSABLE$/,
    state: "the certificates of its entry in the table of targets can't be read",
    remedy: "Correct ca, cert and key there",
  },
];

/**
 * Describes a refused certificate.
 *
 * @param texts codes, names and messages of the failure, best first
 * @param hasTable true to name the member of the table that fixes it, instead of a setting
 * @returns `undefined` for other reasons, such as a revoked certificate or one for another purpose
 */
export function describeCertificateFault(texts: readonly string[], hasTable = false): string | undefined {
  for (const text of texts) {
    const fault = FAULTS.find(({ pattern }) => pattern.test(text));
    if (fault) return `${fault.state}. ${hasTable ? fault.inTable ?? fault.remedy : fault.remedy}`;
  }
  return undefined;
}
