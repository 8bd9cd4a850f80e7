/**
 * Applies the limits of an entry in place of those of the settings (rule 8.4).
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { Entry } from "./targets/entry.ts";
import { createTimes, type Times } from "../../core/http/deadlines.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";

/** What an entry with limits changes in an exchange; made once for each entry. */
interface Limited {
  /** The settings whose limits were replaced. */
  readonly settings: Config;
  readonly config: Config;
  readonly own: Times;
  readonly shared: Times;
}

const made = new WeakMap<Entry, Limited>();

/** The exchange with the limits of a target's entry, if it has any. */
export function limitExchange(exchange: Exchange, entry: Entry | undefined): Exchange {
  if (!entry?.limits) return exchange;
  const known = made.get(entry);
  const limited = known?.settings === exchange.config ? known : limitConfig(exchange.config, entry);
  if (limited !== known) made.set(entry, limited);
  const deadlines = exchange.runtime.keepsTimers ? limited.shared : limited.own;
  return { ...exchange, config: limited.config, deadlines };
}

function limitConfig(settings: Config, { limits }: Entry): Limited {
  const config: Config = { ...settings, ...limits };
  return { settings, config, own: createTimes(config, false), shared: createTimes(config, true) };
}
