/**
 * Finds what a link should not carry unnoticed: names of fields and parameters that hold secrets.
 * @module
 */

const FIELD =
  /^(?:authorization|proxy-authorization|cookie|x-(?:api|auth|access|csrf)-?(?:key|token)|api-?key|.*(?:secret|password|token))$/i;
const PARAMETER =
  /^(?:.*(?:token|secret|passw(?:or)?d|signature)|(?:api|access|auth)[_-]?key|key|sig|auth|code)$/i;

/** True for the name of a field that holds a secret. */
export function isSecretField(name: string): boolean {
  return FIELD.test(name);
}

/** True for the name of a parameter or variable that holds a secret. */
export function isSecretParameter(name: string): boolean {
  return PARAMETER.test(name);
}

/** The secrets in an address: parameters by name, and the password. */
export function findAddressSecrets(address: string): string[] {
  const { password, searchParams } = new URL(address);
  const names = [...searchParams].filter(([name, value]) => value !== "" && isSecretParameter(name));
  return [...new Set([...(password ? ["a password"] : []), ...names.map(([name]) => name)])];
}

/** All secrets of a request, by name. */
export function findSecrets(
  { url, headers }: { url: string; headers: readonly (readonly [name: string, value: string])[] },
): string[] {
  const fields = headers.filter(([name, value]) => value !== "" && isSecretField(name));
  return [...new Set([...fields.map(([name]) => name.toLowerCase()), ...findAddressSecrets(url)])];
}

/** Says calmly what a link carries; `undefined` if it carries no secret. */
export function warnOf(secrets: readonly string[]): string | undefined {
  return secrets.length > 0 ? `Carries ${secrets.join(", ")}: whoever has the link has it too` : undefined;
}
