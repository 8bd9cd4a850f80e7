/**
 * A small page of the proxy itself: it has no script, loads nothing from elsewhere, and can't be framed.
 * @module
 */

import { answerWith } from "./answer.ts";
import { OPENER_POLICY } from "./headers.ts";
import type { Reply } from "./reply.ts";

const STYLE = ":root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}" +
  "main{max-width:44rem;margin:8vh auto;padding:0 1rem}h1{font-size:1.4rem}" +
  "code,pre,td{font-family:ui-monospace,monospace;font-size:.9rem;overflow-wrap:anywhere}" +
  "pre{padding:.75rem;border:1px solid;border-radius:8px;max-height:40vh;overflow:auto;white-space:pre-wrap}" +
  "th{text-align:left;vertical-align:top;padding-right:1rem}" +
  "button,input{font:inherit;padding:.5rem 1.25rem;margin:0 1rem .5rem 0}input{padding:.5rem}label{display:block}";

/**
 * Answers with a page.
 *
 * @param content markup in which every text is already escaped
 * @param more additional response fields
 */
export function answerPage(
  status: number,
  title: string,
  content: string,
  more: Readonly<Record<string, string>> = {},
): Reply {
  const nonce = crypto.randomUUID();
  const fields = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy":
      `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    // A target's page shares this origin, so the opener of this window gets no handle to it.
    "cross-origin-opener-policy": OPENER_POLICY,
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    ...more,
  };
  return answerWith(
    status,
    Object.entries(fields),
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`,
  );
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
