/** What is said of a certificate that was refused. */
import { describe, expect, it } from "vitest";
import { describeTlsFault } from "../../../src/core/http/handshake-fault.ts";

describe("a refused certificate", () => {
  it.each([
    { text: "CERT_HAS_EXPIRED", state: "has expired" },
    { text: "invalid peer certificate: Expired", state: "has expired" },
    { text: "invalid peer certificate: certificate expired: verification time 1", state: "has expired" },
    { text: "CERT_NOT_YET_VALID", state: "is not yet valid" },
    { text: "invalid peer certificate: NotValidYet", state: "is not yet valid" },
    { text: "invalid peer certificate: certificate not valid yet: verification", state: "is not yet valid" },
    { text: "ERR_TLS_CERT_ALTNAME_INVALID", state: "has the wrong name" },
    { text: "invalid peer certificate: NotValidForName", state: "has the wrong name" },
    { text: 'certificate not valid for name "a.test"', state: "has the wrong name" },
    { text: "DEPTH_ZERO_SELF_SIGNED_CERT", state: "is self-signed" },
    { text: "SELF_SIGNED_CERT_IN_CHAIN", state: "is from an unknown authority" },
    { text: "UNABLE_TO_VERIFY_LEAF_SIGNATURE", state: "is from an unknown authority" },
    { text: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", state: "is from an unknown authority" },
    { text: "invalid peer certificate: UnknownIssuer", state: "is from an unknown authority" },
    { text: "CERT_WEAK", state: "is too weak, such as" },
    { text: "CA signature digest algorithm too weak", state: "or its issuer's is too weak" },
  ])("$text → $state", ({ text, state }) => {
    expect(describeTlsFault("tls_certificate", ["Error", text])).toContain(`its TLS certificate ${state}`);
  });

  it.each([
    { text: "CERT_HAS_EXPIRED", member: "insecure" },
    { text: "CERT_NOT_YET_VALID", member: "insecure" },
    { text: "ERR_TLS_CERT_ALTNAME_INVALID", member: "serverName" },
    { text: "DEPTH_ZERO_SELF_SIGNED_CERT", member: "ca" },
    { text: "UNABLE_TO_VERIFY_LEAF_SIGNATURE", member: "ca" },
    { text: "CERT_PIN_MISMATCH", member: "pin" },
    { text: "CA certificate key too weak", member: "minVersion" },
    { text: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", member: "cert and key" },
    { text: "received fatal alert: CertificateRequired", member: "cert and key" },
    { text: "ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", member: "cert and key" },
    { text: "ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", member: "cert and key" },
    { text: "CERT_UNUSABLE", member: "ca, cert and key" },
  ])("$text is mended by $member in the table", ({ text, member }) => {
    const described = describeTlsFault("tls_certificate", [text], { hasTable: true });
    expect(described).toMatch(new RegExp(`\\. .*\\b${member}\\b`));
    expect(described).toContain("the table of targets");
    expect(described).not.toContain("NODE_");
  });

  it.each([
    { text: "CERT_HAS_EXPIRED", setting: "NODE_TLS_REJECT_UNAUTHORIZED=0" },
    { text: "DEPTH_ZERO_SELF_SIGNED_CERT", setting: "NODE_EXTRA_CA_CERTS" },
  ])("$text is mended by $setting without a table", ({ text, setting }) => {
    expect(describeTlsFault("tls_certificate", [text])).toContain(setting);
    expect(describeTlsFault("tls_certificate", [text])).not.toContain("the table of targets");
  });

  it.each(["permitted subtree violation", "CERT_REVOKED"])(
    "has no more to tell than its code: %s",
    (text) => expect(describeTlsFault("tls_certificate", [text])).toBeUndefined(),
  );

  it("is described by the best text", () => {
    const texts = ["CERT_HAS_EXPIRED", "self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"];
    expect(describeTlsFault("tls_certificate", texts)).toContain("has expired");
  });
});
