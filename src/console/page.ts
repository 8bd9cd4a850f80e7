/**
 * The page that a browser gets at `/__proxy__/`: which host is set, and a form that sets or clears it.
 * @module
 */

/** True when an `Accept` header names `text/html` and likes nothing better (RFC 9110 §12.5.1). */
export function prefersHtml(accept: string | null): boolean {
  const quality = (type: string) => readQuality(accept ?? "", type);
  return quality("text/html") > quality("application/json") && quality("text/html") >= quality("*/*");
}

/** Answers with the page; `host` is the base that requests go to, or `null`. */
export function answerConsole(host: string | null, selector: string | null): Response {
  const nonce = crypto.randomUUID();
  return new Response(renderPage(host, selector, nonce), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}

function readQuality(accept: string, type: string): number {
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    return weight ? Number(weight.slice(2)) || 0 : 1;
  }
  return 0;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function renderPage(host: string | null, selector: string | null, nonce: string): string {
  const state = host
    ? `Requests go to <code>${escapeHtml(host)}</code>, set by ${escapeHtml(selector ?? "")}.`
    : "No host is set: requests are answered with a diagnostic object.";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>fetchvia</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
form { display: flex; gap: .5rem; flex-wrap: wrap; margin: 1.5rem 0; }
input { flex: 1 1 16rem; } input, button { font: inherit; padding: .5rem .75rem; }
</style>
<h1>fetchvia</h1>
<p>${state}</p>
<form action="/__proxy__/">
<label for="host">Base address of the target</label>
<input id="host" name="host" type="url" required placeholder="https://example.com" value="${
    escapeHtml(host ?? "")
  }">
<input type="hidden" name="then" value="/">
<button>Set and open</button>
</form>
<p><a href="/__proxy__/?host=&amp;then=%2F__proxy__%2F">Clear the host</a></p>
</html>
`;
}
