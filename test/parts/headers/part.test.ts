/** `proxy_headers` and `proxy_seal` as a part: which of them count, the first time and later. @module */
import { beforeEach, expect, it, vi } from "vitest";
import type { Line } from "../../../src/core/exchange/findings.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { exchangeOf } from "../../support/exchange.ts";

const TARGET: Target = { selector: "header", origin: new URL("https://a.test"), basePath: "", path: "/" };
const OVERRIDES: Line = ["proxy_headers", "e30"];

beforeEach(() => void vi.resetModules());

it.each<
  { about: string; selector: Target["selector"]; lines: Line[]; fields: Record<string, string>; is: unknown }
>([
  { about: "nothing", selector: "header", lines: [], fields: {}, is: undefined },
  {
    about: "its lines",
    selector: "header",
    lines: [OVERRIDES],
    fields: {},
    is: { isChanged: true, isSealed: false },
  },
  {
    about: "no header but its lines",
    selector: "header",
    lines: [],
    fields: { proxy_seal: "1" },
    is: undefined,
  },
  {
    about: "the seal alone of an arg",
    selector: "arg",
    lines: [OVERRIDES],
    fields: { proxy_seal: "1", proxy_headers: "e30" },
    is: { isChanged: false, isSealed: true },
  },
])("reads $about", async ({ selector, lines, fields, is }) => {
  const { HEADER_RULES, HEADERS_PART } = await import("../../../src/parts/headers/part.ts");
  const read = async () => {
    const wishes = await HEADER_RULES.wish?.(lines, exchangeOf({ fields }), { ...TARGET, selector });
    return wishes && { isChanged: wishes.isChanged, isSealed: wishes.isSealed };
  };
  expect([await read(), await read()]).toEqual([is, is]);
  expect(HEADERS_PART.rules?.()).toBe(HEADER_RULES);
});
