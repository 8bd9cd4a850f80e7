/**
 * The paths of the console, and live traffic. Code for rarely used pages is loaded with the first request for one.
 * @module
 */

import type { Exchange, Forward } from "../../core/exchange/exchange.ts";
import { prefersHtml } from "../../core/http/accept.ts";
import { checkMethod, ProxyError, toProxyError } from "../../core/http/error.ts";
import type { Reply } from "../../core/http/reply.ts";
import { maySeeTraffic } from "../../core/may/private-targets.ts";
import { asksToken, keepToken } from "../../core/may/token-duty.ts";
import { readState } from "../../core/pages/home.ts";
import { hasProof, readProof } from "../../core/pages/page-proof.ts";
import { RESERVED } from "../../core/address/reserved-paths.ts";
import type { CapturePart } from "../capture/part.ts";
import { forbid, maySeeCaptures, maySwitchByOpening, readSearch } from "./capture-rights.ts";
import type { Traffic } from "./traffic.ts";
import type { UsedPasses } from "./used-passes.ts";
import { answerWith } from "../../core/http/answer.ts";

/** The data that the pages show and use. */
export interface ConsoleData {
  readonly traffic: Traffic;
  /** Passes for the console's WebSockets that were used in this process. */
  readonly usedPasses: UsedPasses;
  readonly capture: CapturePart;
  readonly forward: Forward;
}

type Page = (exchange: Exchange, data: ConsoleData) => Promise<Reply | undefined>;

const PAGES: ReadonlyMap<string, Page> = new Map<string, Page>([
  ["/", answerPage],
  ["/traffic", async (exchange, { traffic, capture }) => {
    traffic.ignore(exchange.record);
    const opensCapture = maySwitchByOpening(exchange);
    if (opensCapture) await capture.load();
    return answerTraffic(exchange, traffic, maySeeTraffic(exchange), opensCapture);
  }],
  ["/capture", async (exchange, { traffic, capture }) => {
    if (exchange.incoming.method === "GET") traffic.ignore(exchange.record);
    const { answerCapture } = await import("./capture-page.ts");
    return answerCapture(exchange, await capture.load());
  }],
  ["/traffic.har", async (exchange, { capture }) => {
    const { answerCapturesAsHar } = await import("./capture-page.ts");
    return answerCapturesAsHar(exchange, await capture.load());
  }],
  ["/sign-out", async (exchange) => asksToken(exchange.config) ? await answerSignOut(exchange) : undefined],
  ["/send", async (exchange, { forward }) => (await import("./send-page.ts")).answerSend(exchange, forward)],
  [
    "/socket",
    async (exchange, { usedPasses, forward }) =>
      (await import("./socket-page.ts")).answerSocket(exchange, usedPasses, forward),
  ],
]);

/** Answers a path of the console, or one of its files; `undefined` for any other. */
export async function openConsole(
  path: string,
  exchange: Exchange,
  data: ConsoleData,
): Promise<Reply | undefined> {
  const page = PAGES.get(path);
  if (page) return await page(exchange, data);
  return (await import("./document.ts")).answerAsset(exchange, path.slice(1));
}

/** The page itself, for browsers. It shows where a request to `/` would go. */
async function answerPage(
  exchange: Exchange,
  { traffic: { ticket } }: ConsoleData,
): Promise<Reply | undefined> {
  if (!prefersHtml(exchange.incoming.headers.get("accept"))) return undefined;
  const seesTraffic = maySeeTraffic(exchange);
  // A page with the ticket needs no cookie.
  const page = { seesTraffic, ticket, ...(seesTraffic ? { proof: ticket } : await readProof(exchange)) };
  const { answerDocument } = await import("./document.ts");
  try {
    return answerDocument(exchange, { ...page, ...readState(exchange) });
  } catch (error) {
    // The page must load despite a malformed cookie, because the user clears it there.
    const { message } = toProxyError(error);
    return answerDocument(exchange, { ...page, host: null, selector: null, problem: message });
  }
}

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
  checkMethod(incoming.method, "GET", "HEAD");
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

/**
 * Answers `/__proxy__/sign-out`: expires the cookie with a browser's token. Only the console may ask: a page of a target shares its origin.
 *
 * @throws {ProxyError} `method_not_allowed`, or `forbidden` without the console's proof
 */
export async function answerSignOut(exchange: Exchange): Promise<Reply> {
  checkMethod(exchange.incoming.method, "POST");
  if (!await hasProof(exchange)) {
    throw new ProxyError("forbidden", "Cannot sign out: only the console may ask for it. Open /__proxy__/");
  }
  return keepToken(exchange, "", `${RESERVED}/`);
}
