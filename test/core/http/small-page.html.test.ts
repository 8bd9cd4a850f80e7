/** Text as part of an HTML page. */
import { expect, it } from "vitest";
import { escapeHtml } from "../../../src/core/http/small-page.ts";
import { rowsOf } from "../../support/rows.ts";

it.each(rowsOf(["text", "html"], [
  ["plain é", "plain é"],
  [`<a href="x" title='y'>&</a>`, "&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;&#60;/a&#62;"],
  ["&#60;", "&#38;#60;"],
]))("$text: $html", ({ text, html }) => expect(escapeHtml(text)).toBe(html));
