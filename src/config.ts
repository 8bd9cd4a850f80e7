/**
 * Reads the settings: from the environment and flags, or from options in code.
 * @module
 */

import type { Config } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

export type { Config };

/** The name of an option. */
export type SettingName = keyof Config;

/** What a setting may be given as in code: its text, or the plain value that the text stands for. */
export type OptionValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** The options of `createProxy`: any settings; the others keep their defaults. */
export type Options = { readonly [K in SettingName]?: OptionValue };

/** A setting that can't be used; its message is one line that names the setting, the value and what was expected. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** The setting as an environment variable: `proxyDomain` → `PROXY_DOMAIN`. */
export function environmentName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The setting as a flag, without dashes: `proxyDomain` → `proxy-domain`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/**
 * Reads options given in code.
 * @throws {ConfigError} when an option is unknown or its value is bad
 */
export function readOptions(options: Options): Config {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(SETTINGS, name)) {
      throw new ConfigError(`Cannot use option ${name}: it is unknown, expected ${names()}`);
    }
  }
  return build((name) => {
    const value = options[name];
    return value === undefined ? undefined : { text: writeOption(value), source: name };
  });
}

/**
 * Reads the environment and the flags; a flag wins, and an empty variable counts as not set.
 * @throws {ConfigError} when a value is bad
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | undefined>> = {},
): Config {
  return build((name) => {
    const flag = flags[flagName(name)];
    if (flag !== undefined) return { text: flag, source: `--${flagName(name)}` };
    const variable = environmentName(name);
    const text = environment[variable];
    return text ? { text, source: variable } : undefined;
  });
}

function build(read: (name: SettingName) => { text: string; source: string } | undefined): Config {
  const entries = Object.entries(SETTINGS).map(
    ([name, { fallback, expected, isVerbatim, isSecret, parse }]) => {
      const given = read(name as SettingName);
      if (!given) return [name, fallback];
      const value = parse(isVerbatim ? given.text : given.text.trim());
      if (value === undefined) {
        const shown = isSecret ? "a secret that can't be used" : JSON.stringify(given.text);
        throw new ConfigError(`${given.source} is ${shown}, expected ${expected}`);
      }
      return [name, value];
    },
  );
  return Object.freeze(Object.fromEntries(entries)) as Config;
}

function writeOption(value: OptionValue): string {
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.join(",");
  return Object.entries(value).map(([key, text]) => `${key}=${text}`).join(",");
}

function names(): string {
  return `one of ${Object.keys(SETTINGS).join(", ")}`;
}
