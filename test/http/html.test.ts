/**
 * Text as part of an HTML page.
 * @module
 */
import { expect, it } from "vitest";
import { escapeHtml } from "../../src/http/html.ts";

it.each([
  { text: "plain é", html: "plain é" },
  {
    text: `<a href="x" title='y'>&</a>`,
    html: "&#60;a href=&#34;x&#34; title=&#39;y&#39;&#62;&#38;&#60;/a&#62;",
  },
  { text: "&#60;", html: "&#38;#60;" },
])("$text: $html", ({ text, html }) => {
  expect(escapeHtml(text)).toBe(html);
});
