/**
 * What the server tells the page, in its `<meta name="fetchvia">`.
 * @module
 */

/** Facts that the page's script starts from. */
export interface PageFacts {
  version: string;
  /** The base that requests to `/` go to, or `null`. */
  host: string | null;
  /** What it was set by. */
  selector: string | null;
  /** Why the host cannot be told. */
  problem?: string;
  /** `PROXY_DOMAIN`. */
  domain: string;
  /** `PROXY_LABELS`: label and base. */
  labels: [label: string, base: string][];
  /** What opens live traffic; `null` where that is off. */
  ticket: string | null;
  /** What the page shows where it changes the host; `null` for a page that does not stand alone. */
  proof: string | null;
  /** Whether callers must show a token. */
  needsToken: boolean;
}
