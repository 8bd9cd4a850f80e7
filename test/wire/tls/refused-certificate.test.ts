/**
 * Why a certificate was refused, by what stands in it. Over sockets: `test/conformance/certificates.ts`.
 * @module
 */
import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { explainRefusal, findFault, uncheckedOptions } from "../../../src/wire/tls/refused-certificate.ts";
import { mint, type MintOptions } from "../../support/mint.ts";

const AUTHORITY = mint({ subject: "authority", isAuthority: true });
const DAY_MS = 86_400_000;
const read = (options: MintOptions) => new X509Certificate(mint(options).cert);

describe("a certificate", () => {
  it.each([
    { about: "in its time, from another", options: { issuer: AUTHORITY }, code: undefined },
    { about: "in its time, from itself", options: {}, code: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    { about: "after its time", options: { until: -1 / 24, issuer: AUTHORITY }, code: "CERT_HAS_EXPIRED" },
    { about: "after its time, from itself", options: { from: -9, until: -1 }, code: "CERT_HAS_EXPIRED" },
    { about: "before its time", options: { from: 1 / 24, issuer: AUTHORITY }, code: "CERT_NOT_YET_VALID" },
    { about: "before its time, from itself", options: { from: 1 }, code: "CERT_NOT_YET_VALID" },
  ])("$about: $code", ({ options, code }) => expect(findFault(read(options))).toBe(code));

  it("is judged by the clock that is given", () => {
    const certificate = read({ from: -1, until: 1, issuer: AUTHORITY });
    const at = (days: number) => findFault(certificate, Date.now() + days * DAY_MS);
    expect([at(-2), at(0), at(2)]).toEqual(["CERT_NOT_YET_VALID", undefined, "CERT_HAS_EXPIRED"]);
  });

  it("that was not shown is none", () => expect(findFault(undefined)).toBeUndefined());
});

it.each([{ code: "CERT_HAS_EXPIRED" }, { code: "ECONNRESET" }, { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }])(
  "an explanation is not needed on Node, whose $code is exact",
  ({ code }) => {
    const look = () => {
      throw new Error("nothing is looked at");
    };
    expect(explainRefusal(Object.assign(new Error("x"), { code }), look)).toBeUndefined();
  },
);

describe("a look", () => {
  const options = { host: "a.test", port: 1, pool: "", addresses: undefined, target: "a.test:1" };

  it.each([
    { about: "without a route", route: undefined, tls: { insecure: true } },
    {
      about: "as the entry says, but for what it checks",
      route: { tls: { ca: "ca", pin: ["pin"], cert: "cert", key: "key", serverName: "b.test" } },
      tls: { cert: "cert", key: "key", serverName: "b.test", insecure: true },
    },
  ])("refuses nothing, $about", ({ route, tls }) => {
    expect(uncheckedOptions({ ...options, route })).toEqual({ ...options, isLook: true, route: { tls } });
  });
});
