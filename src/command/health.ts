/**
 * `fetchvia health`: checks a running proxy with the same settings, for a container's health check.
 * @module
 */

import * as http from "node:http";
import * as https from "node:https";
import type { Config } from "../core/settings/config.ts";

const PATIENCE_MS = 3_000;

/** Loopback addresses to use for a proxy that listens on all addresses. */
const NEAR: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Checks the proxy; false if it does not answer 200 in time. */
export function isHealthy({ host, port, tlsCert }: Config): Promise<boolean> {
  const options = {
    host: NEAR[host] ?? host,
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
      resolve(response.statusCode === 200);
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(false));
    request.on("close", () => resolve(false));
  });
}
