/**
 * The environment of a program that must not hold the keys (rules 22.2, 22.4).
 * @module
 */

import { isSecretVariable } from "../../parts/capture/secret-names.ts";
import { isOpenValue, isSecretValue } from "../../parts/capture/secret-values.ts";
import { TOKEN_PREFIX } from "../../parts/tokens/token.ts";
import type { Plan } from "./run-plan.ts";

/** A shorter key is looked for as a whole value only. */
const LEAST_FOUND = 8;

/** The environment, and the names of what is not in it. */
export interface Handed {
  readonly environment: Record<string, string>;
  /** Secrets that are neither keys of the proxy nor passed. */
  readonly withheld: string[];
}

/** What there is to hand on. */
export interface Given {
  readonly plan: Plan;
  /** The values of the proxy's keys. */
  readonly keys: readonly string[];
  /** Names that are handed on as they are. */
  readonly pass: ReadonlySet<string>;
  /** By the variable that holds a key: the token in its place. */
  readonly tokens: ReadonlyMap<string, string>;
  /** The proxy's own address. */
  readonly origin: string;
}

/** Makes the environment of the program. */
export function handOn(environment: NodeJS.ProcessEnv, given: Given): Handed {
  const { plan: { places, git }, pass, keys, tokens, origin } = given;
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
  for (const [variable, place] of places) handed[variable] = origin + place;
  const settings = git.flatMap(({ base, place, key }) => [
    [`url.${origin}${place}/.insteadOf`, `${base}/`],
    [`http.${origin}${place}/.extraHeader`, `Authorization: Bearer ${tokens.get(key)}`],
  ]);
  return {
    environment: {
      ...handed,
      ...Object.fromEntries(tokens),
      ...configureGit(settings, handed),
      ...reach(handed),
    },
    withheld,
  };
}

/** True for a value that is, or holds, one of these keys. */
export function holdsKey(value: string, keys: readonly string[]): boolean {
  return keys.some((key) => key.length < LEAST_FOUND ? value === key : value.includes(key));
}

function isSecret(name: string, value: string): boolean {
  if (isOpenValue(value) || value.startsWith(TOKEN_PREFIX)) return false;
  return isSecretVariable(name) || isSecretValue(value);
}

/** Settings of git for all that the program starts, behind those that there are. */
function configureGit(
  settings: readonly string[][],
  environment: Record<string, string>,
): Record<string, string> {
  const first = Number(environment["GIT_CONFIG_COUNT"] ?? 0);
  const pairs = settings.flatMap(([key = "", value = ""], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return pairs.length > 0
    ? { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(first + settings.length) }
    : {};
}

/** A program with a proxy of its own for `http:` must still come here directly. */
function reach(environment: Record<string, string>): Record<string, string> {
  const names = Object.keys(environment);
  if (!names.some((name) => /^(?:https?|all)_proxy$/i.test(name))) return {};
  const direct = environment["no_proxy"] ?? environment["NO_PROXY"];
  const value = direct ? `${direct},127.0.0.1` : "127.0.0.1";
  return { NO_PROXY: value, no_proxy: value };
}
