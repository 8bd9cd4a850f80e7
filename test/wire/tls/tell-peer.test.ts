/** What a target tells of itself in a TLS handshake, and how much of it. Over sockets: `test/conformance/capture-hops.ts`. */
import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { tellPeer } from "../../../src/wire/tls/tell-peer.ts";
import { mint } from "../../support/mint.ts";
import { rowsOf } from "../../support/rows.ts";

/** A connection to a target that shows this certificate. */
const peerWith = (shown: object | undefined) => ({
  alpnProtocol: "http/1.1",
  authorized: true,
  getPeerX509Certificate: () => shown as X509Certificate | undefined,
});
const VALID = { subject: "CN=a.test\nO=A, B", issuer: "CN=authority", validTo: "Jan  2 03:04:05 2030 GMT" };

describe("a certificate", () => {
  it.each(rowsOf(["about", "shown", "subject"], [
    ["with names of several parts", VALID, "CN=a.test, O=A, B"],
    [
      "with characters that hide or turn round others",
      { ...VALID, subject: "a\u0000\u202eb\u2028c\u200b" },
      "a??b?c?",
    ],
    ["with what OpenSSL escapes", { ...VALID, subject: "O=a\\, b\\+c" }, "O=a, b+c"],
    ["with markup", { ...VALID, subject: "<b>&amp;" }, "<b>&amp;"],
    ["with a long name", { ...VALID, subject: "x".repeat(100_000) }, "x".repeat(256)],
    ["with an empty name", { ...VALID, subject: undefined }, ""],
  ]))("$about is told as text", ({ shown, subject }) => {
    expect(tellPeer(peerWith(shown)).certificate)
      .toEqual({ subject, issuer: "CN=authority", validTo: "2030-01-02T03:04:05.000Z" });
  });

  it("is told as this platform reads it", () => {
    const shown = new X509Certificate(mint({ subject: "a.test" }).cert);
    expect(tellPeer(peerWith(shown)).certificate)
      .toEqual({ subject: "CN=a.test", issuer: "CN=a.test", validTo: new Date(shown.validTo).toISOString() });
  });

  it("of no time that can be read has none", () =>
    expect(tellPeer(peerWith({ ...VALID, validTo: "Bad time value" })).certificate)
      .not.toHaveProperty("validTo"));

  it("that was not shown, or can't be read, is left out", () => {
    const broken = {
      get subject(): string {
        throw new TypeError("cannot read");
      },
    };
    expect([undefined, broken].map((shown) => tellPeer(peerWith(shown))))
      .toEqual(Array(2).fill({ alpn: "http/1.1" }));
  });
});

it.each([null, false, ""] as const)("a protocol that was not chosen is left out: %s", (alpnProtocol) => {
  expect(tellPeer({ ...peerWith(undefined), alpnProtocol })).toEqual({});
});
