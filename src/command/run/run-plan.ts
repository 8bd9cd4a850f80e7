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
import { isSecretName, isSecretVariable } from "../../core/address/secret-names.ts";
import { isOpenValue, isSecretValue } from "../../parts/capture/secret-values.ts";
import type { TargetTable } from "../../parts/gate/targets/table.ts";
import { TOKEN_PREFIX } from "../../parts/tokens/token.ts";
import type { Preset } from "./presets.ts";

/** A preset whose key there is: in `keys`, the variables that have one. */
export type PresetUse = ReturnType<typeof usePresets>[number];

/**
 * A target (as in the claims of tokens) of which the program gets the address, `place` on the proxy, and tokens in place of keys.
 * Where git clones, it gets the address in place of `cloned`.
 */
export type Use = Pick<PresetUse, "target" | "keys" | "variables" | "place" | "cloned">;

const AWS_KEYS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];

/**
 * Finds the presets whose key there is; a token of the run that this one is inside of is none.
 *
 * @param environment the variables, without those that are handed on
 * @throws {ConfigError} if a preset that was asked for has no key, or a base address is bad
 */
export function usePresets(presets: readonly Preset[], environment: NodeJS.ProcessEnv) {
  // A variable may have a name that every object has.
  const valueOf = (name: string) => Object.hasOwn(environment, name) && environment[name] || "";
  const isKey = (value: string) => value !== "" && !value.startsWith(TOKEN_PREFIX);
  const uses = presets.flatMap((preset) => {
    const keys = preset.keys.filter((name) => isKey(valueOf(name)) || valueOf(`${name}_FILE`));
    const [key] = keys;
    if (key === undefined) return [];
    const { origin, place } = readBase(preset, valueOf);
    const target = `${origin.hostname}:${portOf(origin)}`;
    // The name that the table has for the key; for git, that of its credentials.
    const keyName = preset.isGit ? `${key}_BASIC` : key;
    const [variables, cloned] = preset.isGit ? [[], origin.origin] : [preset.variables];
    return [{ ...preset, keys, variables, origin, place, target, keyName, cloned }];
  });
  const { name } = presets.find((one) => one.isAsked && !uses.some((use) => use.name === one.name)) ?? {};
  if (name === undefined) return uses;
  const keys = new Set(presets.flatMap((preset) => preset.name === name ? preset.keys : []));
  throw new ConfigError(`--preset ${name} has no key, expected it in ${[...keys].join(" or ")}`);
}

/** Reads the base address of a preset: that of its variable in the environment, else its own. Keys go to it (rule 9.2). */
function readBase({ name, base, variables }: Preset, valueOf: (name: string) => string) {
  const source = variables.find(valueOf);
  const text = source ? valueOf(source) : base;
  const fault = (what: string) => new ConfigError(`${source ?? `--preset ${name}`} ${what}`);
  const { origin, path } = decodeBase(text) ?? {};
  if (!origin) throw fault(`${findBaseFault(text)}, expected a base such as https://example.com/v1`);
  if (origin.protocol !== "https:" && !isLoopbackHost(origin.hostname)) {
    throw fault("is plain http, expected https: a key goes over https or to this machine");
  }
  try {
    return { origin, place: `${AT}/${encodeLabel(origin)}${path}` };
  } catch {
    throw fault("has a host that fits no label, expected a name of letters, digits and hyphens, or IPv4");
  }
}

/** Makes the entries for `TARGETS`. Throws a `ConfigError` if two keys are for one header of a host. */
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

/** What a table of one's own is for; names in `without` get no token. SDKs of AWS find tokens and address by themselves. */
export function useTable({ entries }: TargetTable, without: ReadonlySet<string>): Use[] {
  return entries.map(({ name, label, ownKeys, sign }) => {
    const stem = label?.[0].toUpperCase().replace(/[^A-Z0-9]+/g, "_");
    const keys = [...ownKeys.keys(), ...sign ? AWS_KEYS : []];
    return {
      target: name,
      keys: keys.filter((variable) => /^\w+$/.test(variable) && !without.has(variable)),
      variables: stem ? [sign ? `AWS_ENDPOINT_URL_${stem}` : `${stem}_BASE_URL`] : [],
      place: `${AT}/${label?.[0]}`,
      cloned: undefined,
    };
  });
}

/** The values of all keys of a table, those that stand in it as they are too. */
export function listKeyValues({ keys, entries }: TargetTable): string[] {
  const fields = entries.flatMap(({ set, setQuery }) => [...set, ...setQuery]);
  const secrets = fields.filter(({ name, value }) => isSecretName(name) || isSecretValue(value));
  return [...keys.values(), ...secrets.map(({ value }) => value)];
}

/** Tells which entries of the whole table are in force for the host of a preset, and do not set its key. */
export function findReplaced(uses: readonly PresetUse[], table: TargetTable): string[] {
  const told = uses.flatMap(({ name, origin, keyName }) => {
    const entry = table.find(origin);
    const replaced = entry?.ownKeys.has(keyName) === false ? [JSON.stringify(entry.name)] : [];
    return replaced.map((own) =>
      `entry ${own} of --targets replaces the preset ${name}, without its {{${keyName}}}`
    );
  });
  return [...new Set(told)];
}

/** What a program is given: names that it gets as they are, tokens by the variables of keys, and the proxy's address. */
interface Given {
  readonly uses: readonly Use[];
  /** The values of the proxy's keys. */
  readonly keys: readonly string[];
  readonly pass: ReadonlySet<string>;
  readonly tokens: ReadonlyMap<string, string>;
  readonly origin: string;
}

/** Makes the environment of the program; `withheld` names the secrets that are neither keys of the proxy nor passed. */
export function handOn(environment: NodeJS.ProcessEnv, { uses, keys, pass, tokens, origin }: Given) {
  const handed: Record<string, string> = Object.create(null);
  const withheld: string[] = [];
  for (const [name, value = ""] of Object.entries(environment)) {
    if (tokens.has(name) || tokens.has(name.replace(/_FILE$/, ""))) continue;
    const isOpen = isOpenValue(value) || value.startsWith(TOKEN_PREFIX);
    const isSecret = !isOpen && (isSecretVariable(name) || isSecretValue(value));
    const isWithheld = !pass.has(name) && (isSecret || holdsKey(value, keys));
    if (isWithheld) withheld.push(name);
    else handed[name] = value;
    // git stops where a key has no value.
    if (isWithheld && /^GIT_CONFIG_VALUE_\d+$/.test(name)) handed[name] = "";
  }
  for (const { place, variables, cloned, keys: [key = ""] } of uses) {
    const base = origin + place;
    for (const variable of variables) handed[variable] = base;
    if (cloned === undefined) continue;
    // Two settings for each git that the program starts, behind those that there are.
    const count = Number(handed["GIT_CONFIG_COUNT"] ?? 0);
    Object.assign(handed, {
      GIT_CONFIG_COUNT: `${count + 2}`,
      [`GIT_CONFIG_KEY_${count}`]: `url.${base}/.insteadOf`,
      [`GIT_CONFIG_VALUE_${count}`]: `${cloned}/`,
      [`GIT_CONFIG_KEY_${count + 1}`]: `http.${base}/.extraHeader`,
      [`GIT_CONFIG_VALUE_${count + 1}`]: `Authorization: Bearer ${tokens.get(key)}`,
    });
  }
  Object.assign(handed, Object.fromEntries(tokens));
  // A program with a proxy of its own for `http:` must still come here directly.
  if (Object.keys(handed).some((name) => /^(?:https?|all)_proxy$/i.test(name))) {
    const direct = handed["no_proxy"] ?? handed["NO_PROXY"];
    handed["NO_PROXY"] = handed["no_proxy"] = direct ? `${direct},127.0.0.1` : "127.0.0.1";
  }
  return { handed, withheld };
}

/** True for a value that is, or holds, one of these keys; one of less than eight characters is looked for as a whole value. */
export function holdsKey(value: string, keys: readonly string[]): boolean {
  return keys.some((key) => key.length < 8 ? value === key : value.includes(key));
}
