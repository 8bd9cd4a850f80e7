/**
 * What `fetchvia run` makes of the keys in the environment: a table of targets, and what the program gets in place of them
 * (rules 22.1, 22.2).
 * @module
 */

import { Buffer } from "node:buffer";
import { portOf } from "../../core/address/address.ts";
import { encodeLabel } from "../../core/address/label.ts";
import { AT } from "../../core/address/reserved-paths.ts";
import { ConfigError } from "../../core/settings/config.ts";
import type { TargetTable } from "../../parts/gate/targets/table.ts";
import { TOKEN_PREFIX } from "../../parts/tokens/token.ts";
import { baseOf, type Preset, type Presets } from "./presets.ts";

/** What the proxy and the program are given. */
export interface Plan {
  /** Entries for `TARGETS`. */
  readonly table: Record<string, { set: Record<string, string> }>;
  /** By the variable that holds a key: the id of its token, and the targets that this is for. */
  readonly tokens: Map<string, { id: string; targets: string[] }>;
  /** By variable: the path on the proxy that stands for a base address. */
  readonly places: Map<string, string>;
  /** Where git clones and pushes: the address, the path that stands for it, and the variable of its key. */
  readonly git: { base: string; place: string; key: string }[];
  /** The presets in force: their names, origins, and keys by the names that the table has for them. */
  readonly presets: { name: string; origin: URL; key: string }[];
  /** Keys in another form, by the names that the table has for them. */
  readonly derived: Map<string, string>;
}

/** The variables from which SDKs of AWS read their keys. */
const AWS_KEYS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"];

/**
 * Plans for the presets whose key there is.
 *
 * @param environment the variables, without those that are handed on
 * @param readKey the value of a key that is set
 * @throws {ConfigError} if a required preset has no key, a base address is bad, or two keys are for one header of a host
 */
export function planRun(
  { rows, required }: Presets,
  environment: NodeJS.ProcessEnv,
  readKey: (name: string) => string,
): Plan {
  const plan: Plan = {
    table: Object.create(null) as Plan["table"],
    tokens: new Map(),
    places: new Map(),
    git: [],
    presets: [],
    derived: new Map(),
  };
  const isSet = (name: string) => isKey(environment[name]) || Boolean(environment[`${name}_FILE`]);
  for (const name of required) {
    const keys = rows.filter((preset) => preset.name === name).flatMap((preset) => preset.keys);
    if (keys.some(isSet)) continue;
    throw new ConfigError(`--preset ${name} has no key, expected it in ${[...new Set(keys)].join(" or ")}`);
  }
  for (const preset of rows) {
    const key = preset.keys.find(isSet);
    const others = preset.keys.filter((name) => name !== key && isKey(environment[name]));
    if (key) addPreset(plan, preset, [key, ...others], { environment, readKey });
  }
  return plan;
}

/**
 * Adds what a table of one's own is for. SDKs of AWS find the token and the address by themselves.
 *
 * @param pass variables that the program has as they are
 */
export function addTable(plan: Plan, { entries }: TargetTable, pass: ReadonlySet<string>): void {
  for (const { name, label, ownKeys, sign } of entries) {
    for (const variable of [...ownKeys.keys(), ...sign ? AWS_KEYS : []]) {
      const getsToken = /^\w+$/.test(variable) && !plan.derived.has(variable) && !pass.has(variable);
      if (getsToken) addToken(plan, variable, variable, name);
    }
    const stem = label && toStem(label[0]);
    if (stem) plan.places.set(sign ? `AWS_ENDPOINT_URL_${stem}` : `${stem}_BASE_URL`, `${AT}/${label[0]}`);
  }
}

/** Tells which entries of the whole table are in force for the host of a preset, and do not set its key. */
export function findReplaced({ presets }: Plan, table: TargetTable): string[] {
  const told = presets.flatMap(({ name, origin, key }) => {
    const entry = table.find(origin);
    return entry?.ownKeys.has(key) === false
      ? [
        `entry ${
          JSON.stringify(entry.name)
        } of --targets replaces the preset ${name}, without its {{${key}}}`,
      ]
      : [];
  });
  return [...new Set(told)];
}

/** True for a key, and not for a token of the run that this one is inside of. */
function isKey(value: string | undefined): boolean {
  return Boolean(value) && !value!.startsWith(TOKEN_PREFIX);
}

/** @param keys the variable that holds the key, and others that would be read in its place */
function addPreset(
  plan: Plan,
  preset: Preset,
  keys: readonly string[],
  { environment, readKey }: { environment: NodeJS.ProcessEnv; readKey: (name: string) => string },
): void {
  const { header, scheme, variables, gitUser } = preset;
  const { origin, path } = baseOf(preset, environment);
  const [key = ""] = keys;
  const place = `${AT}/${encodeLabel(origin)}${path}`;
  const name = gitUser === undefined ? key : `${key}_${scheme.toUpperCase()}`;
  const value = `${scheme} {{${name}}}`.trim();
  const { set } = plan.table[origin.host] ??= { set: Object.create(null) as Record<string, string> };
  if ((set[header] ?? value) !== value) {
    throw new ConfigError(
      `${key} is the second key for ${header} of ${origin.host}, expected one: --pass ${key} hands it on as it is`,
    );
  }
  set[header] = value;
  plan.presets.push({ name: preset.name, origin, key: name });
  for (const variable of keys) addToken(plan, variable, preset.name, `${origin.hostname}:${portOf(origin)}`);
  if (gitUser === undefined) return variables.forEach((variable) => plan.places.set(variable, place));
  plan.git.push({ base: origin.origin, place, key });
  plan.derived.set(name, Buffer.from(`${gitUser}:${readKey(key)}`).toString("base64"));
}

function addToken({ tokens }: Plan, key: string, id: string, target: string): void {
  const known = tokens.get(key);
  tokens.set(key, { id: known?.id ?? id, targets: [...new Set([...known?.targets ?? [], target])] });
}

/** A name as it stands in a variable. */
function toStem(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}
