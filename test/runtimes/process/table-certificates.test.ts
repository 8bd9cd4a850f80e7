/**
 * Certificates and keys of the table that can't be used.
 * @module
 */
import { describe, expect, it } from "vitest";
import { findTlsFault } from "../../../src/runtimes/process/table-certificates.ts";
import { mint } from "../../support/mint.ts";

const ONE = mint();
const OTHER = mint();
const BROKEN = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const BROKEN_KEY = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

describe("members of an entry", () => {
  it.each([
    { about: "none", tls: {}, member: undefined },
    { about: "authorities", tls: { ca: `words\n${ONE.cert}${OTHER.cert}` }, member: undefined },
    { about: "a pair", tls: ONE, member: undefined },
    { about: "a chain and its key", tls: { ...ONE, cert: ONE.cert + OTHER.cert }, member: undefined },
    { about: "an authority that is none", tls: { ca: BROKEN }, member: "ca" },
    { about: "a second authority that is none", tls: { ca: ONE.cert + BROKEN }, member: "ca" },
    { about: "a certificate that is none", tls: { ...ONE, cert: BROKEN }, member: "cert" },
    { about: "a key that is none", tls: { ...ONE, key: BROKEN_KEY }, member: "key" },
    { about: "the key of another", tls: { cert: ONE.cert, key: OTHER.key }, member: "key" },
    {
      about: "a chain in the wrong order",
      tls: { cert: OTHER.cert + ONE.cert, key: ONE.key },
      member: "key",
    },
  ])("$about: $member", ({ tls, member }) => {
    expect(findTlsFault(tls)?.member).toBe(member);
  });

  it.each(
    [
      { minVersion: "TLSv1", member: "minVersion" },
      { minVersion: "TLSv1.1", member: "minVersion" },
      { minVersion: "TLSv1.2", member: undefined },
      { minVersion: "TLSv1.3", member: undefined },
      { minVersion: undefined, member: undefined },
    ] as const,
  )("$minVersion can be used where it is spoken; on Deno: $member", ({ minVersion, member }) => {
    const tls = minVersion ? { minVersion } : {};
    expect([findTlsFault(tls, false), findTlsFault(tls, true)?.member]).toEqual([undefined, member]);
  });

  it("say what was expected", () => {
    expect(findTlsFault({ cert: ONE.cert, key: OTHER.key })?.expected).toBe("the private key of cert");
    expect(findTlsFault({ ca: BROKEN })?.expected).toBe(
      "a PEM file with a certificate that can be read",
    );
  });
});
