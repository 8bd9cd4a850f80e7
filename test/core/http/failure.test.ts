/** Each runtime's own errors, and the code that the caller gets for them. */
import { describe, expect, it } from "vitest";
import { ProxyError } from "../../../src/core/http/error.ts";
import { mapFailure } from "../../../src/core/http/failure.ts";
import { rowsOf, words } from "../../support/rows.ts";
import { MESSAGE } from "../../support/message.ts";

const SECRET = "connect 10.1.2.3:8443 (os error 111) at /srv/app.ts:1";

/** An error as runtimes make them: a code on it, or on its cause. */
const coded = (code: unknown, message = SECRET) => Object.assign(new Error(message), { code });
const caused = (cause: unknown, message = "fetch failed") => new TypeError(message, { cause });
const named = (name: string) => Object.assign(new Error(SECRET), { name });
/** What Deno's `fetch` throws: no code, all in the words. */
const deno = (url: string, words: string) =>
  new TypeError(`error sending request for url (${url}): ${words}`);

describe("mapFailure", () => {
  it.each(rowsOf(["failure", "code"], [
    [coded("ENOTFOUND"), "dns_error"],
    [coded("EAI_AGAIN"), "dns_error"],
    [coded("ENODATA"), "dns_error"],
    [coded("ESERVFAIL"), "dns_error"],
    [coded("ETIMEOUT"), "dns_timeout"],
    [coded("ECONNREFUSED"), "connection_refused"],
    [coded("ConnectionRefused"), "connection_refused"],
    [coded("ENETUNREACH"), "unroutable"],
    [coded("EHOSTUNREACH"), "unroutable"],
    [coded("ECONNRESET"), "connection_terminated"],
    [coded("ConnectionClosed"), "connection_terminated"],
    [coded("EPIPE"), "connection_terminated"],
    [coded("UND_ERR_SOCKET"), "connection_terminated"],
    [coded("EMFILE"), "overloaded"],
    [coded("ENFILE"), "overloaded"],
    [coded("ENOBUFS"), "overloaded"],
    [coded("ETIMEDOUT"), "connection_timeout"],
    [coded("UND_ERR_CONNECT_TIMEOUT"), "connection_timeout"],
    [coded("UND_ERR_HEADERS_TIMEOUT"), "response_timeout"],
    [new DOMException("late", "TimeoutError"), "response_timeout"],
    [coded("HPE_HEADER_OVERFLOW"), "header_too_large"],
    [coded("UND_ERR_HEADERS_OVERFLOW"), "header_too_large"],
    [coded("HPE_INVALID_CONSTANT"), "malformed_answer"],
    [coded("HPE_UNEXPECTED_CONTENT_LENGTH"), "malformed_answer"],
    [coded("Malformed_HTTP_Response"), "malformed_answer"],
    [named("HTTPParserError"), "malformed_answer"],
    [coded("EPROTO"), "tls_protocol"],
    [coded("ERR_SSL_WRONG_VERSION_NUMBER"), "tls_protocol"],
    [coded("ERR_TLS_HANDSHAKE_TIMEOUT"), "tls_protocol"],
    [coded("CERT_HAS_EXPIRED"), "tls_certificate"],
    [coded("DEPTH_ZERO_SELF_SIGNED_CERT"), "tls_certificate"],
    [coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "tls_certificate"],
    [coded("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), "tls_certificate"],
    [coded("ERR_TLS_CERT_ALTNAME_INVALID"), "tls_certificate"],
    [coded("UNSPECIFIED"), "tls_certificate"],
    [coded("PATH_LENGTH_EXCEEDED"), "tls_certificate"],
    [coded("CERT_PIN_MISMATCH"), "tls_certificate"],
    [coded("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"), "tls_certificate"],
    [coded("ERR_SSL_TLSV1_ALERT_UNKNOWN_CA"), "tls_certificate"],
    [coded("ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE"), "tls_protocol"],
    [deno("http://a.test/", "dns error: failed to lookup address"), "dns_error"],
    [deno("http://a.test/", "tcp connect error: Connection refused"), "connection_refused"],
    [deno("http://a.test/", "tcp connect error: Network is unreachable"), "unroutable"],
    [deno("http://a.test/", "tcp connect error: Connection timed out"), "connection_timeout"],
    [deno("http://a.test/", "Connection reset by peer"), "connection_terminated"],
    [deno("https://a.test/", "invalid peer certificate: Expired"), "tls_certificate"],
    [deno("http://a.test/", "client error: invalid HTTP version parsed"), "malformed_answer"],
    [deno("http://a.test/", "something else"), "connection_terminated"],
    [new Error("internal error; reference = 24tlsgtkud9na004ckjd337fg"), "connection_terminated"],
  ]))("$failure → $code", ({ failure, code }) => expect(mapFailure(failure, "a.test").code).toBe(code));

  it.each(rowsOf(["about", "failure", "code"], [
    ["a cause", caused(coded("ENOTFOUND")), "dns_error"],
    ["a cause of a cause", caused(caused(coded("ECONNREFUSED"))), "connection_refused"],
    [
      "the first of several (happy eyeballs)",
      caused(new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")])),
      "connection_refused",
    ],
    ["a code before words", caused(coded("ECONNRESET"), "connection refused"), "connection_terminated"],
    [
      "a cause's code before an unknown one",
      Object.assign(caused(coded("ENOTFOUND")), { code: "X" }),
      "dns_error",
    ],
  ]))("reads $about", ({ failure, code }) => expect(mapFailure(failure, "a.test").code).toBe(code));

  it.each(rowsOf(["about", "failure"], [
    ["tls", deno("http://tls.test/", "tcp connect error: Connection refused")],
    ["cert", deno("http://certs.test/", "tcp connect error: Connection refused")],
    ["issuer", deno("http://a.test/issuer", "tcp connect error: Connection refused")],
    ["malformed", deno("http://a.test/malformed", "tcp connect error: Connection refused")],
    ["handshake", deno("http://a.test/?handshake", "tcp connect error: Connection refused")],
  ]))("does not take the address in Deno's words for the reason: $about", ({ failure }) => {
    expect(mapFailure(failure, "a.test").code).toBe("connection_refused");
  });

  it.each([
    { about: "undefined", failure: undefined },
    { about: "null", failure: null },
    { about: "a string", failure: "boom" },
    { about: "a number", failure: 7 },
    { about: "an empty object", failure: {} },
    { about: "an error without words", failure: new Error("") },
    { about: "a code that is a number", failure: coded(20, "boom") },
    { about: "a code of Object's", failure: coded("constructor", "boom") },
    { about: "a code of Object's, __proto__", failure: coded("__proto__", "boom") },
    { about: "a message of Object's", failure: new Error("toString") },
    { about: "the caller's abort", failure: new DOMException("gone", "AbortError") },
  ])("takes $about for a closed connection", ({ failure }) => {
    const error = mapFailure(failure, "a.test");
    expect(error).toMatchObject({ code: "connection_terminated", status: 502, cause: failure });
    expect(error.message)
      .toBe("Cannot reach a.test: it closed the connection before the response was complete");
  });

  it("ends where errors cause each other", () => {
    const first = new Error("boom");
    first.cause = new Error("boom", { cause: first });
    expect(mapFailure(first, "a.test").code).toBe("connection_terminated");
  });

  it("says when to come back where the proxy itself has no room", () =>
    expect(mapFailure(coded("EMFILE"), "a.test"))
      .toMatchObject({ status: 503, headers: { "retry-after": "1" } }));

  it("gives a ProxyError back as it is", () => {
    const error = new ProxyError("loop", "x");
    expect(mapFailure(error, "a.test")).toBe(error);
  });

  it.each(words(`
    ENOTFOUND ETIMEOUT ECONNREFUSED ECONNRESET ETIMEDOUT EHOSTUNREACH CERT_HAS_EXPIRED EPROTO
    HPE_HEADER_OVERFLOW HPE_INVALID_VERSION UND_ERR_HEADERS_TIMEOUT EMFILE UNHEARD_OF
  `))("names host, state and expectation, and nothing of the runtime's: %s", (code) => {
    const failure = coded(code);
    const { message, cause } = mapFailure(failure, "a.test:8443");
    expect(message).toMatch(/^Cannot reach a\.test:8443: [^:]+$/);
    expect(message).toMatch(MESSAGE);
    expect(message).not.toMatch(/10\.1\.2\.3|os error|app\.ts/);
    expect(message).not.toContain(code);
    expect(cause).toBe(failure);
  });
});
