/**
 * Finds what a request without a target may have meant as one, for `Proxy-Status` of its response (rule 21.4). Nothing is
 * decided by it.
 * @module
 */

import { readAuthority } from "../address/authority.ts";
import { decodeLabel } from "../address/label.ts";
import { listParameters } from "../address/query.ts";
import { RESERVED } from "../address/reserved-paths.ts";
import { findNearest } from "../settings/nearest.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** The parameters that name a target, and their pages. */
const PAGES = { url: "/?url=", host: "/?host=", arg: "/fetch?arg=" } as const;

/** What looks like a target, and how it is written; `undefined` if nothing does. */
export function findNearMiss(exchange: Exchange): string | undefined {
  return findHeader(exchange) ?? findParameter(exchange) ?? findLabel(exchange);
}

function findHeader({ incoming: { headers } }: Exchange): string | undefined {
  let found: string | undefined;
  headers.forEach((_, name) => {
    if (isMeant(name.replace(/^x-/, "").replace(/[_-]/g, ""), "proxyhost")) found ??= name;
  });
  return found && `header ${found} is not read, expected proxy_host`;
}

function findParameter({ path, config: { mountPath } }: Exchange): string | undefined {
  for (const name of listParameters(path)) {
    for (const [known, page] of Object.entries(PAGES)) {
      if (isMeant(name, known)) {
        return `parameter ${name} is not read here, expected ${mountPath}${RESERVED}${page}`;
      }
    }
  }
  return undefined;
}

/** A label without `.w.`, or below another domain than `PROXY_DOMAIN`. */
function findLabel({ caller, config: { proxyDomain, proxyLabels } }: Exchange): string | undefined {
  const { name, port } = readAuthority(caller.host);
  const [, label = "", w, domain] = /^([a-z\d-]+)\.(w\.)?(.+)$/.exec(name) ?? [];
  const isLabel = proxyLabels.has(label) || (label.includes("-") && decodeLabel(label) !== undefined);
  if (!isLabel || (w === undefined && domain !== proxyDomain)) return undefined;
  return `Host looks like a label, expected ${label}.w.${proxyDomain}${port === undefined ? "" : `:${port}`}`;
}

/** True for the word itself; from four letters on, also where one letter differs or two are swapped. */
function isMeant(text: string, word: string): boolean {
  return text === word || (word.length >= 4 && findNearest(text, [word], 1) !== undefined);
}
