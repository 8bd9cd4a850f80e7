/**
 * Which fields and parameters hold secrets, by their names.
 * @module
 */
import { describe, expect, it } from "vitest";
import { isSecretField, isSecretParameter } from "../../../src/exchange/capture/secret-names.ts";

describe("a field", () => {
  it.each([
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "set-cookie2",
    "proxy_token",
    "proxy-token",
    "x-fetchvia-ticket",
    "x-fetchvia-viewer",
    "x-api-key",
    "api_key",
    "apikey",
    "x-goog-api-key",
    "ocp-apim-subscription-key",
    "x-auth-token",
    "x-amz-security-token",
    "x-secret",
    "x-password",
    "x-session-id",
    "x-signature",
    "signature-input",
    "x-csrf-token",
    "x-credential",
    "authentication-info",
    "x-scalar-cookie",
    "x-forwarded-authorization",
  ])("is a secret: %s", (name) => {
    expect(isSecretField(name)).toBe(true);
  });

  it.each([
    "accept",
    "host",
    "etag",
    "sec-websocket-key",
    "sec-websocket-accept",
    "idempotency-key",
    "www-authenticate",
    "access-control-allow-credentials",
    "access-control-request-headers",
    "content-security-policy",
    "traceparent",
    "keep-alive",
  ])("is none: %s", (name) => {
    expect(isSecretField(name)).toBe(false);
  });
});

describe("a parameter", () => {
  it.each([
    "token",
    "sig",
    "proof",
    "ticket",
    "confirm",
    "access_token",
    "id_token",
    "api_key",
    "apiKey",
    "key",
    "password",
    "passwd",
    "secret",
    "client_secret",
    "code",
    "arg",
    "X-Amz-Signature",
    "X-Amz-Credential",
    "SAMLResponse",
  ])("is a secret: %s", (name) => {
    expect(isSecretParameter(name)).toBe(true);
  });

  it.each(["url", "host", "page", "q", "keys", "codec", "author", "exp", "then"])("is none: %s", (name) => {
    expect(isSecretParameter(name)).toBe(false);
  });
});
