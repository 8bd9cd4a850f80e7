/**
 * The console's page at `/__proxy__/`, its style sheet and its script, and their security policy.
 * @module
 */

import { answerWith } from "../../core/http/answer.ts";
import { readCookie } from "../../core/http/cookies.ts";
import { OPENER_POLICY } from "../../core/http/headers.ts";
import { checkMethod } from "../../core/http/error.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import { asksToken } from "../../core/may/token-duty.ts";
import { escapeHtml } from "../../core/http/small-page.ts";
import { VERSION } from "../../core/settings/version.ts";
import { ETAG, FILES, PAGE } from "./assets.ts";
import { type PageFacts, tellSelector } from "./page-facts.ts";

/** The content of the page, apart from the request's own facts. */
export interface PageState extends Pick<PageFacts, "host" | "selector" | "problem"> {
  /** True if the caller may reach private targets or sent the token, and so may see labels and traffic. */
  seesTraffic: boolean;
  /** The ticket of live traffic. */
  ticket: string;
  /** The page's proof for changing the host. */
  proof: string;
  /** The cookie that belongs to the proof, if the browser has none. */
  cookie?: string;
}

/** Answers with the page. */
export function answerDocument(exchange: Exchange, state: PageState): Reply {
  const { caller } = exchange;
  const nonces = { script: crypto.randomUUID(), style: crypto.randomUUID() };
  const facts = readFacts(exchange, state);
  const page = fillPage({
    ...nonces,
    version: VERSION,
    mount: exchange.config.mountPath,
    proxy: caller.host + exchange.config.mountPath,
    host: state.host ?? "",
    target: state.host ?? "nowhere yet",
    selector: state.problem ?? tellSelector(state),
    // The form works without a script, so it contains the proof.
    proof: facts.proof ?? "",
    signOut: readCookie(exchange.incoming.headers.get("cookie"), "proxy_token").length > 0 && facts.needsToken
      ? ""
      : "hidden",
    facts: JSON.stringify(facts),
  });
  const fields = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "vary": "Accept, Cookie, Sec-Fetch-Dest",
    "content-security-policy": writePolicy(nonces),
    // A target's page shares this origin (cookie selector), so the opener of this window gets no handle to it.
    "cross-origin-opener-policy": OPENER_POLICY,
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...(state.cookie && facts.proof && { "set-cookie": state.cookie }),
  };
  return answerWith(200, Object.entries(fields), page);
}

/**
 * Answers with a style sheet or a script of the page, as gzip to callers that take it (RFC 9110 §12.5.3).
 *
 * @param name such as `console.js`
 * @returns `undefined` if there is no file of this name
 */
export async function answerAsset({ incoming }: Exchange, name: string): Promise<Reply | undefined> {
  const packed = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (packed === undefined) return undefined;
  const { headers } = incoming;
  checkMethod(incoming.method, "GET", "HEAD");
  const isPacked = takesGzip(headers.get("accept-encoding"));
  const etag = isPacked ? ETAG.replace(/"$/, '-gzip"') : ETAG;
  const fields = Object.entries({
    "content-type": `text/${name.endsWith(".css") ? "css" : "javascript"}; charset=utf-8`,
    "cache-control": "no-cache",
    "cross-origin-resource-policy": "same-origin",
    "etag": etag,
    "vary": "Accept-Encoding",
    "x-content-type-options": "nosniff",
  });
  if (headers.get("if-none-match") === etag) return answerWith(304, fields);
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  if (isPacked) fields.push(["content-encoding", "gzip"]);
  const body = isPacked ? bytes : await unpack(bytes);
  return answerWith(200, [...fields, ["content-length", String(body.length)]], body);
}

async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function takesGzip(codings: string | null): boolean {
  return (codings ?? "").split(",").some((coding) => {
    const [name = "", weight = ""] = coding.split(";");
    return name.trim().toLowerCase() === "gzip" && !/^\s*q=0(?:\.0*)?$/i.test(weight.trimEnd());
  });
}

/**
 * Lets only the page's script and its imports run: by nonce and not by `'self'`, because anything on this origin may be a
 * target's. A preview frame inherits this policy, so it loads nothing.
 */
function writePolicy({ script, style }: { script: string; style: string }): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${script}'`,
    `style-src 'nonce-${style}'`,
    "connect-src 'self'",
    "img-src blob: data:",
    "media-src blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types preview",
  ].join("; ");
}

/**
 * Only a page opened as its own document gets the ticket; a script that fetches the page gets none. Without Fetch
 * Metadata (plain http on a host that is not loopback) the two cannot be distinguished.
 */
function readFacts({ incoming, config }: Exchange, state: PageState): PageFacts {
  const { host, selector, seesTraffic } = state;
  const purpose = incoming.headers.get("sec-fetch-dest");
  const isAlone = purpose === null || purpose === "document";
  const labels = [...config.proxyLabels].map(([label, { origin, path }]): [string, string] => [
    label,
    origin.origin + path,
  ]);
  return {
    version: VERSION,
    host,
    selector,
    domain: config.proxyDomain,
    labels: seesTraffic ? labels : [],
    ticket: seesTraffic && isAlone ? state.ticket : null,
    isAsked: incoming.headers.get("sec-fetch-site") === "none",
    proof: isAlone ? state.proof : null,
    namesCaller: config.forwardClient,
    needsToken: asksToken(config),
    ...(state.problem && { problem: state.problem }),
  };
}

function fillPage(values: Readonly<Record<string, string>>): string {
  return PAGE.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ""));
}
