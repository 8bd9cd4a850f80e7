/**
 * Pins of certificates, compared with those of `openssl pkey -pubin -outform der | openssl dgst -sha256`.
 * @module
 */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pinOf } from "../../../src/wire/tls/target-tls.ts";
import { AUTHORITY } from "../../support/authority.ts";
import { mint } from "../../support/mint.ts";

describe("the pin of a certificate", () => {
  it.each([
    { about: "an authority's", pem: AUTHORITY, pin: "sha256/bc5SarPDHUvmiDJMxlclsItVHlJyJvAD2UHl41AQK7s=" },
    {
      about: "of openssl",
      pem: readFileSync("test/support/cert.pem", "utf8"),
      pin: "sha256/8X12IibwSB+hY0OcVFud5SwRlrn2m4zKEjTchKgh1jg=",
    },
  ])("$about is the digest of its key", ({ pem, pin }) => expect(pinOf(new X509Certificate(pem))).toBe(pin));

  it("differs for each key", () => {
    const [one, other] = [mint(), mint()].map(({ cert }) => pinOf(new X509Certificate(cert)));
    expect(one).not.toBe(other);
    expect(one).toMatch(/^sha256\/[A-Za-z0-9+/]{43}=$/);
  });

  it("is none of a key that the platform can't read", () => {
    const certificate = {
      get publicKey(): never {
        throw new Error("unknown key");
      },
    } as unknown as X509Certificate;
    expect(pinOf(certificate)).toBeUndefined();
  });
});
