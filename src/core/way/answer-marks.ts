/**
 * Marks what the proxy must recognise later in a browser's requests: hosts that ask for credentials, and links that set
 * the host.
 * @module
 */

import { hasNews, noteCredentials } from "../may/credentials.ts";
import type { Exchange, Prepared, Target } from "../exchange/exchange.ts";
import { hasHostLink, markHostLinks, mayBeLed } from "../may/host-link.ts";
import type { Reply } from "../http/reply.ts";

/** Marks a response. Returns a promise if there is something to mark. */
export function markAnswer(
  reply: Reply,
  exchange: Exchange,
  target: Target,
  { passage }: Pick<Prepared, "passage">,
): Promise<Reply> | Reply {
  const isNews = hasNews(reply, exchange, target, passage);
  const isLink = target.selector === "cookie" && hasHostLink(reply.headers) && mayBeLed(exchange);
  if (!isNews && !isLink) return reply;
  const mark = async () => {
    if (isNews) await noteCredentials(reply, exchange, target, passage);
    if (isLink) await markHostLinks(reply.headers, exchange);
    return reply;
  };
  return mark();
}
