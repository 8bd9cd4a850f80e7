/**
 * What a part needs, made of as little as a test says.
 * @module
 */
import type { Exchange, Steps } from "../../src/core/exchange/exchange.ts";
import type { Parts } from "../../src/core/part.ts";
import { toResponse } from "../../src/core/http/reply.ts";
import type { Host, Part } from "../../src/core/part.ts";
import type { Config } from "../../src/core/settings/config.ts";
import { NO_HOOKS } from "../../src/core/exchange/hooks.ts";
import { createGate } from "../../src/parts/gate/gate.ts";
import { TICKET } from "./exchange.ts";

/** What a proxy lends to its parts. */
export function hostOf(config: Config, lent: Parts = {}): Host {
  return { lent, settings: createGate(config), hooks: () => NO_HOOKS, ticket: TICKET };
}

const NONE: Steps = {
  forward: () => Promise.reject(new Error("Expected nothing to be forwarded")),
  checkAccess: () => {
    throw new Error("Expected nothing to be dialled");
  },
  buildRequest: () => {
    throw new Error("Expected no request to be built");
  },
};

/** What a part answers to a path of its own; `undefined` if it is not. */
export async function openOf(
  part: Part | undefined,
  path: string,
  exchange: Exchange,
): Promise<Response | undefined> {
  const reply = await part?.open?.(path, exchange, NONE);
  return reply && toResponse(reply, exchange.incoming);
}
