/**
 * Each runtime's own errors, and the code that the caller gets for them.
 * @module
 */
import { describe, expect, it } from "vitest";
import { ProxyError } from "../../src/http/error.ts";
import { explainFailure, mapFailure } from "../../src/http/failure.ts";
import { MESSAGE } from "../support/message.ts";

const SECRET = "connect 10.1.2.3:8443 (os error 111) at /srv/app.ts:1";

/** An error as runtimes make them: a code on it, or on its cause. */
const coded = (code: unknown, message = SECRET) => Object.assign(new Error(message), { code });
const caused = (cause: unknown, message = "fetch failed") => new TypeError(message, { cause });
const named = (name: string) => Object.assign(new Error(SECRET), { name });
/** What Deno's `fetch` throws: no code, all in the words. */
const deno = (url: string, words: string) =>
  new TypeError(`error sending request for url (${url}): ${words}`);

describe("mapFailure", () => {
  it.each([
    { failure: coded("ENOTFOUND"), code: "dns_error" },
    { failure: coded("EAI_AGAIN"), code: "dns_error" },
    { failure: coded("ENODATA"), code: "dns_error" },
    { failure: coded("ESERVFAIL"), code: "dns_error" },
    { failure: coded("ETIMEOUT"), code: "dns_timeout" },
    { failure: coded("ECONNREFUSED"), code: "connection_refused" },
    { failure: coded("ConnectionRefused"), code: "connection_refused" },
    { failure: coded("ENETUNREACH"), code: "unroutable" },
    { failure: coded("EHOSTUNREACH"), code: "unroutable" },
    { failure: coded("ECONNRESET"), code: "connection_terminated" },
    { failure: coded("ConnectionClosed"), code: "connection_terminated" },
    { failure: coded("EPIPE"), code: "connection_terminated" },
    { failure: coded("UND_ERR_SOCKET"), code: "connection_terminated" },
    { failure: coded("EMFILE"), code: "overloaded" },
    { failure: coded("ENFILE"), code: "overloaded" },
    { failure: coded("ENOBUFS"), code: "overloaded" },
    { failure: coded("ETIMEDOUT"), code: "connection_timeout" },
    { failure: coded("UND_ERR_CONNECT_TIMEOUT"), code: "connection_timeout" },
    { failure: coded("UND_ERR_HEADERS_TIMEOUT"), code: "response_timeout" },
    { failure: new DOMException("late", "TimeoutError"), code: "response_timeout" },
    { failure: coded("HPE_HEADER_OVERFLOW"), code: "header_too_large" },
    { failure: coded("UND_ERR_HEADERS_OVERFLOW"), code: "header_too_large" },
    { failure: coded("HPE_INVALID_CONSTANT"), code: "malformed_answer" },
    { failure: coded("HPE_UNEXPECTED_CONTENT_LENGTH"), code: "malformed_answer" },
    { failure: coded("Malformed_HTTP_Response"), code: "malformed_answer" },
    { failure: named("HTTPParserError"), code: "malformed_answer" },
    { failure: coded("EPROTO"), code: "tls_protocol" },
    { failure: coded("ERR_SSL_WRONG_VERSION_NUMBER"), code: "tls_protocol" },
    { failure: coded("ERR_TLS_HANDSHAKE_TIMEOUT"), code: "tls_protocol" },
    { failure: coded("CERT_HAS_EXPIRED"), code: "tls_certificate" },
    { failure: coded("DEPTH_ZERO_SELF_SIGNED_CERT"), code: "tls_certificate" },
    { failure: coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), code: "tls_certificate" },
    { failure: coded("UNABLE_TO_GET_ISSUER_CERT_LOCALLY"), code: "tls_certificate" },
    { failure: coded("ERR_TLS_CERT_ALTNAME_INVALID"), code: "tls_certificate" },
    { failure: coded("CERT_PIN_MISMATCH"), code: "tls_certificate" },
    { failure: coded("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"), code: "tls_certificate" },
    { failure: coded("ERR_SSL_TLSV1_ALERT_UNKNOWN_CA"), code: "tls_certificate" },
    { failure: coded("ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE"), code: "tls_protocol" },
    { failure: deno("http://a.test/", "dns error: failed to lookup address"), code: "dns_error" },
    { failure: deno("http://a.test/", "tcp connect error: Connection refused"), code: "connection_refused" },
    { failure: deno("http://a.test/", "tcp connect error: Network is unreachable"), code: "unroutable" },
    {
      failure: deno("http://a.test/", "tcp connect error: Connection timed out"),
      code: "connection_timeout",
    },
    { failure: deno("http://a.test/", "Connection reset by peer"), code: "connection_terminated" },
    { failure: deno("https://a.test/", "invalid peer certificate: Expired"), code: "tls_certificate" },
    {
      failure: deno("http://a.test/", "client error: invalid HTTP version parsed"),
      code: "malformed_answer",
    },
    { failure: deno("http://a.test/", "something else"), code: "connection_terminated" },
  ])("$failure → $code", ({ failure, code }) => {
    expect(mapFailure(failure, "a.test").code).toBe(code);
  });

  it.each([
    { about: "a cause", failure: caused(coded("ENOTFOUND")), code: "dns_error" },
    {
      about: "a cause of a cause",
      failure: caused(caused(coded("ECONNREFUSED"))),
      code: "connection_refused",
    },
    {
      about: "the first of several (happy eyeballs)",
      failure: caused(new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")])),
      code: "connection_refused",
    },
    {
      about: "a code before words",
      failure: caused(coded("ECONNRESET"), "connection refused"),
      code: "connection_terminated",
    },
    {
      about: "a cause's code before an unknown one",
      failure: Object.assign(caused(coded("ENOTFOUND")), { code: "X" }),
      code: "dns_error",
    },
  ])("reads $about", ({ failure, code }) => {
    expect(mapFailure(failure, "a.test").code).toBe(code);
  });

  it.each([
    { about: "tls", failure: deno("http://tls.test/", "tcp connect error: Connection refused") },
    { about: "cert", failure: deno("http://certs.test/", "tcp connect error: Connection refused") },
    { about: "issuer", failure: deno("http://a.test/issuer", "tcp connect error: Connection refused") },
    { about: "malformed", failure: deno("http://a.test/malformed", "tcp connect error: Connection refused") },
    {
      about: "handshake",
      failure: deno("http://a.test/?handshake", "tcp connect error: Connection refused"),
    },
  ])("does not take the address in Deno's words for the reason: $about", ({ failure }) => {
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
    expect(error.message).toBe(
      "Cannot reach a.test: it closed the connection before the response was complete",
    );
  });

  it("ends where errors cause each other", () => {
    const first = new Error("boom");
    first.cause = new Error("boom", { cause: first });
    expect(mapFailure(first, "a.test").code).toBe("connection_terminated");
  });

  it("says when to come back where the proxy itself has no room", () => {
    expect(mapFailure(coded("EMFILE"), "a.test")).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
    });
  });

  it("gives a ProxyError back as it is", () => {
    const error = new ProxyError("loop", "x");
    expect(mapFailure(error, "a.test")).toBe(error);
  });

  it.each([
    { code: "ENOTFOUND" },
    { code: "ETIMEOUT" },
    { code: "ECONNREFUSED" },
    { code: "ECONNRESET" },
    { code: "ETIMEDOUT" },
    { code: "EHOSTUNREACH" },
    { code: "CERT_HAS_EXPIRED" },
    { code: "EPROTO" },
    { code: "HPE_HEADER_OVERFLOW" },
    { code: "HPE_INVALID_VERSION" },
    { code: "UND_ERR_HEADERS_TIMEOUT" },
    { code: "EMFILE" },
    { code: "UNHEARD_OF" },
  ])("names host, state and expectation, and nothing of the runtime's: $code", ({ code }) => {
    const failure = coded(code);
    const { message, cause } = mapFailure(failure, "a.test:8443");
    expect(message).toMatch(/^Cannot reach a\.test:8443: [^:]+$/);
    expect(message).toMatch(MESSAGE);
    expect(message).not.toMatch(/10\.1\.2\.3|os error|app\.ts/);
    expect(message).not.toContain(code);
    expect(cause).toBe(failure);
  });
});

describe("explainFailure", () => {
  it("says what is wrong with a certificate, where mapFailure says only that it is not valid", async () => {
    const failure = coded("CERT_HAS_EXPIRED");
    expect(mapFailure(failure, "a.test").message).toContain("is not valid, expected one for this host");
    const error = await explainFailure(failure, "a.test", { hasTable: false });
    expect(error).toMatchObject({ code: "tls_certificate", cause: failure });
    expect(error.message).toContain("has expired");
  });

  it("gives a ProxyError back as it is", async () => {
    const error = new ProxyError("tls_protocol", "x");
    expect(await explainFailure(error, "a.test", { hasTable: false })).toBe(error);
  });
});

describe("with a table of targets", () => {
  it.each([
    { code: "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", says: "set cert and key in the entry" },
    { code: "DEPTH_ZERO_SELF_SIGNED_CERT", says: "set ca in the entry" },
  ])("$code names the member that mends it", async ({ code, says }) => {
    expect((await explainFailure(coded(code), "a.test", { hasTable: true })).message).toContain(says);
    expect((await explainFailure(coded(code), "a.test", { hasTable: false })).message).not.toContain(says);
  });

  it("says nothing of certificates for other failures of TLS", async () => {
    const { message } = await explainFailure(coded("ERR_SSL_WRONG_VERSION_NUMBER"), "a.test", {
      hasTable: true,
    });
    expect(message).not.toContain("cert");
  });
});
