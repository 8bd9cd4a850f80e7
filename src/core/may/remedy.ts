/**
 * Finds the setting that would allow a refused target. Each candidate is tested with the real rules, so that no advice
 * leads to the next refusal.
 * @module
 */

import { readAuthority } from "../address/authority.ts";
import { decodeNamedTargets, formatTargets, type TargetEntry } from "../address/target-lists.ts";
import type { Config } from "../settings/config.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** What to do so that the request is allowed. */
export interface Remedy {
  /** The setting as `NAME=value`, if it can be copied unchanged. */
  setting?: string;
  /** The whole advice, without a full stop. */
  advice: string;
}

/** Allows every target, but opens no private one. */
const ALL: TargetEntry = { kind: "any" };

/** One change of the settings. */
interface Change {
  readonly name: "PRIVATE_TARGETS" | "ALLOW_TARGETS" | "HOSTS" | "CORS_ORIGINS";
  readonly value: string;
  /** True if the value is added to existing ones. No message may show those, because any page may read the message. */
  readonly isAddition: boolean;
  /** The settings that differ then, and who sends the request then. */
  readonly config?: Partial<Config>;
  readonly asker?: Exchange["asker"];
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
    .find((changes) => isAllowed(changes.reduce(apply, exchange)));
  return found && describe(found);
}

function apply(exchange: Exchange, { config, asker = exchange.asker }: Change): Exchange {
  return { ...exchange, asker, config: { ...exchange.config, ...config } };
}

/**
 * Ways to open private targets, the narrowest first: each opens one target, but for the last ones, which a name that fits no
 * list needs.
 */
function listOpenings({ privateTargets, allowTargets }: Config, target: string, isNamed: boolean): Change[] {
  const open = (value: string, to: Config["privateTargets"], isAddition = false): Change => (
    { name: "PRIVATE_TARGETS", value, isAddition, config: { privateTargets: to } }
  );
  const wide = [...(privateTargets === false ? [open("auto", "auto")] : []), open("true", true)];
  const named = decodeNamedTargets([target]);
  if (!named || privateTargets === true) return wide;
  const value = formatTargets(named);
  // The first entry closes all other targets, and the redirect came from one of them: `*` keeps those open that were.
  const others = isNamed || allowTargets.length > 0 ? [] : [ALL];
  const allowed: Change = {
    name: "ALLOW_TARGETS",
    value: formatTargets([...others, ...named]),
    isAddition: allowTargets.length > 0,
    config: { allowTargets: [...allowTargets, ...others, ...named] },
  };
  if (privateTargets === false) return [allowed, ...wide];
  const before = typeof privateTargets === "object" ? privateTargets : [];
  const isMore = before.length > 0;
  const listed = isMore ? value : `auto,${value}`;
  return [open(listed, [...before, ...named], isMore), allowed, ...wide];
}

/** The change that makes the Host of the request a known name; `undefined` if it is not a name. */
function nameHost({ caller, config: { hosts } }: Exchange): Change | undefined {
  const value = readAuthority(caller.host).name;
  const entries = decodeNamedTargets([value]);
  if (!entries) return undefined;
  return { name: "HOSTS", value, isAddition: hosts.length > 0, config: { hosts: [...hosts, ...entries] } };
}

/** The change that lists the origin of the page; `undefined` unless the caller is a page of another site. */
function nameOrigin({ asker, incoming }: Exchange): Change | undefined {
  const value = incoming.headers.get("origin");
  if (asker !== "stranger" || value === null || value === "null") return undefined;
  return { name: "CORS_ORIGINS", value, isAddition: true, asker: "granted" };
}

function describe(changes: readonly Change[]): Remedy {
  const [only, ...others] = changes;
  const note = changes.some(closesOthers) ? " (ALLOW_TARGETS closes all other targets)" : "";
  if (only && others.length === 0 && !only.isAddition) {
    const setting = `${only.name}=${only.value}`;
    return { setting, advice: `To allow it, set ${setting}${note}` };
  }
  const parts = changes.map(({ name, value, isAddition }) =>
    isAddition ? `add ${value} to ${name}` : `set ${name}=${value}`
  );
  const text = `${parts.join(" and ")}${note}`;
  return { advice: text.charAt(0).toUpperCase() + text.slice(1) };
}

/** True for the first entry of a list of targets, unless it is `*`. */
function closesOthers({ name, value, isAddition }: Change): boolean {
  return name === "ALLOW_TARGETS" && !isAddition && !value.startsWith("*");
}
