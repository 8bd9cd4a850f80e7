/**
 * Pins of certificates, compared with those that the platform's own cryptography makes.
 * @module
 */
import { createHash, generateKeyPairSync, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pinOf } from "../../../src/runtimes/http1/pin.ts";
import { AUTHORITY, SIGNED_CERTIFICATE } from "../../support/authority.ts";
import { mint } from "../../support/mint.ts";

/** The digest of the key as it is written by the platform. */
function expected({ publicKey }: X509Certificate): string {
  const key = publicKey.export({ type: "spki", format: "der" });
  return `sha256/${createHash("sha256").update(key).digest("base64")}`;
}

describe("the pin of a certificate", () => {
  it.each([
    { about: "short", pem: mint({ names: ["a.test"] }).cert },
    { about: "long", pem: mint({ names: Array.from({ length: 99 }, (_, index) => `${index}.a.test`) }).cert },
    { about: "an authority's", pem: AUTHORITY },
    { about: "a signed one's", pem: SIGNED_CERTIFICATE },
    { about: "of openssl", pem: readFileSync("test/support/cert.pem", "utf8") },
  ])("$about is the digest of its key", ({ pem }) => {
    const certificate = new X509Certificate(pem);
    expect(pinOf(certificate.raw)).toBe(expected(certificate));
  });

  it("differs for each key", () => {
    const [one, other] = [mint(), mint()].map(({ cert }) => pinOf(new X509Certificate(cert).raw));
    expect(one).not.toBe(other);
    expect(one).toMatch(/^sha256\/[A-Za-z0-9+/]{43}=$/);
  });

  it("is read where there is no version", () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = publicKey.export({ type: "spki", format: "der" });
    const part = (tag: number, content: Buffer) =>
      Buffer.concat([Buffer.from([tag, content.length]), content]);
    const five = Array.from({ length: 5 }, () => part(0x30, Buffer.alloc(2)));
    const body = part(0x30, Buffer.concat([...five, key]));
    const digest = createHash("sha256").update(key).digest("base64");
    expect(pinOf(part(0x30, body))).toBe(`sha256/${digest}`);
  });
});
