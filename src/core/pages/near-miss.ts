/**
 * Finds what a request without a target may have meant as one, for `Proxy-Status` of its response (rule 21.4). Nothing is
 * decided by it.
 * @module
 */

import { readAuthority } from "../address/authority.ts";
import { decodeLabel } from "../address/label.ts";
import { listParameters } from "../address/query.ts";
import { RESERVED } from "../address/reserved-paths.ts";
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
    if (isNear(name.replace(/^x-/, "").replace(/[_-]/g, ""), "proxyhost")) found ??= name;
  });
  return found && `header ${found} is not read, expected proxy_host`;
}

function findParameter({ path, config: { mountPath } }: Exchange): string | undefined {
  for (const name of listParameters(path)) {
    for (const [known, page] of Object.entries(PAGES)) {
      if (isNear(name, known)) {
        return `parameter ${name} is not read here, expected ${mountPath}${RESERVED}${page}`;
      }
    }
  }
  return undefined;
}

/** A label without `.w.`, or below another domain than `PROXY_DOMAIN`. */
function findLabel({ caller, config: { proxyDomain, proxyLabels } }: Exchange): string | undefined {
  const [, label = "", w, domain] = /^([a-z\d-]+)\.(w\.)?(.+)$/.exec(readAuthority(caller.host).name) ?? [];
  const isLabel = proxyLabels.has(label) || (label.includes("-") && decodeLabel(label) !== undefined);
  if (!isLabel || (w === undefined && domain !== proxyDomain)) return undefined;
  return `Host looks like a label, expected ${label}.w.${proxyDomain}`;
}

/** True for the word itself, and from four letters on, with one letter too many, too few or other, or two swapped. */
function isNear(text: string, word: string): boolean {
  if (text === word) return true;
  if (word.length < 4 || Math.abs(text.length - word.length) > 1) return false;
  let start = 0;
  while (start < word.length && text[start] === word[start]) start += 1;
  const rest = text.slice(start), end = word.slice(start);
  const isSwapped = rest.slice(0, 2) === `${end[1]}${end[0]}` && rest.slice(2) === end.slice(2);
  return isSwapped || rest.slice(1) === end || rest === end.slice(1) || rest.slice(1) === end.slice(1);
}
