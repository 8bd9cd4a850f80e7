/** Who gets the page: browsers, and nobody who likes JSON better. */
import { expect, it } from "vitest";
import { prefersHtml } from "../../../src/core/http/accept.ts";
import { grouped, words } from "../../support/rows.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

it.each(grouped(["prefers", "accept"], [
  [true, [
    ...words(`text/html TEXT/HTML text/html;charset=utf-8 text/html;q=0.001`),
    BROWSER,
    " text/html ; q=0.9 , */* ; q=0.8",
    "application/json;q=0.5, text/html",
  ]],
  [false, [
    ...words(`*/* application/json text/html;q=0 text/html;q=x text/htmlx x-text/html ,;,;q=1`),
    null,
    "",
    "application/json, text/html;q=0.9",
    "text/html;q=0.5, application/json;q=0.6",
    "application/json, text/html",
    "text/html;q=0.5, */*;q=0.8",
    "text/plain, */*;q=0.1",
  ]],
]))("prefersHtml: $accept: $prefers", ({ accept, prefers }) => expect(prefersHtml(accept)).toBe(prefers));
