/**
 * Finds the setting that would allow a refused target. Each candidate is tried by the rules themselves, so that no advice
 * leads to the next refusal.
 * @module
 */

import { readAuthority } from "../address/authority.ts";
import { decodeNamedTargets, formatTargets } from "../address/target-lists.ts";
import type { Config } from "../settings/config.ts";
import type { Exchange } from "./exchange.ts";

/** What to do so that the request is allowed. */
export interface Remedy {
  /** The setting as `NAME=value`, if it is one that can be copied as it is. */
  setting?: string;
  /** The whole advice, without a full stop. */
  advice: string;
}

/** One change of the settings. */
interface Change {
  name: string;
  value: string;
  /** True if the value comes on top of others, which no message may tell: any page may read it. */
  isAddition?: boolean;
  /** The request under the changed settings. */
  apply(exchange: Exchange): Exchange;
}

/**
 * Finds what allows a target: a change that opens little before one that opens much, one change before two.
 *
 * @param target host and port of the target
 * @param isAllowed whether the target may be reached under changed settings
 * @returns `undefined` if no change of `PRIVATE_TARGETS`, `HOSTS` and `CORS_ORIGINS` allows it
 */
export function findRemedy(
  exchange: Exchange,
  target: string,
  isAllowed: (changed: Exchange) => boolean,
): Remedy | undefined {
  const openings = listOpenings(exchange.config, target);
  const host = nameHost(exchange);
  const origin = nameOrigin(exchange);
  const hosts: Change[][] = host ? [[], [host]] : [[]];
  const origins: Change[][] = origin ? [[], [origin]] : [[]];
  const candidates = origins.flatMap((last) =>
    hosts.flatMap((known) => [known, ...openings.map((opening) => [opening, ...known])])
      .map((changes) => [...changes, ...last])
  );
  const found = candidates
    .filter((changes) => changes.length > 0)
    .sort((one, other) => one.length - other.length)
    .find((changes) => isAllowed(changes.reduce((changed, { apply }) => apply(changed), exchange)));
  return found && describe(found);
}

/** Ways to open private targets, the narrowest first. */
function listOpenings({ privateTargets }: Config, target: string): Change[] {
  const open = (value: string, wanted: Config["privateTargets"], isAddition = false): Change => ({
    name: "PRIVATE_TARGETS",
    value,
    isAddition,
    apply: (exchange) => ({ ...exchange, config: { ...exchange.config, privateTargets: wanted } }),
  });
  const openings = privateTargets === false ? [open("auto", "auto")] : [];
  const named = decodeNamedTargets([target]);
  if (named && privateTargets !== true) {
    const before = typeof privateTargets === "object" ? privateTargets : [];
    const value = formatTargets(named);
    const isAddition = before.length > 0;
    openings.push(open(isAddition ? value : `auto,${value}`, [...before, ...named], isAddition));
  }
  return [...openings, open("true", true)];
}

/** The change that makes the Host of the request a known name; `undefined` if it is no name. */
function nameHost({ caller, config: { hosts } }: Exchange): Change | undefined {
  const value = readAuthority(caller.host).name;
  const entries = decodeNamedTargets([value]);
  if (!entries) return undefined;
  const apply = (exchange: Exchange): Exchange => ({
    ...exchange,
    config: { ...exchange.config, hosts: [...exchange.config.hosts, ...entries] },
  });
  return { name: "HOSTS", value, isAddition: hosts.length > 0, apply };
}

/** The change that lists the origin of the page; `undefined` for other callers than pages of other sites. */
function nameOrigin({ asker, incoming }: Exchange): Change | undefined {
  const value = incoming.headers.get("origin");
  if (asker !== "stranger" || value === null || value === "null") return undefined;
  const apply = (exchange: Exchange): Exchange => ({ ...exchange, asker: "granted" });
  return { name: "CORS_ORIGINS", value, isAddition: true, apply };
}

function describe(changes: readonly Change[]): Remedy {
  const [only, ...others] = changes;
  if (only && others.length === 0 && !only.isAddition) {
    const setting = `${only.name}=${only.value}`;
    return { setting, advice: `To allow it, set ${setting}` };
  }
  const parts = changes.map(({ name, value, isAddition }) =>
    isAddition ? `add ${value} to ${name}` : `set ${name}=${value}`
  );
  const text = parts.join(" and ");
  return { advice: text.charAt(0).toUpperCase() + text.slice(1) };
}
