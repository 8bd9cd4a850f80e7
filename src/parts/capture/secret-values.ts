/**
 * The values that are secrets whatever their names: what the environment of a program must not hold (rule 22.4). What can stand
 * in a path is in `core/address/secret-runs.ts`.
 * @module
 */

import { replaceKeyPaths } from "../../core/address/secret-runs.ts";
import { isSecretVariable } from "../../core/address/secret-names.ts";

/** Keys of well-known makers, private keys, credentials, passwords in addresses. */
const SECRET_VALUE =
  /\b(?:sk-|[sr]k_(?:live|test)_|whsec_|gh[oprsu]_|github_pat_|gl[a-z]{2,5}-|xox[a-z]-|xapp-|hf_|npm_|pypi-|gsk_|xai-|r8_|nvapi-|pplx-|tvly-|csk-|lsv2_|lin_api_|figd_|ntn_|shp[a-z]{2}_|dop_v1_|dckr_|pscale_|sb[ps]_|sb_secret_|sq[apu]_|NRAK-|PMAK-|AIza|AKIA|ASIA|LTAI|GOCSPX-|AGE-SECRET-KEY-|AT[AC]TT3|CCIPAT_|sntry[su]_|rubygems_|nfp_|fm2_|fo1_|pcsk_|tskey-|(?:SG|hvs|ya29|atlasv1|dp\.[a-z]{2,5})\.|eyJ)[\w-]{8,}|\b(?:key-|dapi|SK|fc-)[\da-f]{32}|-----BEGIN [A-Z ]*PRIVATE KEY|\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC) [\w.+/-]{8,}|\b(?:[Aa]uthorization|AUTHORIZATION)["']?\s*[=:]\s*["']?\w|:\/\/[^/\s:@]*:[^/\s@]+@|https?:\/\/[^/\s:@]{16,}@/;
/** Members of connection strings, queries and JSON: a name, and a value that is more than a word of a few letters. */
const MEMBER = /(?:^|[\s?&;:,{"'])([\w.-]+)["']?[=:](?=\s*["']?[^\s"'&;,]{6,})/g;
/** Paths of files have names of all kinds. */
const PATH = /^(?:[~.]?\/|[a-z]:[\\/]).*[\\/.]/i;
/** The least length of a run that may be random. */
const RUN = /[A-Za-z\d]{20,}/g;
/** Values that hold no secret. */
const OPEN_VALUE = /^(?:|true|false|yes|no|on|off|\d{1,6})$/i;

/** True for a value that is no secret, whatever its name. */
export function isOpenValue(value: string): boolean {
  return OPEN_VALUE.test(value);
}

/** True for a value that is or holds a secret. */
export function isSecretValue(value: string): boolean {
  return SECRET_VALUE.test(value) || replaceKeyPaths(value, () => "") !== value ||
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
