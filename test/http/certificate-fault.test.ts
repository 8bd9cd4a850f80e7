/**
 * What is said of a certificate that was refused.
 * @module
 */
import { describe, expect, it } from "vitest";
import { describeCertificateFault } from "../../src/http/certificate-fault.ts";

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
    { text: "CERT_REVOKED", state: "is not valid, expected one for this host" },
  ])("$text → $state", ({ text, state }) => {
    expect(describeCertificateFault(["Error", text])).toContain(`its TLS certificate ${state}`);
  });

  it("is described by the best text", () => {
    const texts = ["CERT_HAS_EXPIRED", "self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"];
    expect(describeCertificateFault(texts)).toContain("has expired");
  });
});
