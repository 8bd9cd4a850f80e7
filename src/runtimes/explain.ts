/**
 * Why the proxy can't start, for whoever started it.
 * @module
 */

import { type Config, ConfigError, environmentName } from "../index.ts";

/** One line, without a stack: what is wrong with which setting. */
export function explain(error: unknown, config: Pick<Config, "host" | "port"> | undefined): string {
  if (error instanceof ConfigError) return error.message;
  const { code, message = String(error) } = error as { code?: string; message?: string };
  const port = `${environmentName("port")} ${config?.port}`;
  if (code === "EADDRINUSE" || /address (?:already )?in use/i.test(message)) {
    return `${port} is in use, expected a free port`;
  }
  if (code === "EACCES") return `${port} is not allowed to this user, expected one that is, such as 8080`;
  if (code?.startsWith("ERR_PARSE_ARGS")) {
    return `${message.split(/\.\s/)[0]}, expected flags such as --port 8080 (see --help)`;
  }
  return `${
    environmentName("host")
  } ${config?.host} can't be listened on, expected an address of this machine`;
}
