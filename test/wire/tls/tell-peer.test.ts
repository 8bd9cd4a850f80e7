/** What a target tells of itself in a TLS handshake, and how much of it. Over sockets: `test/conformance/capture-hops.ts`. */
import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { tellPeer } from "../../../src/wire/tls/tell-peer.ts";
import { mint } from "../../support/mint.ts";

/** A connection to a target that shows this certificate. */
const peerWith = (shown: object | undefined) => ({
  alpnProtocol: "http/1.1",
  authorized: true,
  getPeerX509Certificate: () => shown as X509Certificate | undefined,
});
const VALID = { subject: "CN=a.test\nO=A, B", issuer: "CN=authority", validTo: "Jan  2 03:04:05 2030 GMT" };

describe("a certificate", () => {
  it.each([
    { about: "with names of several parts", shown: VALID, subject: "CN=a.test, O=A, B" },
    {
      about: "with characters that hide or turn round others",
      shown: { ...VALID, subject: "a\u0000\u202eb\u2028c\u200b" },
      subject: "a??b?c?",
    },
    { about: "with what OpenSSL escapes", shown: { ...VALID, subject: "O=a\\, b\\+c" }, subject: "O=a, b+c" },
    { about: "with markup", shown: { ...VALID, subject: "<b>&amp;" }, subject: "<b>&amp;" },
    {
      about: "with a long name",
      shown: { ...VALID, subject: "x".repeat(100_000) },
      subject: "x".repeat(256),
    },
    { about: "with an empty name", shown: { ...VALID, subject: undefined }, subject: "" },
  ])("$about is told as text", ({ shown, subject }) => {
    expect(tellPeer(peerWith(shown)).certificate).toEqual({
      subject,
      issuer: "CN=authority",
      validTo: "2030-01-02T03:04:05.000Z",
    });
  });

  it("is told as this platform reads it", () => {
    const shown = new X509Certificate(mint({ subject: "a.test" }).cert);
    expect(tellPeer(peerWith(shown)).certificate).toEqual({
      subject: "CN=a.test",
      issuer: "CN=a.test",
      validTo: new Date(shown.validTo).toISOString(),
    });
  });

  it("of no time that can be read has none", () => {
    expect(tellPeer(peerWith({ ...VALID, validTo: "Bad time value" })).certificate).not.toHaveProperty(
      "validTo",
    );
  });

  it("that was not shown, or can't be read, is left out", () => {
    const broken = {
      get subject(): string {
        throw new TypeError("cannot read");
      },
    };
    expect([undefined, broken].map((shown) => tellPeer(peerWith(shown)))).toEqual(
      Array(2).fill({ alpn: "http/1.1" }),
    );
  });
});

it.each([null, false, ""] as const)("a protocol that was not chosen is left out: %s", (alpnProtocol) => {
  expect(tellPeer({ ...peerWith(undefined), alpnProtocol })).toEqual({});
});
