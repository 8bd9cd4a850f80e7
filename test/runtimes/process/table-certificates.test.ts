/** Certificates and keys of the table that can't be used. */
import { describe, expect, it } from "vitest";
import { findTlsFault } from "../../../src/runtimes/process/table-certificates.ts";
import { rowsOf } from "../../support/rows.ts";
import { mint } from "../../support/mint.ts";

const ONE = mint();
const OTHER = mint();
const BROKEN = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const BROKEN_KEY = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

describe("members of an entry", () => {
  it.each(rowsOf(["about", "tls", "member"], [
    ["none", {}, undefined],
    ["authorities", { ca: `words\n${ONE.cert}${OTHER.cert}` }, undefined],
    ["a pair", ONE, undefined],
    ["a chain and its key", { ...ONE, cert: ONE.cert + OTHER.cert }, undefined],
    ["an authority that is none", { ca: BROKEN }, "ca"],
    ["a second authority that is none", { ca: ONE.cert + BROKEN }, "ca"],
    ["a certificate that is none", { ...ONE, cert: BROKEN }, "cert"],
    ["a key that is none", { ...ONE, key: BROKEN_KEY }, "key"],
    ["the key of another", { cert: ONE.cert, key: OTHER.key }, "key"],
    ["a chain in the wrong order", { cert: OTHER.cert + ONE.cert, key: ONE.key }, "key"],
  ]))("$about: $member", ({ tls, member }) => expect(findTlsFault(tls)?.member).toBe(member));

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
    expect(findTlsFault({ ca: BROKEN })?.expected).toBe("a PEM file with a certificate that can be read");
  });
});
