/**
 * Names settings as options in code, for the messages of a proxy whose settings are that (rule 21.3).
 * @module
 */

import { ProxyError } from "../http/error.ts";
import { ConfigError, environmentName } from "./config.ts";
import { SETTINGS } from "./settings.ts";

const OPTIONS: ReadonlyMap<string, string> = new Map(
  Object.keys(SETTINGS).map((name) => [environmentName(name), name]),
);

/**
 * The text with `allowTargets: "a.test"` for `ALLOW_TARGETS=a.test`, and the like.
 *
 * @param isEmbedded true where the settings are options in code; otherwise the text stays
 * @param names the variables that the text names; others in it are words of the caller, such as the name of a header
 */
export function nameOptions(
  text: string,
  isEmbedded: boolean | undefined,
  names: readonly string[] = [...OPTIONS.keys()],
): string {
  if (!isEmbedded) return text;
  return text.replace(/\b([A-Z]+(?:_[A-Z]+)*)\b(?:=(\S+))?/g, (written, name: string, value?: string) => {
    const option = names.includes(name) ? OPTIONS.get(name) : undefined;
    if (option === undefined) return written;
    return value === undefined ? option : `${option}: ${JSON.stringify(value)}`;
  });
}

/** The error with options in its texts. */
export function nameOptionsOf(error: ProxyError, isEmbedded: boolean | undefined): ProxyError {
  const { code, message, cause, headers, setting, reason, names } = error;
  if (!isEmbedded || names.length === 0) return error;
  const name = (text: string | undefined) => text && nameOptions(text, true, names);
  return new ProxyError(code, nameOptions(message, true, names), {
    cause,
    headers,
    setting: name(setting),
    reason: name(reason),
  });
}

/**
 * Makes something from settings that are options.
 *
 * @throws {ConfigError} with options in its text
 */
export function withOptionNames<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(nameOptions(error.message, true)) : error;
  }
}
