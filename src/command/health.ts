/**
 * `fetchvia health`: checks a running proxy with the same settings, for a container's health check.
 * @module
 */

import * as http from "node:http";
import * as https from "node:https";
import type { Config } from "../core/settings/config.ts";
import { formatNearAddress, nearHost } from "../runtimes/process/proxy-address.ts";

const PATIENCE_MS = 3_000;

/** What failed, by the code of the error. */
const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ENOTFOUND: "has no address",
};
const NO_ANSWER = "gave no HTTP response";

/** Checks the proxy. Returns what is wrong, such as `http://127.0.0.1:8080 refused the connection`; `""` for nothing. */
export async function findHealthFault(config: Config): Promise<string> {
  const fault = await ask(config);
  return fault && `${formatNearAddress(config, config.port)} ${fault}`;
}

function ask({ host, port, tlsCert }: Config): Promise<string> {
  const options = {
    host: nearHost(host),
    port,
    path: "/__proxy__/health",
    // The check runs on the same machine, and the certificate need not contain the name that it uses.
    rejectUnauthorized: false,
    timeout: PATIENCE_MS,
    agent: false as const,
  };
  return new Promise((resolve) => {
    const request = (tlsCert ? https : http).get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? "" : `answered ${response.statusCode}, not 200`);
    });
    request.on("timeout", () => {
      resolve(`did not answer within ${PATIENCE_MS / 1_000} s`);
      request.destroy();
    });
    request.on("error", ({ code }: NodeJS.ErrnoException) => resolve(FAULTS[code ?? ""] ?? NO_ANSWER));
    request.on("close", () => resolve(NO_ANSWER));
  });
}
