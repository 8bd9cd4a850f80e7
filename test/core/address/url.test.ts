/** Text as a URL, the first time and when the engine has compiled what reads it. */
import { describe, expect, it } from "vitest";
import { decodeBase } from "../../../src/core/address/address.ts";
import { decodeCorsOrigins } from "../../../src/core/address/authority.ts";
import { decodeNamedTargets, formatTargets } from "../../../src/core/address/target-lists.ts";
import { decodeUpstreamProxy } from "../../../src/core/address/upstream-proxy.ts";
import { parseUrl } from "../../../src/core/address/url.ts";
import { parseDomain } from "../../../src/core/settings/values.ts";
import { rowsOf } from "../../support/rows.ts";

/** Node 20 compiles the calls of a loop after about 6,500. */
const TIMES = 10_000;
const NAME = "b\u00fccher.test";
const ENCODED = "xn--bcher-kva.test";

describe("text as a URL", () => {
  it.each([
    { text: "https://a.test/b", base: undefined, href: "https://a.test/b" },
    { text: "/b", base: "https://a.test/", href: "https://a.test/b" },
    { text: "/b", base: undefined, href: undefined },
    { text: "///b.test/c", base: "https://a.test/d/e", href: "https://b.test/c" },
    { text: " /\t//\\b.test?c", base: "https://a.test/", href: "https://b.test/?c" },
    { text: "///", base: "https://a.test/", href: undefined },
    { text: "///b.test/c", base: undefined, href: undefined },
    { text: "http://a b", base: undefined, href: undefined },
  ])("$text at $base is $href", ({ text, base, href }) => expect(parseUrl(text, base)?.href).toBe(href));

  it.each(rowsOf(["about", "read"], [
    ["a base", () => decodeBase(`https://${NAME}`)?.origin.href],
    ["a list of origins", () => [...decodeCorsOrigins([`https://${NAME}`])?.listed ?? []].join()],
    ["a list of targets", () => formatTargets(decodeNamedTargets([NAME]) ?? [])],
    ["another proxy", () => decodeUpstreamProxy(`http://${NAME}`)?.hostname],
    ["the proxy's own name", () => parseDomain(NAME)],
  ]))("beyond ASCII is read the same after many times: $about", ({ read }) => {
    const first = read();
    expect(first).toContain(ENCODED);
    expect(new Set(Array.from({ length: TIMES }, read))).toEqual(new Set([first]));
  });
});
