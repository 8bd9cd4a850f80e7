/**
 * What the server and the page have agreed on: the facts in `<meta name="fetchvia">`, the text that both show for them, and
 * how the page sends requests.
 * @module
 */

/**
 * The field for the head of a request: Base64 of JSON with `url`, and if need be `method`, `headers` as pairs in the order of
 * the wire, and `redirect` (`follow` or `manual`).
 */
export const REQUEST_FIELD = "x-fetchvia-request";
/** Maximum length of that field, in bytes. Every runtime accepts headers of this size. */
export const MAX_REQUEST_FIELD = 48 * 1024;
/** Maximum number of requests that an address names. */
export const MAX_IDS = 1_000;

/** Facts that the page's script starts from. */
export interface PageFacts {
  version: string;
  /** The base that requests to `/` go to, or `null`. */
  host: string | null;
  /** The selector that set it; `preset` is the setting `TARGET`. */
  selector: string | null;
  /** Why the host is unknown. */
  problem?: string;
  /** `PROXY_DOMAIN`. */
  domain: string;
  /** `PROXY_LABELS`: label and base. */
  labels: [label: string, base: string][];
  /** The ticket for live traffic; `null` if the page may not show it, or was not opened as its own document. */
  ticket: string | null;
  /** True if the user opened the page: no other page led there. */
  isAsked: boolean;
  /** The proof for changing the host; `null` if the page was not opened as its own document. */
  proof: string | null;
  /** `FORWARD_CLIENT`: only the proxy writes the headers about the caller. */
  namesCaller: boolean;
  /** Whether callers must send a token. */
  needsToken: boolean;
}

/** What decides where requests to `/` go, in the page's words. */
export function tellSelector({ host, selector }: Pick<PageFacts, "host" | "selector">): string {
  if (host === null) return "no host is set";
  return `set by ${selector === "preset" ? "target (preset)" : selector}`;
}
