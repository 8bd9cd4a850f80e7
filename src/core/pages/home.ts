/**
 * `/__proxy__/`: forwards to `?url=`, stores `?host=`, or shows which host is set (specification 4.2).
 * @module
 */

import { answerJson } from "../http/answer.ts";
import { answerUnconfirmed, describeIncoming } from "./confirm.ts";
import { cannotUse, ProxyError } from "../http/error.ts";
import type { Exchange, Forward, Target } from "../exchange/exchange.ts";
import { storeHost } from "./host.ts";
import { readUrlTarget } from "./named-target.ts";
import { listParameters, readAddressParameter, readParameter, readQuery } from "../address/query.ts";
import { THEN_PARAMETER } from "../address/location.ts";
import { RESERVED } from "../address/reserved-paths.ts";
import { PROOF_PARAMETER } from "../who/asker.ts";
import type { Reply } from "../http/reply.ts";
import type { OpenPart } from "../part.ts";
import type { Selector } from "../address/address.ts";
import { selectTarget } from "../steps/target.ts";

/** Answers `/__proxy__/`; `url` takes priority over `host`. */
export async function answerHome(
  exchange: Exchange,
  forward: Forward,
  openPart: OpenPart,
): Promise<Reply> {
  const query = readQuery(exchange.path);
  const address = readAddressParameter(query);
  if (address !== undefined) {
    return await forwardNamed(exchange, readUrlTarget(exchange, address), address ?? "", forward);
  }
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
  throw cannotUse(shown, "it is unknown here", isArg ? `${RESERVED}/fetch?arg=` : "url or host");
}

/**
 * Forwards to the target that an address names, or asks the user first.
 *
 * @param address the target's address, for the user
 */
export async function forwardNamed(
  exchange: Exchange,
  target: Target,
  address: string,
  forward: Forward,
): Promise<Reply> {
  try {
    return await forward(exchange, target);
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    if (error.code !== "unconfirmed") throw nameLabel(error, target);
    return await answerUnconfirmed(exchange, await describeIncoming(exchange, address), error);
  }
}

/** A configured label that is misspelt reads as a host without a dot, which rarely resolves. */
function nameLabel(error: ProxyError, { place = "", origin: { hostname } }: Target): ProxyError {
  const isMeant = place.endsWith(`/${hostname}`) && !hostname.includes(".");
  if (!isMeant || error.code !== "dns_error") return error;
  const message = `Cannot use the label in /__proxy__/at/<label>/: no setting has a label ${hostname}, ` +
    "and no host of that name resolves. Name it in PROXY_LABELS or in the table of targets";
  return new ProxyError("dns_error", message, { cause: error.cause, names: ["PROXY_LABELS"] });
}

/** Where a request to `/` would go. */
export function readState(exchange: Exchange): { host: string | null; selector: Selector | null } {
  const target = selectTarget(exchange, "/");
  const host = target ? target.origin.origin + target.basePath : null;
  return { host, selector: target?.selector ?? null };
}
