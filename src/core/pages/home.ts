/**
 * `/__proxy__/`: forwards to `?url=`, stores `?host=`, or shows which host is set (specification 4.2).
 * @module
 */

import { answerJson } from "../http/answer.ts";
import { answerUnconfirmed, describeIncoming } from "./confirm.ts";
import { ProxyError } from "../http/error.ts";
import type { Exchange, Forward } from "../exchange/exchange.ts";
import { storeHost } from "./host.ts";
import { readUrlTarget } from "./named-target.ts";
import { listParameters, readAddressParameter, readParameter, readQuery } from "../address/query.ts";
import { THEN_PARAMETER } from "../address/location.ts";
import { RESERVED } from "../address/reserved-paths.ts";
import { PROOF_PARAMETER } from "../who/asker.ts";
import type { Reply } from "../http/reply.ts";
import type { OpenPart } from "../part.ts";
import type { Selector } from "../address/selector.ts";
import { selectTarget } from "../steps/target.ts";

/** Answers `/__proxy__/`; `url` takes priority over `host`. */
export async function answerHome(
  exchange: Exchange,
  forward: Forward,
  openPart: OpenPart,
): Promise<Reply> {
  const query = readQuery(exchange.path);
  const address = readAddressParameter(query);
  if (address !== undefined) return await forwardAddress(exchange, address, forward);
  checkParameters(exchange.path);
  const host = readParameter(query, "host");
  if (host !== undefined) return await storeHost(exchange, host);
  return await openPart("/") ?? answerJson(readState(exchange));
}

/** What may be in the query, beside the parameters of a signed link and those that the console adds. */
const PARAMETERS: ReadonlySet<string> = new Set([
  "host",
  "token",
  "sig",
  "exp",
  THEN_PARAMETER,
  PROOF_PARAMETER,
]);

/**
 * Refuses unknown parameters: a typo must not look like success. Beside `url` they may be a part of the address that was not
 * encoded, and are ignored (rule 1.9).
 *
 * @throws {ProxyError} `bad_request`
 */
function checkParameters(path: string): void {
  const unknown = listParameters(path).find((name) => !PARAMETERS.has(name));
  if (unknown === undefined) return;
  const isArg = unknown === "arg";
  // What looks like no name may be an address, with credentials.
  const shown = /^[\w.-]{1,40}$/.test(unknown) ? `parameter ${unknown}` : "the query";
  throw new ProxyError(
    "bad_request",
    `Cannot use ${shown}: it is unknown here, expected ${isArg ? `${RESERVED}/fetch?arg=` : "url or host"}`,
  );
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

/** Where a request to `/` would go. */
export function readState(exchange: Exchange): { host: string | null; selector: Selector | null } {
  const target = selectTarget(exchange, "/");
  const host = target ? target.origin.origin + target.basePath : null;
  return { host, selector: target?.selector ?? null };
}
