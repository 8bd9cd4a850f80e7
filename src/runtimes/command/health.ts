/**
 * `fetchvia health`: asks the proxy of the same settings whether it serves, as a container's health check does.
 * @module
 */

import * as http from "node:http";
import * as https from "node:https";
import type { Config } from "../../settings/config.ts";

const PATIENCE_MS = 3_000;

/** Where a proxy that listens on all addresses is found on its own machine. */
const NEAR: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Asks the proxy; false where it does not answer in time, or with another status than 200. */
export function isHealthy({ host, port, tlsCert }: Config): Promise<boolean> {
  const options = {
    host: NEAR[host] ?? host,
    port,
    path: "/__proxy__/health",
    // It is asked on its own machine, by a name that its certificate need not hold.
    rejectUnauthorized: false,
    timeout: PATIENCE_MS,
    agent: false as const,
  };
  return new Promise((resolve) => {
    const request = (tlsCert ? https : http).get(options, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
    request.on("close", () => resolve(false));
  });
}
