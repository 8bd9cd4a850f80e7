/** The error of the core: its statuses, its RFC 9209 types, and the answer made of it. */
import { describe, expect, it } from "vitest";
import { toResponse } from "../../../src/core/http/reply.ts";
import {
  answerError,
  checkMethod,
  type ErrorCode,
  isTargetFailure,
  ProxyError,
} from "../../../src/core/http/error.ts";

const GET = { method: "GET" };

// RFC 9209 §2.3: every registered proxy error type.
const TYPES = new Set(
  `dns_timeout dns_error destination_not_found destination_unavailable destination_ip_prohibited
  destination_ip_unroutable connection_refused connection_terminated connection_timeout connection_read_timeout
  connection_write_timeout connection_limit_reached tls_protocol_error tls_certificate_error tls_alert_received
  http_request_error http_request_denied http_response_incomplete http_response_header_section_size
  http_response_header_size http_response_body_size http_response_trailer_section_size http_response_trailer_size
  http_response_transfer_coding http_response_content_coding http_response_timeout http_upgrade_failed
  http_protocol_error proxy_internal_response proxy_internal_error proxy_configuration_error
  proxy_loop_detected`.split(/\s+/),
);

const CODES: { code: ErrorCode; status: number; type: string }[] = [
  { code: "bad_request", status: 400, type: "http_request_error" },
  { code: "token_missing", status: 401, type: "http_request_denied" },
  { code: "token_wrong", status: 401, type: "http_request_denied" },
  { code: "token_expired", status: 401, type: "http_request_denied" },
  { code: "token_revoked", status: 401, type: "http_request_denied" },
  { code: "forbidden", status: 403, type: "http_request_denied" },
  { code: "address_prohibited", status: 403, type: "destination_ip_prohibited" },
  { code: "not_found", status: 404, type: "http_request_error" },
  { code: "method_not_allowed", status: 405, type: "http_request_error" },
  { code: "request_timeout", status: 408, type: "http_request_error" },
  { code: "request_too_large", status: 413, type: "http_request_error" },
  { code: "address_too_long", status: 414, type: "http_request_error" },
  { code: "fields_too_large", status: 431, type: "http_request_error" },
  { code: "rate_limited", status: 429, type: "http_request_denied" },
  { code: "internal", status: 500, type: "proxy_internal_error" },
  { code: "not_implemented", status: 501, type: "http_request_error" },
  { code: "dns_error", status: 502, type: "dns_error" },
  { code: "unroutable", status: 502, type: "destination_ip_unroutable" },
  { code: "connection_refused", status: 502, type: "connection_refused" },
  { code: "connection_terminated", status: 502, type: "connection_terminated" },
  { code: "tls_certificate", status: 502, type: "tls_certificate_error" },
  { code: "tls_protocol", status: 502, type: "tls_protocol_error" },
  { code: "malformed_answer", status: 502, type: "http_protocol_error" },
  { code: "header_too_large", status: 502, type: "http_response_header_section_size" },
  { code: "answer_too_large", status: 502, type: "http_response_body_size" },
  { code: "too_many_redirects", status: 502, type: "http_protocol_error" },
  { code: "upgrade_failed", status: 502, type: "http_upgrade_failed" },
  { code: "upstream_refused", status: 502, type: "destination_unavailable" },
  { code: "upstream_unauthorized", status: 502, type: "proxy_configuration_error" },
  { code: "overloaded", status: 503, type: "connection_limit_reached" },
  { code: "dns_timeout", status: 504, type: "dns_timeout" },
  { code: "connection_timeout", status: 504, type: "connection_timeout" },
  { code: "response_timeout", status: 504, type: "http_response_timeout" },
  { code: "loop", status: 508, type: "proxy_loop_detected" },
];

describe.each(CODES)("$code", ({ code, status, type }) => {
  it(`is answered with ${status} and ${type}`, async () => {
    const response = answerError(new ProxyError(code, "Cannot x: y, expected z"), "Proxy Error");
    expect(new ProxyError(code, "").status).toBe(status);
    expect(response.status).toBe(status);
    expect(response.headers.get("proxy-status"))
      .toBe(`fetchvia; error=${type}; details="Cannot x: y, expected z"`);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await toResponse(response, GET).text())
      .toBe('{"title":"Proxy Error","detail":"Cannot x: y, expected z"}');
  });

  it("has a type that RFC 9209 registers", () => expect(TYPES).toContain(type));
});

describe("answerError", () => {
  it.each(["Fetch API Error" as const, "Proxy Error" as const])(
    "has exactly title and detail: %s",
    async (title) => {
      const response = answerError(new ProxyError("bad_request", 'é "x"\n'), title);
      expect(await toResponse(response, GET).json()).toEqual({ title, detail: 'é "x"\n' });
    },
  );

  it.each([
    { message: "no", reason: "JSON ends at 3", details: '"JSON ends at 3"' },
    { message: 'a "b" \\ c', reason: undefined, details: '"a \\"b\\" \\\\ c"' },
    { message: "é\r\n…🚀\0", reason: undefined, details: `"??????"` },
    { message: "x".repeat(512), reason: undefined, details: `"${"x".repeat(512)}"` },
    { message: "x".repeat(60_000), reason: undefined, details: `"${"x".repeat(512)}..."` },
  ])("has details of printable ASCII: $details", ({ message, reason, details }) => {
    const error = new ProxyError("forbidden", message, { reason });
    expect(answerError(error, "Proxy Error").headers.get("proxy-status"))
      .toBe(`fetchvia; error=http_request_denied; details=${details}`);
  });

  it("has an error for SDKs where it is asked for", async () => {
    const response = answerError(new ProxyError("forbidden", "no", { reason: "why" }), "Proxy Error", true);
    expect(await toResponse(response, GET).json()).toEqual({
      title: "Proxy Error",
      detail: "no",
      error: { message: "no", type: "http_request_denied", code: "forbidden" },
    });
  });

  it("has the fields that the error asks for", () => {
    const error = new ProxyError("method_not_allowed", "no", { headers: { allow: "GET, HEAD" } });
    expect(answerError(error, "Proxy Error").headers.get("allow")).toBe("GET, HEAD");
  });

  it("never shows its cause", async () => {
    const cause = new Error("connect ECONNREFUSED 10.1.2.3:80");
    const error = new ProxyError("connection_refused", "Cannot reach a.test", { cause });
    const response = answerError(error, "Proxy Error");
    expect(error.cause).toBe(cause);
    expect(await toResponse(response, GET).text() + JSON.stringify([...response.headers]))
      .not.toMatch(/ECONN|10\.1|stack/);
  });
});

it("is an Error with a name of its own", () => {
  const error = new ProxyError("loop", "text");
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "ProxyError", code: "loop", message: "text", headers: {} });
});

it.each(
  [
    { code: "dns_error", isTarget: true },
    { code: "response_timeout", isTarget: true },
    { code: "answer_too_large", isTarget: true },
    { code: "address_prohibited", isTarget: false },
    { code: "overloaded", isTarget: false },
    { code: "not_implemented", isTarget: false },
    { code: "loop", isTarget: false },
    { code: "caller_gone", isTarget: false },
  ] as const,
)(
  "who is to blame: $code: the target $isTarget",
  ({ code, isTarget }) => expect(isTargetFailure(code)).toBe(isTarget),
);

it("a page refuses other methods than its own, and names those", () => {
  expect(() => checkMethod("HEAD", "GET", "HEAD")).not.toThrow();
  expect(() => checkMethod("PUT", "GET", "HEAD")).toThrow(
    expect.objectContaining({
      code: "method_not_allowed",
      message: "Cannot use method PUT here, expected GET, HEAD",
      headers: { allow: "GET, HEAD" },
    }),
  );
});
