/**
 * Explains why the proxy can't start.
 * @module
 */

import { type Config, ConfigError, environmentName } from "../../core/settings/config.ts";

/**
 * Errors of an unusable address or an unresolvable name: codes of all three runtimes, and messages of Deno (2.9), which
 * lacks some codes.
 */
const ADDRESS_CODE = /^(?:EADDR|EAFNOSUPPORT|EAI_|EINVAL|ENOTFOUND|ENXIO)/;
const ADDRESS_MESSAGE = /\baddress\b|^invalid host\b/;

/** One line without a stack: which setting is wrong, and why. */
export function explain(
  error: unknown,
  config: Pick<Config, "host" | "port" | "tlsCert"> | undefined,
): string {
  if (error instanceof ConfigError) return error.message;
  const { code, message = String(error) } = error as { code?: string; message?: string };
  const port = `${environmentName("port")} ${config?.port}`;
  if (code === "EADDRINUSE" || /address (?:already )?in use/i.test(message)) {
    return `${port} is in use, expected a free port`;
  }
  if (code === "EACCES") return `${port} is not open to this user, expected a port such as 8080`;
  // Well-formed files may still contain a key that the runtime's TLS rejects.
  if (config?.tlsCert && !ADDRESS_CODE.test(code ?? "") && !ADDRESS_MESSAGE.test(message)) {
    return `TLS_CERT and TLS_KEY can't be used here, expected a key type that this runtime supports, such as P-256`;
  }
  return `${
    environmentName("host")
  } ${config?.host} can't be listened on, expected an address of this machine`;
}
