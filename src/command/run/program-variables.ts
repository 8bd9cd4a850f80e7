/**
 * The environment of a program that must not hold the keys (rules 22.2, 22.4).
 * @module
 */

import { replaceKeyPaths } from "../../core/address/secret-runs.ts";
import { isSecretVariable } from "../../parts/capture/secret-names.ts";
import { TOKEN_PREFIX } from "../../parts/tokens/token.ts";
import type { Plan } from "./run-plan.ts";

/** Values that are secrets whatever their names: keys of well-known makers, private keys, credentials, passwords in addresses. */
const SECRET_VALUE =
  /\b(?:sk-|[sr]k_(?:live|test)_|whsec_|gh[oprsu]_|github_pat_|gl[a-z]{2,5}-|xox[a-z]-|xapp-|hf_|npm_|pypi-|gsk_|xai-|r8_|nvapi-|pplx-|tvly-|csk-|lsv2_|lin_api_|figd_|ntn_|shp[a-z]{2}_|dop_v1_|dckr_|pscale_|sb[ps]_|sb_secret_|sq[apu]_|NRAK-|PMAK-|AIza|AKIA|ASIA|LTAI|GOCSPX-|AGE-SECRET-KEY-|(?:SG|hvs|ya29)\.|eyJ)[\w-]{8,}|\b(?:key-|dapi)[\da-f]{32}|-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC) [\w.+/-]{8,}|\b(?:[Aa]uthorization|AUTHORIZATION)["']?\s*[=:]\s*["']?\w|:\/\/[^/\s:@]*:[^/\s@]+@|https?:\/\/[^/\s:@]{16,}@/;
/** Members of connection strings, queries and JSON: a name, and a value that is more than a word of a few letters. */
const MEMBER = /(?:^|[\s?&;:,{"'])([\w.-]+)["']?[=:](?=\s*["']?[^\s"'&;,]{6,})/g;
/** Paths of files have names of all kinds. */
const PATH = /^(?:[~.]?\/|[a-z]:[\\/]).*[\\/.]/i;
/** The least length of a run that may be random. */
const RUN = /[A-Za-z\d]{20,}/g;
/** Values that hold no secret. */
const OPEN_VALUE = /^(?:|true|false|yes|no|on|off|\d{1,6})$/i;
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
  if (OPEN_VALUE.test(value) || value.startsWith(TOKEN_PREFIX)) return false;
  return isSecretVariable(name) || SECRET_VALUE.test(value) || replaceKeyPaths(value, () => "") !== value ||
    [...value.matchAll(MEMBER)].some(([, member = ""]) =>
      /^(?:sig|pwd)$/i.test(member) || isSecretVariable(member)
    ) ||
    !PATH.test(value) && (value.match(RUN) ?? []).some(isRandom);
}

/** True for a run of capitals, small letters and digits that changes between these more often than words and numbers do. */
function isRandom(run: string): boolean {
  const kinds = run.replace(/[a-z]/g, "a").replace(/[A-Z]/g, "A").replace(/\d/g, "0");
  return new Set(kinds).size === 3 && (kinds.match(/(.)(?=.)(?!\1)/g)?.length ?? 0) >= 0.45 * run.length;
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
