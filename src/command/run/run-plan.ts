/**
 * What `fetchvia run` makes of the keys in the environment: entries of the table of targets, and what the program has in
 * place of the keys (rules 22.1 to 22.4).
 * @module
 */

import { decodeBase, portOf } from "../../core/address/address.ts";
import { findBaseFault } from "../../core/address/fault.ts";
import { isLoopbackHost } from "../../core/address/ip.ts";
import { encodeLabel } from "../../core/address/label.ts";
import { AT } from "../../core/address/reserved-paths.ts";
import { ConfigError } from "../../core/settings/config.ts";
import { isSecretVariable } from "../../parts/capture/secret-names.ts";
import { isOpenValue, isSecretValue } from "../../parts/capture/secret-values.ts";
import type { TargetTable } from "../../parts/gate/targets/table.ts";
import { TOKEN_PREFIX } from "../../parts/tokens/token.ts";
import type { Preset } from "./presets.ts";

/** A target of which the program gets tokens and the address. */
export interface Use {
  /** As in the claims of tokens. */
  readonly target: string;
  /** Variables of keys, which get tokens. */
  readonly keys: readonly string[];
  /** Variables that get the base address: this path on the proxy. */
  readonly variables: readonly string[];
  readonly place: string;
}

/** A preset whose key there is: the first one of `keys`. */
export interface PresetUse extends Preset, Use {
  readonly origin: URL;
  /** The name that the table has for the key; for git, that of its credentials. */
  readonly keyName: string;
}

/** The variables from which SDKs of AWS read their keys. */
const AWS_KEYS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];
/** A shorter key is looked for as a whole value only. */
const LEAST_FOUND = 8;

/**
 * Finds the presets whose key there is; a token of the run that this one is inside of is none.
 *
 * @param environment the variables, without those that are handed on
 * @throws {ConfigError} if a preset that was asked for has no key, or a base address is bad
 */
export function usePresets(presets: readonly Preset[], environment: NodeJS.ProcessEnv): PresetUse[] {
  const isKey = (value = "") => value !== "" && !value.startsWith(TOKEN_PREFIX);
  const uses = presets.flatMap((preset) => {
    const keys = preset.keys.filter((name) => isKey(environment[name]) || environment[`${name}_FILE`]);
    const [key] = keys;
    if (key === undefined) return [];
    const { origin, path } = readBase(preset, environment);
    const place = `${AT}/${encodeLabel(origin)}${path}`;
    const target = `${origin.hostname}:${portOf(origin)}`;
    return [{ ...preset, keys, origin, place, target, keyName: preset.isGit ? `${key}_BASIC` : key }];
  });
  const { name } = presets.find((one) => one.isAsked && !uses.some((use) => use.name === one.name)) ?? {};
  if (name === undefined) return uses;
  const keys = new Set(presets.flatMap((preset) => preset.name === name ? preset.keys : []));
  throw new ConfigError(`--preset ${name} has no key, expected it in ${[...keys].join(" or ")}`);
}

/** The base address of a preset: that of its variable in the environment, else its own. Keys go to it (rule 9.2). */
function readBase({ name, base, variables }: Preset, environment: NodeJS.ProcessEnv) {
  const source = variables.find((variable) => environment[variable]);
  const text = source ? environment[source]! : base;
  const read = decodeBase(text);
  if (read && (read.origin.protocol === "https:" || isLoopbackHost(read.origin.hostname))) return read;
  const fault = read
    ? "is plain http, expected https: a key goes over https or to this machine"
    : `${findBaseFault(text)}, expected a base such as https://example.com/v1`;
  throw new ConfigError(`${source ?? `--preset ${name}`} ${fault}`);
}

/**
 * Makes the entries for `TARGETS`.
 *
 * @throws {ConfigError} if two keys are for one header of a host
 */
export function makeEntries(uses: readonly PresetUse[]): Record<string, { set: Record<string, string> }> {
  const entries: ReturnType<typeof makeEntries> = Object.create(null);
  for (const { keys: [key], keyName, header, scheme, origin: { host } } of uses) {
    const { set } = entries[host] ??= { set: Object.create(null) };
    const value = `${scheme} {{${keyName}}}`.trim();
    if ((set[header] ??= value) === value) continue;
    const expected = `expected one: --pass ${key} hands it on as it is`;
    throw new ConfigError(`${key} is the second key for ${header} of ${host}, ${expected}`);
  }
  return entries;
}

/**
 * What a table of one's own is for. SDKs of AWS find tokens and address by themselves.
 *
 * @param without names that get no token
 */
export function useTable({ entries }: TargetTable, without: ReadonlySet<string>): Use[] {
  return entries.map(({ name, label, ownKeys, sign }) => {
    const stem = label?.[0].toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    const keys = [...ownKeys.keys(), ...sign ? AWS_KEYS : []];
    return {
      target: name,
      keys: keys.filter((variable) => /^\w+$/.test(variable) && !without.has(variable)),
      variables: stem ? [sign ? `AWS_ENDPOINT_URL_${stem}` : `${stem}_BASE_URL`] : [],
      place: `${AT}/${label?.[0]}`,
    };
  });
}

/** Tells which entries of the whole table are in force for the host of a preset, and do not set its key. */
export function findReplaced(uses: readonly PresetUse[], table: TargetTable): string[] {
  const told = uses.flatMap(({ name, origin, keyName }) => {
    const entry = table.find(origin);
    const replaces = `entry ${JSON.stringify(entry?.name)} of --targets replaces the preset ${name}`;
    return entry?.ownKeys.has(keyName) === false ? [`${replaces}, without its {{${keyName}}}`] : [];
  });
  return [...new Set(told)];
}

/** What becomes of an environment. */
interface Given {
  readonly uses: readonly (Use | PresetUse)[];
  /** The values of the proxy's keys. */
  readonly keys: readonly string[];
  /** Names that are handed on as they are. */
  readonly pass: ReadonlySet<string>;
  /** By the variable that holds a key: the token in its place. */
  readonly tokens: ReadonlyMap<string, string>;
  /** The proxy's own address. */
  readonly origin: string;
}

/** Makes the environment of the program; `withheld` names the secrets that are neither keys of the proxy nor passed. */
export function handOn(environment: NodeJS.ProcessEnv, { uses, keys, pass, tokens, origin }: Given) {
  const handed: Record<string, string> = {};
  const withheld: string[] = [];
  for (const [name, value = ""] of Object.entries(environment)) {
    if (tokens.has(name) || tokens.has(name.replace(/_FILE$/, ""))) continue;
    const isWithheld = !pass.has(name) && (isSecret(name, value) || holdsKey(value, keys));
    if (isWithheld) withheld.push(name);
    else handed[name] = value;
    // git stops where a key has no value.
    if (isWithheld && /^GIT_CONFIG_VALUE_\d+$/.test(name)) handed[name] = "";
  }
  for (const use of uses) {
    const base = origin + use.place;
    if ("isGit" in use && use.isGit) {
      addGitSetting(handed, `url.${base}/.insteadOf`, `${use.origin.origin}/`);
      addGitSetting(handed, `http.${base}/.extraHeader`, `Authorization: Bearer ${tokens.get(use.keys[0]!)}`);
    } else for (const variable of use.variables) handed[variable] = base;
  }
  for (const [variable, token] of tokens) handed[variable] = token;
  // A program with a proxy of its own for `http:` must still come here directly.
  if (Object.keys(handed).some((name) => /^(?:https?|all)_proxy$/i.test(name))) {
    const direct = handed["no_proxy"] ?? handed["NO_PROXY"];
    handed["NO_PROXY"] = handed["no_proxy"] = direct ? `${direct},127.0.0.1` : "127.0.0.1";
  }
  return { handed, withheld };
}

/** True for a value that is, or holds, one of these keys. */
export function holdsKey(value: string, keys: readonly string[]): boolean {
  return keys.some((key) => key.length < LEAST_FOUND ? value === key : value.includes(key));
}

function isSecret(name: string, value: string): boolean {
  const isOpen = isOpenValue(value) || value.startsWith(TOKEN_PREFIX);
  return !isOpen && (isSecretVariable(name) || isSecretValue(value));
}

/** Adds a setting for each git that the program starts, behind those that there are. */
function addGitSetting(environment: Record<string, string>, key: string, value: string): void {
  const count = Number(environment["GIT_CONFIG_COUNT"] ?? 0);
  environment[`GIT_CONFIG_KEY_${count}`] = key;
  environment[`GIT_CONFIG_VALUE_${count}`] = value;
  environment["GIT_CONFIG_COUNT"] = String(count + 1);
}
