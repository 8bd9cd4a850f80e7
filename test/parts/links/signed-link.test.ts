/** Signed links: the published vector, and everything that makes one worthless. @module */
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { verifyLink } from "../../../src/parts/links/signed-link.ts";
import { rowsOf, words } from "../../support/rows.ts";

const KEY = "test-key";
const PATH = "/__proxy__/?url=https%3A%2F%2Fexample.com%2F&exp=4102444800";
const SIGNATURE = "QdIxow0TYBncbYsRoNHRKhHTW81PUMkLxo4P6Pxi4Cg";
const NOW = 1_800_000_000;
/** An address that was not encoded, with an end of its own. */
const ADDED = "/__proxy__/?url=https://a.test/&exp=4102444800";
/** As any other program would sign. */
const sign = (path: string, key = KEY) => createHmac("sha256", key).update(path).digest("base64url");
const link = (path: string, key = KEY) => `${path}&sig=${sign(path, key)}`;

describe("verifyLink", () => {
  it.each([
    { about: "the vector", path: `${PATH}&sig=${SIGNATURE}` },
    { about: "a padded one", path: `${PATH}&sig=${SIGNATURE}=` },
    { about: "an end before the address", path: link("/__proxy__/?exp=4102444800&url=https%3A%2F%2Fa.test") },
    { about: "an end in a second", path: link(`/__proxy__/fetch?arg=e30&exp=${NOW + 1}`) },
    {
      about: "an address with a signature of its own",
      path: link("/__proxy__/?url=https%3A%2F%2Fa.test%2F%3Fx%26sig%3Dabc"),
    },
  ])("takes $about", async ({ path }) => expect(await verifyLink(path, KEY, NOW)).toBe("valid"));

  it.each([
    { about: "a short one", path: `${PATH}&sig=${SIGNATURE.slice(0, -1)}` },
    { about: "the last character changed", path: `${PATH}&sig=${SIGNATURE.slice(0, -1)}A` },
    { about: "an impossible length", path: `${PATH}&sig=A` },
    { about: "another spelling", path: link(PATH).replace("%3A", "%3a") },
    { about: "another path", path: link(PATH).replace("/?", "/fetch?") },
    { about: "another alphabet", path: `${PATH}&sig=${SIGNATURE.slice(0, -1)}+` },
    { about: "other text for the same bytes", path: `${PATH}&sig=${SIGNATURE.replace(/g$/, "h")}` },
    { about: "two signatures", path: link(link("/__proxy__/fetch?arg=e30"), "other") },
  ])("is wrong with $about", async ({ path }) => expect(await verifyLink(path, KEY, NOW)).toBe("wrong"));

  it.each([...words`soon -1 4102444800.5 9e9 1234567890123`, ""])("ends at no time with %s", async (exp) => {
    expect(await verifyLink(link(`/__proxy__/fetch?arg=e30&exp=${exp}`), KEY, NOW)).toBe("undated");
    expect(await verifyLink(link(`/__proxy__/fetch?arg=e30&exp=${exp}`, "other"), KEY, NOW)).toBe("wrong");
  });

  it.each(rowsOf(["about", "path", "verdict"], [
    ["none with a name alone", "/__proxy__/fetch?arg=e30&exp", "undated"],
    ["the end behind one in the address", `${ADDED}&exp=${NOW}`, "expired"],
    ["the end in front of a later one", ADDED.replace("?", `?exp=${NOW}&`), "expired"],
    ["no end that is a time, beside one", `${ADDED}&exp=soon`, "undated"],
    ["the last of two ends, if both are to come", `${ADDED}&exp=${NOW + 1}`, "valid"],
  ]))("takes $about", async ({ path, verdict }) => {
    expect(await verifyLink(link(path), KEY, NOW)).toBe(verdict);
  });

  it("looks at a long run of = once", async () =>
    expect(await verifyLink(`${PATH}&sig=${"=".repeat(500_000)}x`, KEY, NOW)).toBe("wrong"));

  it.each([{ expires: NOW }, { expires: NOW - 1 }, { expires: 0 }])(
    "is expired at $expires",
    async ({ expires }) =>
      expect(await verifyLink(link(`/__proxy__/fetch?arg=e30&exp=${expires}`), KEY, NOW)).toBe("expired"),
  );
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
