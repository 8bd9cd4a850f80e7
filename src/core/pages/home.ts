/**
 * `/__proxy__/`: forwards to `?url=`, stores `?host=`, or shows which host is set (specification 4.2).
 * @module
 */

import { prefersHtml } from "../http/accept.ts";
import { answerJson } from "../http/answer.ts";
import { answerUnconfirmed, describeIncoming } from "./confirm.ts";
import { ProxyError, toProxyError } from "../http/error.ts";
import type { Exchange, Forward } from "../exchange/exchange.ts";
import { storeHost } from "./host.ts";
import { readUrlTarget } from "./named-target.ts";
import { readAddressParameter, readParameter, readQuery } from "../address/query.ts";
import type { Reply } from "../http/reply.ts";
import { readProof } from "./page-proof.ts";
import { maySeeTraffic } from "../may/rights.ts";
import type { Traffic } from "../../parts/console/traffic.ts";
import type { Selector } from "../address/selector.ts";
import { selectTarget } from "../steps/target.ts";

/** Answers `/__proxy__/`; `url` takes priority over `host`. */
export async function answerHome(
  exchange: Exchange,
  traffic: Traffic | undefined,
  forward: Forward,
): Promise<Reply> {
  const query = readQuery(exchange.path);
  const address = readAddressParameter(query);
  if (address !== undefined) return await forwardAddress(exchange, address, forward);
  const host = readParameter(query, "host");
  return host === undefined ? await answerState(exchange, traffic) : await storeHost(exchange, host);
}

async function forwardAddress(
  exchange: Exchange,
  text: string | null,
  forward: Forward,
): Promise<Reply> {
  const target = readUrlTarget(exchange, text);
  try {
    return await forward(exchange, target);
  } catch (error) {
    if (!(error instanceof ProxyError) || error.code !== "unconfirmed") throw error;
    return await answerUnconfirmed(exchange, await describeIncoming(exchange, text ?? ""), error);
  }
}

/** Shows where a request to `/` would go: as a page to browsers, otherwise as JSON. */
async function answerState(exchange: Exchange, traffic: Traffic | undefined): Promise<Reply> {
  const isPage = traffic && prefersHtml(exchange.incoming.headers.get("accept"));
  if (!isPage) return answerJson(readState(exchange));
  const seesTraffic = maySeeTraffic(exchange);
  const { ticket } = traffic;
  // A page with the ticket needs no cookie.
  const page = { seesTraffic, ticket, ...(seesTraffic ? { proof: ticket } : await readProof(exchange)) };
  const { answerDocument } = await import("../../parts/console/document.ts");
  try {
    return answerDocument(exchange, { ...page, ...readState(exchange) });
  } catch (error) {
    // The page must load despite a malformed cookie, because the user clears it there.
    const { message } = toProxyError(error);
    return answerDocument(exchange, { ...page, host: null, selector: null, problem: message });
  }
}

function readState(exchange: Exchange): { host: string | null; selector: Selector | null } {
  const target = selectTarget(exchange, "/");
  const host = target ? target.origin.origin + target.basePath : null;
  return { host, selector: target?.selector ?? null };
}
