/**
 * Finds the setting that would allow a refused target. Each candidate is tested with the real rules, so that no advice
 * leads to the next refusal.
 * @module
 */

import { readAuthority } from "../address/authority.ts";
import { decodeNamedTargets, formatTargets } from "../address/target-lists.ts";
import type { Config } from "../settings/config.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** What to do so that the request is allowed. */
export interface Remedy {
  /** The setting as `NAME=value`, if it can be copied unchanged. */
  setting?: string;
  /** The whole advice, without a full stop. */
  advice: string;
}

/** The settings that a change can name, with their option names in code. */
const OPTIONS = {
  PRIVATE_TARGETS: "privateTargets",
  ALLOW_TARGETS: "allowTargets",
  HOSTS: "hosts",
  CORS_ORIGINS: "corsOrigins",
} as const;

/** One change of the settings. */
interface Change {
  name: keyof typeof OPTIONS;
  value: string;
  /** True if the value is added to existing ones. No message may show those, because any page may read the message. */
  isAddition?: boolean;
  /** The request under the changed settings. */
  apply(exchange: Exchange): Exchange;
}

/**
 * Finds the changes that would allow a target: narrow ones are tried before wide ones, one change before two.
 *
 * @param target host and port of the target
 * @param isAllowed whether the target may be reached under changed settings
 * @param isNamed false for a target that a redirect leads to
 * @returns `undefined` if no change of `PRIVATE_TARGETS`, `ALLOW_TARGETS`, `HOSTS` and `CORS_ORIGINS` allows it
 */
export function findRemedy(
  exchange: Exchange,
  target: string,
  isAllowed: (changed: Exchange) => boolean,
  isNamed = true,
): Remedy | undefined {
  const openings = listOpenings(exchange.config, target, isNamed);
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
  return found && describe(found, exchange.isEmbedded === true);
}

/** Ways to open private targets, the narrowest first. */
function listOpenings({ privateTargets, allowTargets }: Config, target: string, isNamed: boolean): Change[] {
  const change = (
    name: Change["name"],
    value: string,
    changed: Partial<Config>,
    isAddition = false,
  ): Change => ({
    name,
    value,
    isAddition,
    apply: (exchange) => ({ ...exchange, config: { ...exchange.config, ...changed } }),
  });
  const all = change("PRIVATE_TARGETS", "true", { privateTargets: true });
  const openings = privateTargets === false
    ? [change("PRIVATE_TARGETS", "auto", { privateTargets: "auto" })]
    : [];
  const named = decodeNamedTargets([target]);
  if (!named || privateTargets === true) return [...openings, all];
  const value = formatTargets(named);
  const before = typeof privateTargets === "object" ? privateTargets : [];
  const isMore = before.length > 0;
  const listed = isMore ? value : `auto,${value}`;
  openings.push(change("PRIVATE_TARGETS", listed, { privateTargets: [...before, ...named] }, isMore));
  // The first entry of ALLOW_TARGETS closes all other targets, including the one that the redirect came from.
  if (isNamed || allowTargets.length > 0) {
    const changed = { allowTargets: [...allowTargets, ...named] };
    openings.push(change("ALLOW_TARGETS", value, changed, allowTargets.length > 0));
  }
  return [...openings, all];
}

/** The change that makes the Host of the request a known name; `undefined` if it is not a name. */
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

/** The change that lists the origin of the page; `undefined` unless the caller is a page of another site. */
function nameOrigin({ asker, incoming }: Exchange): Change | undefined {
  const value = incoming.headers.get("origin");
  if (asker !== "stranger" || value === null || value === "null") return undefined;
  const apply = (exchange: Exchange): Exchange => ({ ...exchange, asker: "granted" });
  return { name: "CORS_ORIGINS", value, isAddition: true, apply };
}

/** @param isEmbedded true where the settings are options in code */
function describe(changes: readonly Change[], isEmbedded: boolean): Remedy {
  const nameOf = ({ name }: Change) => isEmbedded ? OPTIONS[name] : name;
  const format = (change: Change) =>
    isEmbedded ? `${nameOf(change)}: ${JSON.stringify(change.value)}` : `${change.name}=${change.value}`;
  const [only, ...others] = changes;
  if (only && others.length === 0 && !only.isAddition) {
    const setting = format(only);
    return { setting, advice: `To allow it, set ${setting}` };
  }
  const parts = changes.map((change) =>
    change.isAddition ? `add ${change.value} to ${nameOf(change)}` : `set ${format(change)}`
  );
  const text = parts.join(" and ");
  return { advice: text.charAt(0).toUpperCase() + text.slice(1) };
}
