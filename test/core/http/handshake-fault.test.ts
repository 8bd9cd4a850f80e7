/**
 * What is said of a TLS handshake that failed, by the texts of each library. With real targets:
 * `test/conformance/target-certificates.ts`, `test/conformance/secure-targets.ts`.
 */
import { describe, expect, it } from "vitest";
import { describeTlsFault, type TlsTerms } from "../../../src/core/http/handshake-fault.ts";
import { rowsOf } from "../../support/rows.ts";

const TABLE: TlsTerms = { hasTable: true };
const REFUSED = "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE";

describe("a failed handshake", () => {
  it.each(rowsOf(["texts", "says"], [
    [["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"], "only an older TLS"],
    [["ERR_SSL_UNSUPPORTED_PROTOCOL"], "only an older TLS"],
    [[REFUSED, "peer is incompatible: ServerDoesNotSupportTls12Or13"], "only an older TLS"],
    [[REFUSED, "peer is incompatible: ServerTlsVersionIsDisabledByOurConfig"], "only an older TLS"],
    [["ERR_SSL_WRONG_VERSION_NUMBER"], "does not speak https"],
    [[
      "ERR_SSL_WRONG_VERSION_NUMBER",
      "received corrupt message of type UnknownProtocolVersion (SSL routines:ssl3_get_record:wrong version number)",
    ], "does not speak https"],
    [["ERR_SSL_PACKET_LENGTH_TOO_LONG"], "does not speak https"],
    [["ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED"], "set minVersion to TLSv1.1 in the entry"],
    [["ERR_SSL_DH_KEY_TOO_SMALL"], "set minVersion to TLSv1.1 in the entry"],
    [["ERR_SSL_EE_KEY_TOO_SMALL"], "set minVersion to TLSv1.1 in the entry"],
    [["ERR_SSL_CA_MD_TOO_WEAK"], "set minVersion to TLSv1.1 in the entry"],
    [["ERR_SSL_TLSV1_UNRECOGNIZED_NAME"], "set serverName in the entry"],
    [["ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME"], "set serverName in the entry"],
    [[REFUSED, "received fatal alert: UnrecognisedName"], "set serverName in the entry"],
    [["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL"], "but not HTTP/1.1"],
    [[REFUSED], "no cipher in common with this proxy. If it asks for a client certificate, set cert and key"],
    [["ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY"], "no cipher in common"],
    [["ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR"], "the target broke it off"],
    [["EPROTO"], undefined],
  ]))("$texts: $says", ({ texts, says }) => {
    const described = describeTlsFault("tls_protocol", texts, TABLE);
    expect(described ?? "").toContain(says ?? "");
    expect(described === undefined).toBe(says === undefined);
  });

  const OLD = ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"];
  const DENO = [...OLD, "received fatal alert: ProtocolVersion"];
  const SET = "To allow it, set minVersion in the entry";
  const NONE = "No older one is spoken here";
  it.each(rowsOf(["about", "texts", "terms", "least", "remedy"], [
    ["a table", OLD, TABLE, "1.2", SET],
    ["1.3", OLD, { ...TABLE, minVersion: "TLSv1.3" }, "1.3", SET],
    ["1.2", OLD, { ...TABLE, minVersion: "TLSv1.2" }, "1.2", SET],
    ["1.1", OLD, { ...TABLE, minVersion: "TLSv1.1" }, "1.1", SET],
    ["1.0", OLD, { ...TABLE, minVersion: "TLSv1" }, "1.0", NONE],
    ["no table", OLD, { hasTable: false }, "1.2", "a table of targets (TARGETS)"],
    ["an upstream proxy", OLD, undefined, "1.2", ""],
    ["rustls", DENO, TABLE, "1.2", NONE],
    ["rustls and 1.3", DENO, { ...TABLE, minVersion: "TLSv1.3" }, "1.3", SET],
  ]))(
    "of an older version names what was expected, and what allows it: $about",
    ({ texts, terms, least, remedy }) => {
      const described = describeTlsFault("tls_protocol", texts, terms);
      expect(described).toMatch(new RegExp(`expected TLS ${least.replace(".", "\\.")} or later`));
      expect(described).toContain(remedy);
      expect(described?.includes("minVersion")).toBe(remedy.startsWith("To") || remedy.startsWith("a table"));
    },
  );
});
