/**
 * The settings: one table that feeds the environment, the flags, the options of `createProxy` and the README.
 * @module
 */

import { type Address, decodeBase } from "./address.ts";

/** One setting: how its text is read, and what a reader of the README must know of it. */
export interface Setting<T> {
  /** The value where nothing is set. */
  fallback: T;
  /** What the value is counted in, or its kind. */
  unit: string;
  /** What it does. */
  effect: string;
  /** What may go wrong by it. */
  risk?: string;
  /** The rest of the sentence "PORT is …, expected". */
  expected: string;
  /** Reads the text of a value; `undefined` when it is bad. */
  parse(text: string): T | undefined;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?)+$/;

const setting = <T>(value: Setting<T>): Setting<T> => value;

/** Every setting by its option name; `proxyDomain` is `PROXY_DOMAIN` and `--proxy-domain`. */
export const SETTINGS = {
  host: setting<string>({
    fallback: "127.0.0.1",
    unit: "address",
    effect: "The address that the proxy listens on.",
    risk: "Anything but a loopback address opens the proxy to others.",
    expected: "a host name or IP address",
    parse: (text) => (/^[^\s/]+$/.test(text) ? text.replace(/^\[(.*)\]$/, "$1") : undefined),
  }),
  port: setting<number>({
    fallback: 8080,
    unit: "port",
    effect: "The port that the proxy listens on; 0 takes a free one.",
    expected: "a whole number from 0 to 65535",
    parse: (text) => parseInteger(text, 0, 65535),
  }),
  proxyDomain: setting<string>({
    fallback: "localhost",
    unit: "domain",
    effect: "`<label>.w.<domain>` in Host names a target.",
    expected: "a domain name such as proxy.example.com",
    parse: (text) => (DOMAIN.test(text.toLowerCase()) ? text.toLowerCase().replace(/\.$/, "") : undefined),
  }),
  proxyLabels: setting<ReadonlyMap<string, Address>>({
    fallback: new Map(),
    unit: "label=base,…",
    effect: "Labels of your own, before the ones that spell a host.",
    expected: "a list such as api=https://api.example.com,docs=https://docs.example.com/v1",
    parse: parseLabels,
  }),
  timeoutMs: setting<number>({
    fallback: 30_000,
    unit: "ms",
    effect: "How long a target may take until its response headers are here; 0 waits for ever.",
    expected: "a whole number of milliseconds, 0 or more",
    parse: (text) => parseInteger(text, 0, 2_147_483_647),
  }),
  idleTimeoutMs: setting<number>({
    fallback: 300_000,
    unit: "ms",
    effect:
      "How long a body may pause between two chunks; 0 for ever. Event streams and WebSockets may pause.",
    expected: "a whole number of milliseconds, 0 or more",
    parse: (text) => parseInteger(text, 0, 2_147_483_647),
  }),
  maxRequestBytes: setting<number>({
    fallback: 0,
    unit: "bytes",
    effect: "How large a request body may be; larger ones are a 413. 0 sets no limit.",
    expected: "a whole number of bytes, 0 or more",
    parse: (text) => parseInteger(text, 0, Number.MAX_SAFE_INTEGER),
  }),
  maxResponseBytes: setting<number>({
    fallback: 0,
    unit: "bytes",
    effect: "How large an answer may be: announced larger is a 502, growing past it is cut. 0 sets no limit.",
    expected: "a whole number of bytes, 0 or more",
    parse: (text) => parseInteger(text, 0, Number.MAX_SAFE_INTEGER),
  }),
  maxRedirects: setting<number>({
    fallback: 20,
    unit: "hops",
    effect: "How many redirects are followed for `arg` and `url`; more are a 502.",
    expected: "a whole number from 0 to 100",
    parse: (text) => parseInteger(text, 0, 100),
  }),
  forwardClient: setting<boolean>({
    fallback: false,
    unit: "true/false",
    effect: "Tells targets who called: `Forwarded` and `X-Forwarded-For/-Proto/-Host`, made of facts.",
    risk: "Targets learn the addresses of your callers.",
    expected: "true or false",
    parse: parseBoolean,
  }),
  via: setting<string>({
    fallback: "",
    unit: "pseudonym",
    effect: "Adds `Via: 1.1 <pseudonym>` to requests and answers.",
    risk: "A stock nginx target stops compressing when it sees `Via`.",
    expected: "a name of letters, digits, dots, hyphens and underscores",
    parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
  }),
  console: setting<boolean>({
    fallback: true,
    unit: "true/false",
    effect: "Shows browsers a page at `/__proxy__/`.",
    expected: "true or false",
    parse: parseBoolean,
  }),
};

/** The name of an option. */
export type SettingName = keyof typeof SETTINGS;

/** All settings, read and checked. */
export type Config = { readonly [K in SettingName]: (typeof SETTINGS)[K]["fallback"] };

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
    if (!(name in SETTINGS)) {
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
  const entries = Object.entries(SETTINGS).map(([name, { fallback, expected, parse }]) => {
    const given = read(name as SettingName);
    if (!given) return [name, fallback];
    const value = parse(given.text.trim());
    if (value === undefined) {
      throw new ConfigError(`${given.source} is ${JSON.stringify(given.text)}, expected ${expected}`);
    }
    return [name, value];
  });
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

function parseInteger(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  return { true: true, false: false, 1: true, 0: false }[text.toLowerCase()];
}

function parseLabels(text: string): ReadonlyMap<string, Address> | undefined {
  const labels = new Map<string, Address>();
  for (const entry of text.split(",").map((part) => part.trim()).filter(Boolean)) {
    const cut = entry.indexOf("=");
    const label = entry.slice(0, Math.max(cut, 0)).toLowerCase();
    const base = decodeBase(entry.slice(cut + 1));
    if (!LABEL.test(label) || !base || labels.has(label)) return undefined;
    labels.set(label, base);
  }
  return labels;
}
