/**
 * Reads the settings from the environment and flags, or from options in code.
 * @module
 */

import { readEnvironmentProxies } from "./environment-proxies.ts";
import { nameKnown } from "./nearest.ts";
import { describeValue, isRecord, type OptionValue, readScalar, readValue } from "./option-values.ts";
import type { Options } from "./options.ts";
import type { Config, Setting } from "./setting.ts";
import { BY_ENVIRONMENT, SETTINGS } from "./settings.ts";
import { revokedFileOf } from "./values.ts";

export type { Config, Options, OptionValue };

/** The name of an option. */
export type SettingName = keyof Config;

/**
 * A setting that can't be used. Its message is one line with the setting, the value and what was expected. Values of
 * secrets are not shown.
 *
 * @example
 * ```ts
 * try {
 *   createProxy({ maxRedirects: -1 });
 * } catch (error) {
 *   if (error instanceof ConfigError) console.error(error.message); // maxRedirects is -1, expected a whole number …
 * }
 * ```
 */
export class ConfigError extends Error {
  /** Identifies the class if `instanceof` can't. */
  override name = "ConfigError";

  /** Makes the error. What `message`, one line, quotes is shown in part if it is long, and not at all if it is a secret. */
  constructor(message: string) {
    super(message.replace(QUOTED, showQuoted));
  }
}

/** JSON strings, linear in the text. */
const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*"?/g;
/** In characters. */
const MAX_SHOWN = 300;

function showQuoted(text: string): string {
  if (/PRIVATE KEY-----|\bfv1\./.test(text)) return '"***"';
  const shown = text.split(",").map(hidePassword).join(",");
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…"` : shown;
}

/** One address without its userinfo, which may have a slash in it. */
function hidePassword(text: string): string {
  const [start, end] = [text.indexOf("://") + 3, text.lastIndexOf("@")];
  const isOpen = start > 2 && end > start && text[start] !== "*";
  return isOpen ? `${text.slice(0, start)}***${text.slice(end)}` : text;
}

/** The setting as an environment variable: `proxyDomain` → `PROXY_DOMAIN`. */
export function environmentName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The setting as a flag, without dashes: `proxyDomain` → `proxy-domain`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** Settings that are no options: in code another server listens, logs, and shares what it counts. */
const SERVER_SETTINGS: readonly SettingName[] = [
  "host",
  "port",
  "workers",
  "log",
  "tlsCert",
  "tlsKey",
  "rateLimitStore",
];

/** True for a setting that is an option too. */
export function isOption(name: string): name is keyof Options {
  return Object.hasOwn(SETTINGS, name) && !(SERVER_SETTINGS as readonly string[]).includes(name);
}

/**
 * Reads options given in code.
 * @param more names of options that the caller reads itself, for messages; none by default
 * @throws {ConfigError} if an option is unknown, or its value is bad or has the wrong type (such as `null`)
 */
export function readOptions(options: Options, more: readonly string[] = []): Config {
  if (!isRecord(options)) {
    const kind = Object.prototype.toString.call(options);
    throw new ConfigError(`Cannot use options: they are ${kind}, expected a plain object`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!isOption(name) && value !== undefined) throw refuseOption(name, more);
  }
  const config = build(
    (name) => ({ value: isOption(name) ? options[name] : undefined, source: name }),
    readValue,
  );
  if (config.upstreamProxy === BY_ENVIRONMENT) {
    throw new ConfigError(
      "upstreamProxy is env, expected an address here. Pass readConfig(process.env) to createConfiguredProxy instead",
    );
  }
  return config;
}

function refuseOption(name: string, more: readonly string[]): ConfigError {
  // A mounted proxy, the one with more options, takes no store.
  const instead = more.length === 0 ? "a rateStore in its place" : "none here";
  const expected = name === "rateLimitStore" ? instead : "it in the options of that server";
  const fault = Object.hasOwn(SETTINGS, name)
    ? `it has no effect in another server, expected ${expected}`
    : `it is unknown, expected ${nameKnown(name, [...more, ...Object.keys(SETTINGS).filter(isOption)])}`;
  return new ConfigError(`Cannot use option ${name}: ${fault}`);
}

/**
 * Reads the environment and the flags; a flag wins, and an empty variable counts as not set.
 * @param environment variables, or a platform's bindings, which may be numbers or booleans. Only names of settings are
 * read
 * @param flags by name, without dashes: `{ "proxy-domain": "proxy.example.com" }`; none by default
 * @returns every setting, with defaults for those that are not set
 * @throws {ConfigError} when a value is bad
 * @example
 * ```ts
 * const { port } = readConfig({ PORT: "8081" });
 * ```
 */
export function readConfig(
  environment: Readonly<Record<string, unknown>>,
  flags: Readonly<Record<string, string | undefined>> = {},
): Config {
  const config = build((name) => {
    const flag = flags[flagName(name)];
    if (flag !== undefined) return { value: checkFlag(name, flag), source: `--${flagName(name)}` };
    const variable = environmentName(name);
    const value = environment[variable];
    // Some platforms use `null` for a variable that is not set.
    return { value: value === "" || value === null ? undefined : value, source: variable };
  }, readScalar);
  return config.upstreamProxy === BY_ENVIRONMENT ? readProxies(config, environment) : config;
}

function checkFlag(name: SettingName, flag: string): string {
  if (!SETTINGS[name].isTelling?.(flag)) return flag;
  throw new ConfigError(
    `--${flagName(name)} has a password, which everyone on this machine can read in a flag, ` +
      `expected it in the variable ${environmentName(name)}`,
  );
}

/** Puts the proxies of the environment in place of `UPSTREAM_PROXY=env`. */
function readProxies(config: Config, environment: Readonly<Record<string, unknown>>): Config {
  const { routes: upstreamProxy, direct } = readEnvironmentProxies(environment, (variable, expected) => {
    throw new ConfigError(`${variable} can't be used for UPSTREAM_PROXY=env, expected ${expected}`);
  });
  return Object.freeze({ ...config, upstreamProxy, noUpstream: [...config.noUpstream, ...direct] });
}

/** The raw value of a setting (`undefined` if not set), and its name at the source. */
interface Given {
  value: unknown;
  source: string;
}

function build(find: (name: SettingName) => Given, read: typeof readScalar): Config {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const { value, source } = find(name as SettingName);
    if (value === undefined) return [name, setting.fallback];
    const parsed = read(setting as Setting<unknown>, value);
    if (parsed === undefined) {
      const shown = describeValue(value, setting.isSecret);
      const fault = typeof value === "string"
        ? (setting as Setting<unknown>).findFault?.(value.trim())
        : undefined;
      throw new ConfigError(
        `${source} is ${shown}, ${fault ? `which ${fault}, ` : ""}expected ${setting.expected}`,
      );
    }
    return [name, parsed];
  });
  return Object.freeze(Object.fromEntries(entries)) as Config;
}

/**
 * The settings alone, which never change while the proxy runs.
 *
 * @throws {ConfigError} as `readRevoked`, and for a table of targets, which nothing would apply
 */
export function fixSettings(config: Config) {
  if (config.targets !== undefined) {
    throw new ConfigError("TARGETS is set, expected a part that applies the table of targets");
  }
  return { config, revoked: readRevoked(config), version: 0 };
}

/**
 * The ids of revoked tokens.
 *
 * @throws {ConfigError} for the name of a file, because files can't be read here
 */
export function readRevoked({ revokedTokens }: Config): ReadonlySet<string> {
  const file = revokedTokens.find((entry) => revokedFileOf(entry) !== undefined);
  if (file === undefined) return new Set(revokedTokens);
  throw new ConfigError(
    `REVOKED_TOKENS names ${JSON.stringify(file)}, expected ids: files can't be read here`,
  );
}
