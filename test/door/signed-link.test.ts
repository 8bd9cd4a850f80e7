/**
 * Signed links: the published vector, and everything that makes one worthless.
 * @module
 */
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { verifyLink } from "../../src/door/signed-link.ts";

const KEY = "test-key";
const PATH = "/__proxy__/?url=https%3A%2F%2Fexample.com%2F&exp=4102444800";
const SIGNATURE = "QdIxow0TYBncbYsRoNHRKhHTW81PUMkLxo4P6Pxi4Cg";
const NOW = 1_800_000_000;
const RAW = "/__proxy__/?url=https://a.test/?x=1&exp=4102444800";

/** As any other program would sign. */
const sign = (path: string, key = KEY) => createHmac("sha256", key).update(path).digest("base64url");
const link = (path: string, key = KEY) => `${path}&sig=${sign(path, key)}`;

describe("verifyLink", () => {
  it.each([
    { about: "the vector", path: `${PATH}&sig=${SIGNATURE}` },
    { about: "a padded one", path: `${PATH}&sig=${SIGNATURE}=` },
    { about: "one without an end", path: link("/__proxy__/?url=https%3A%2F%2Fa.test") },
    { about: "a raw address", path: link("/__proxy__/?url=https://a.test/p&exp=4102444800") },
    { about: "the path without slash", path: link("/__proxy__?url=https%3A%2F%2Fa.test") },
    { about: "an argument behind a slash", path: link("/__proxy__/fetch/?arg=e30&exp=4102444800") },
    { about: "an argument", path: link("/__proxy__/fetch?arg=e30&exp=4102444800") },
    { about: "an end before the address", path: link("/__proxy__/?exp=4102444800&url=https%3A%2F%2Fa.test") },
    { about: "an end in a second", path: link(`/__proxy__/fetch?arg=e30&exp=${NOW + 1}`) },
    {
      about: "an address with a signature of its own",
      path: link("/__proxy__/?url=https%3A%2F%2Fa.test%2F%3Fx%26sig%3Dabc"),
    },
  ])("takes $about", async ({ path }) => {
    expect(await verifyLink(path, KEY, NOW)).toBe("valid");
  });

  it.each([
    { about: "another key", path: link(PATH, "other") },
    { about: "an empty one", path: `${PATH}&sig=` },
    { about: "a short one", path: `${PATH}&sig=${SIGNATURE.slice(0, -1)}` },
    { about: "the last character changed", path: `${PATH}&sig=${SIGNATURE.slice(0, -1)}A` },
    { about: "an impossible length", path: `${PATH}&sig=A` },
    { about: "another address", path: link(PATH).replace("example.com", "evil.test") },
    { about: "a later end", path: link(PATH).replace("4102444800", "4102444801") },
    { about: "the end taken away", path: link(PATH).replace("&exp=4102444800", "") },
    {
      about: "moved parameters",
      path: `/__proxy__/?exp=4102444800&url=https%3A%2F%2Fexample.com%2F&sig=${SIGNATURE}`,
    },
    { about: "a parameter more", path: link(PATH).replace("&sig", "&x=1&sig") },
    { about: "another spelling", path: link(PATH).replace("%3A", "%3a") },
    { about: "another path", path: link(PATH).replace("/?", "/fetch?") },
    { about: "a path without slash", path: link(PATH).replace("/?", "?") },
    { about: "a place that is not the last", path: `${link(PATH)}&x=1` },
    { about: "the first place", path: `/__proxy__/?sig=${SIGNATURE}&url=https%3A%2F%2Fexample.com%2F` },
    { about: "another alphabet", path: `${PATH}&sig=${SIGNATURE.slice(0, -1)}+` },
    { about: "a percent-encoded end", path: `${link(PATH)}%3D` },
    { about: "other text for the same bytes", path: `${PATH}&sig=${SIGNATURE.replace(/g$/, "h")}` },
    { about: "two signatures", path: link(link("/__proxy__/fetch?arg=e30"), "other") },
  ])("is wrong with $about", async ({ path }) => {
    expect(await verifyLink(path, KEY, NOW)).toBe("wrong");
  });

  it.each([
    { exp: "soon" },
    { exp: "" },
    { exp: "-1" },
    { exp: "4102444800.5" },
    { exp: "9e9" },
    { exp: "1234567890123" },
  ])("ends at no time with $exp", async ({ exp }) => {
    expect(await verifyLink(link(`/__proxy__/fetch?arg=e30&exp=${exp}`), KEY, NOW)).toBe("undated");
    expect(await verifyLink(link(`/__proxy__/fetch?arg=e30&exp=${exp}`, "other"), KEY, NOW)).toBe("wrong");
  });

  it("looks at a long run of = once", async () => {
    expect(await verifyLink(`${PATH}&sig=${"=".repeat(500_000)}x`, KEY, NOW)).toBe("wrong");
  });

  it.each([{ expires: NOW }, { expires: NOW - 1 }, { expires: 0 }])(
    "is expired at $expires",
    async ({ expires }) => {
      expect(await verifyLink(link(`/__proxy__/fetch?arg=e30&exp=${expires}`), KEY, NOW)).toBe("expired");
    },
  );

  it.each([
    { about: "no signature", path: PATH },
    { about: "a host", path: link("/__proxy__/?host=https%3A%2F%2Fa.test") },
    { about: "metrics", path: link("/__proxy__/metrics?url=x") },
    { about: "a path that is not reserved", path: link("/p?url=https%3A%2F%2Fa.test") },
    { about: "a raw address with its own query", path: link(RAW) },
    { about: "a raw address with a signature of its own", path: "/__proxy__/?url=https://a.test/?x&sig=abc" },
  ])("finds none in $about", async ({ path }) => {
    expect(await verifyLink(path, KEY, NOW)).toBe("unsigned");
  });
});

describe("the comparison of signatures", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    { about: "right", signature: SIGNATURE },
    { about: "wrong at its start", signature: SIGNATURE.replace("Q", "R") },
    { about: "wrong at its end", signature: SIGNATURE.replace(/g$/, "w") },
    { about: "short", signature: "AAAA" },
    { about: "empty", signature: "" },
  ])("is WebCrypto's alone: $about", async ({ signature }) => {
    const verify = vi.spyOn(crypto.subtle, "verify").mockResolvedValue(true);
    expect(await verifyLink(`${PATH}&sig=${signature}`, KEY, NOW)).toBe("valid");
    verify.mockResolvedValue(false);
    expect(await verifyLink(`${PATH}&sig=${signature}`, KEY, NOW)).toBe("wrong");
    expect(verify).toHaveBeenCalledTimes(2);
  });
});
