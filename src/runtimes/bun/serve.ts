/**
 * Listens with Bun: our own server on its raw connections.
 * @module
 */

import { type Config, ConfigError, readConfig } from "../../core/settings/config.ts";
import type { Shared } from "../../core/runtime.ts";
import { createHttpSender } from "../../wire/client/sender.ts";
import { readKeyFile } from "../process/key-file.ts";
import type { Listener } from "../process/listener.ts";
import { serveCallers } from "../process/serve-callers.ts";
import { start } from "../process/start-proxy.ts";
import { listenForCallers } from "./listen.ts";
import { runtime } from "./runtime.ts";
import { checkBun } from "./check-version.ts";
import { connectBun } from "./wire.ts";

const SEND = createHttpSender({ connect: connectBun });

/**
 * Serves the proxy.
 *
 * @throws {ConfigError} (as a rejection) if Bun is too old
 */
export async function listen(config: Config, shared?: Shared): Promise<Listener> {
  checkBun(Bun.version);
  return await serveCallers(config, shared, listenForCallers, { ...runtime, send: SEND });
}

/** Starts the proxy by itself, with settings from the environment. */
export async function run(): Promise<void> {
  await start(`bun ${Bun.version}`, readSettings, listen);
}

function readSettings(): Config {
  const config = readConfig(readKeyFile(process.env));
  if (config.workers === 1) return config;
  throw new ConfigError(`WORKERS is ${config.workers}, expected 1: only the command starts several workers`);
}
