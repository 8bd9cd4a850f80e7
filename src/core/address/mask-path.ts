/**
 * Masks what looks like a secret in a path, parameters by their names too.
 * @module
 */

import { isSecretParameter } from "./secret-names.ts";
import { replaceKeyPaths, replaceSecretRuns, replaceUserinfo, TOKENS } from "./secret-runs.ts";

/** What ends a parameter in a path, and what ends its name (RFC 3986 §3.3), also percent-encoded. */
const SEPARATOR = /([/;?&,]|%(?:25)*(?:2[cf6]|3[bf]))/i;
const SIGN = /=|%(?:25)*3d/i;
/** What stands in place of a secret. */
const MASK = "***";

/** The path, without query, with `***` in place of all that looks like a secret. */
export function maskPath(path: string): string {
  const hide = () => MASK;
  const open = replaceUserinfo(path, hide).replace(TOKENS, hide);
  const keyless = replaceKeyPaths(open, hide);
  const plain = SIGN.test(keyless) ? keyless.split(SEPARATOR).map(maskParameter).join("") : keyless;
  return replaceSecretRuns(plain, hide);
}

function maskParameter(part: string): string {
  const [sign] = SIGN.exec(part) ?? [];
  if (sign === undefined) return part;
  const start = part.slice(0, part.indexOf(sign));
  const name = start.replace(
    /%(?:25)*(2[de]|5f)/gi,
    (_, code: string) => String.fromCharCode(parseInt(code, 16)),
  );
  return isSecretParameter(name) && start + sign !== part ? start + sign + MASK : part;
}
