/**
 * `Content-Security-Policy`.
 * @module
 */

const UPGRADE = /^\s*upgrade-insecure-requests(?:\s|$)/i;

/**
 * The policies without `upgrade-insecure-requests` (W3C Upgrade Insecure Requests §3.1), which makes a browser use https
 * where only http is served; `undefined` if nothing else is left.
 */
export function withoutUpgrade(value: string): string | undefined {
  const policies = value.split(",").map((policy) => {
    const directives = policy.split(";");
    const kept = directives.filter((directive) => !UPGRADE.test(directive));
    return kept.length === directives.length ? policy : kept.join(";");
  });
  const kept = policies.filter((policy) => /[^\s;]/.test(policy));
  return kept.length > 0 ? kept.join(",").trim() : undefined;
}
