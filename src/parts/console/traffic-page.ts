/**
 * The page of live traffic.
 * @module
 */

import type { Exchange } from "../../core/exchange/exchange.ts";
import { answerWith } from "../../core/http/answer.ts";
import type { Reply } from "../../core/http/reply.ts";
import { checkMethod, forbid, maySeeCaptures, readSearch } from "./capture-rights.ts";
import type { Traffic } from "./traffic.ts";

/**
 * Answers `/__proxy__/traffic`.
 *
 * A target's own page shares this origin with the console (cookie selector), so same-origin proves nothing. A browser
 * must send the ticket, which the page contains only when it is opened as its own document.
 *
 * @param seesTraffic whether the caller may reach private targets or sent the token
 * @param opensCapture whether capture is on while the caller watches; false by default
 * @throws {ProxyError} `forbidden`, `method_not_allowed` or `overloaded`
 */
export async function answerTraffic(
  exchange: Exchange,
  traffic: Traffic,
  seesTraffic: boolean,
  opensCapture = false,
): Promise<Reply> {
  const { incoming, path } = exchange;
  checkMethod(incoming, "GET", "HEAD");
  if (!seesTraffic) {
    forbid(
      "Cannot show live traffic here: it needs the proxy's token, or a proxy that only this machine reaches",
    );
  }
  const isBrowser = incoming.headers.has("sec-fetch-site");
  if (isBrowser && readSearch(path).get("ticket") !== traffic.ticket) {
    forbid(
      "Cannot show live traffic to this page: only the console may show it. Reload a console opened before a restart",
    );
  }
  const fields = Object.entries({
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-accel-buffering": "no",
  });
  const isWatched = incoming.method !== "HEAD";
  const body = isWatched
    ? (await traffic.openWatchers()).watch(incoming.signal, maySeeCaptures(exchange), opensCapture)
    : null;
  return answerWith(200, fields, body);
}
