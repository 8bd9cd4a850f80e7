/**
 * What is said of a TLS handshake that failed, by the texts of each library. With real targets:
 * `test/conformance/target-certificates.ts`, `test/conformance/secure-targets.ts`.
 * @module
 */
import { describe, expect, it } from "vitest";
import { describeTlsFault, type TlsTerms } from "../../src/http/handshake-fault.ts";

const TABLE: TlsTerms = { hasTable: true };
const REFUSED = "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE";

describe("a failed handshake", () => {
  it.each([
    { texts: ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"], says: "only an older TLS" },
    { texts: ["ERR_SSL_UNSUPPORTED_PROTOCOL"], says: "only an older TLS" },
    { texts: [REFUSED, "peer is incompatible: ServerDoesNotSupportTls12Or13"], says: "only an older TLS" },
    {
      texts: [REFUSED, "peer is incompatible: ServerTlsVersionIsDisabledByOurConfig"],
      says: "only an older TLS",
    },
    { texts: ["ERR_SSL_WRONG_VERSION_NUMBER"], says: "does not speak https" },
    {
      texts: [
        "ERR_SSL_WRONG_VERSION_NUMBER",
        "received corrupt message of type UnknownProtocolVersion (SSL routines:ssl3_get_record:wrong version number)",
      ],
      says: "does not speak https",
    },
    { texts: ["ERR_SSL_PACKET_LENGTH_TOO_LONG"], says: "does not speak https" },
    {
      texts: ["ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED"],
      says: "set minVersion to TLSv1.1 in the entry",
    },
    { texts: ["ERR_SSL_DH_KEY_TOO_SMALL"], says: "set minVersion to TLSv1.1 in the entry" },
    { texts: ["ERR_SSL_EE_KEY_TOO_SMALL"], says: "set minVersion to TLSv1.1 in the entry" },
    { texts: ["ERR_SSL_CA_MD_TOO_WEAK"], says: "set minVersion to TLSv1.1 in the entry" },
    { texts: ["ERR_SSL_TLSV1_UNRECOGNIZED_NAME"], says: "set serverName in the entry" },
    { texts: ["ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME"], says: "set serverName in the entry" },
    { texts: [REFUSED, "received fatal alert: UnrecognisedName"], says: "set serverName in the entry" },
    { texts: ["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"], says: "but not HTTP/1.1" },
    {
      texts: [REFUSED],
      says: "no cipher in common with this proxy. If it asks for a client certificate, set cert and key",
    },
    { texts: ["ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY"], says: "no cipher in common" },
    { texts: ["ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"], says: "the target broke it off" },
    { texts: ["EPROTO"], says: undefined },
  ])("$texts: $says", ({ texts, says }) => {
    const described = describeTlsFault("tls_protocol", texts, TABLE);
    expect(described ?? "").toContain(says ?? "");
    expect(described === undefined).toBe(says === undefined);
  });

  const OLD = ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"];
  const DENO = [...OLD, "received fatal alert: ProtocolVersion"];
  const SET = "To allow it, set minVersion in the entry";
  const NONE = "No older one is spoken here";
  it.each([
    { about: "a table", texts: OLD, terms: TABLE, least: "1.2", remedy: SET },
    { about: "1.3", texts: OLD, terms: { ...TABLE, minVersion: "TLSv1.3" }, least: "1.3", remedy: SET },
    { about: "1.2", texts: OLD, terms: { ...TABLE, minVersion: "TLSv1.2" }, least: "1.2", remedy: SET },
    { about: "1.1", texts: OLD, terms: { ...TABLE, minVersion: "TLSv1.1" }, least: "1.1", remedy: SET },
    { about: "1.0", texts: OLD, terms: { ...TABLE, minVersion: "TLSv1" }, least: "1.0", remedy: NONE },
    {
      about: "no table",
      texts: OLD,
      terms: { hasTable: false },
      least: "1.2",
      remedy: "a table of targets (TARGETS)",
    },
    { about: "an upstream proxy", texts: OLD, terms: undefined, least: "1.2", remedy: "" },
    { about: "rustls", texts: DENO, terms: TABLE, least: "1.2", remedy: NONE },
    {
      about: "rustls and 1.3",
      texts: DENO,
      terms: { ...TABLE, minVersion: "TLSv1.3" },
      least: "1.3",
      remedy: SET,
    },
  ])(
    "of an older version names what was expected, and what allows it: $about",
    ({ texts, terms, least, remedy }) => {
      const described = describeTlsFault("tls_protocol", texts, terms);
      expect(described).toMatch(new RegExp(`expected TLS ${least.replace(".", "\\.")} or later`));
      expect(described).toContain(remedy);
      expect(described?.includes("minVersion")).toBe(remedy.startsWith("To") || remedy.startsWith("a table"));
    },
  );
});
