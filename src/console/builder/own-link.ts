/**
 * Reads the request behind one to the proxy: the code that the console itself gives leads there.
 * @module
 */

import { decodeLink } from "../share/pasted.ts";
import { draftArgument } from "./fetch-argument.ts";
import type { Draft } from "./draft.ts";

/** The request that a request to a proxy stands for; any other one unchanged. */
export function unwrap(draft: Draft): Draft {
  const headers = draft.headers.filter(([name]) => !/^proxy[_-]token$/i.test(name));
  const link = /\/__proxy__\/?(?:fetch\/?)?\?/.test(draft.address) ? decodeLink(draft.address) : undefined;
  const { url } = link?.argument ?? {};
  if (link?.what === "An arg link") return draftArgument(link.argument);
  if (typeof url === "string") return { ...draft, address: url, headers, follow: true };
  const host = headers.find(([name]) => /^proxy[_-]host$/i.test(name))?.[1];
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(draft.address)?.[1];
  if (host === undefined || path === undefined || !URL.canParse(host)) return draft;
  const others = headers.filter(([name]) => !/^proxy[_-]host$/i.test(name));
  return { ...draft, address: host.replace(/\/$/, "") + path, headers: others, follow: false };
}
