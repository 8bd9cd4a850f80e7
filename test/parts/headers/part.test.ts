/** `proxy_headers` and `proxy_seal` as a part: which of them count, the first time and later. @module */
import { beforeEach, expect, it, vi } from "vitest";
import type { Line } from "../../../src/core/exchange/findings.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { exchangeOf } from "../../support/parts-exchange.ts";
import { rowsOf } from "../../support/rows.ts";

const TARGET: Target = { selector: "header", origin: new URL("https://a.test"), basePath: "", path: "/" };
const BOTH = { proxy_seal: "1", proxy_headers: "e30" };
const SEALED = { isChanged: false, isSealed: true };

beforeEach(() => void vi.resetModules());

it.each(rowsOf(["about", "selector", "lines", "fields", "is"], [
  ["its lines", "header", [["proxy_headers", "e30"]], {}, { isChanged: true, isSealed: false }],
  ["its lines by their other names", "header", [["proxy-seal", "1"]], {}, SEALED],
  ["no headers but its lines", "header", [], BOTH, undefined],
  ["the seal alone of an arg", "arg", [["proxy_headers", "e30"]], BOTH, SEALED],
  ["the seal of an arg by its other name", "arg", [], { "proxy-seal": "1" }, SEALED],
  ["nothing of an arg without a seal", "arg", [], { proxy_headers: "e30" }, undefined],
]))("reads $about", async ({ selector, lines, fields, is }) => {
  const { HEADER_RULES, HEADERS_PART } = await import("../../../src/parts/headers/part.ts");
  const target = { ...TARGET, selector: selector as Target["selector"] };
  const read = async () => {
    const wishes = await HEADER_RULES.wish?.(lines as unknown as Line[], exchangeOf({ fields }), target);
    return wishes && { isChanged: wishes.isChanged, isSealed: wishes.isSealed };
  };
  expect([await read(), await read()]).toEqual([is, is]);
  expect(HEADERS_PART.rules?.()).toBe(HEADER_RULES);
});
