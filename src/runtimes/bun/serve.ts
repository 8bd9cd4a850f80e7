/**
 * `Bun.serve` in front of the core.
 * @module
 */

import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import { isStreaming } from "../../http/body.ts";
import type { Parts } from "../../exchange/record.ts";
import type { Runtime, Shared } from "../../exchange/runtime.ts";
import { BunRequest } from "./request.ts";
import { checkBun } from "./version.ts";
import { equip } from "../process/equip.ts";
import { lend, lendByAddress } from "../process/network.ts";
import type { Listener } from "../process/listener.ts";
import { createPatience, fitServer } from "./content-length.ts";
import { createHttpSender } from "../http1/sender.ts";
import { readTlsFiles } from "../process/tls-files.ts";
import { answerBun, BUN_WEBSOCKET } from "./websocket.ts";
import type { CallerSide } from "../websocket/caller.ts";
import { createDialler } from "../websocket/dial.ts";
import { Joints } from "../websocket/joints.ts";
import { connectBun } from "./wire.ts";

const POLL_MS = 20;

// All that a browser may send: 180 cookies of 4 KB. What is taken of it, the core decides; Bun's own limit is 16 KiB.
Object.assign(http, { maxHeaderSize: 1_048_576 });

/** Serves the proxy with Bun. */
export async function listen(config: Config, shared?: Shared): Promise<Listener> {
  const lent = await lend(config.host, () => server.port ?? config.port);
  const joints = new Joints();
  const options = serverOptions(config, lent, await equip(config, shared), joints);
  const server = Bun.serve({ ...options, reusePort: shared !== undefined });
  const drain = async () => {
    const stopped = server.stop();
    await Promise.all([Promise.race([stopped, untilIdle(server)]), joints.close()]);
    // What is left are connections that have sent a part of a head or of a TLS handshake; Bun (1.4) waits for them.
    await server.stop(true);
  };
  return { port: server.port ?? config.port, isLocal: lent.listensOnLoopback, drain };
}

/** Settles when every answer is out, to its last byte. */
async function untilIdle(server: Bun.Server<CallerSide>): Promise<void> {
  while (server.pendingRequests > 0) await sleep(POLL_MS);
}

/**
 * Options of `Bun.serve`: limits of time and size are the proxy's own.
 *
 * @throws {ConfigError} where Bun is too old
 */
export function serverOptions(config: Config, lent: Runtime, parts: Parts, joints = new Joints()) {
  checkBun(Bun.version);
  const proxy = createConfiguredProxy(config, parts);
  joints.onClose(() => proxy.close());
  const files = readTlsFiles(config);
  const fit = { patience: createPatience(), finish: fitServer };
  const runtime = {
    ...lent,
    name: `bun ${Bun.version}`,
    send: createHttpSender({ connect: connectBun, ...fit }),
    upgrade: createDialler({ keepsExtensions: false, ...fit }),
  };
  const lendTo = lendByAddress(runtime);
  return {
    hostname: config.host,
    port: config.port,
    idleTimeout: 0,
    development: false,
    // Two proxies on one port would share its connections, and nobody would be told.
    reusePort: false,
    ...(files && { tls: files }),
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    websocket: BUN_WEBSOCKET,
    async fetch(request: Request, server: Bun.Server<CallerSide>): Promise<Response | undefined> {
      const clientAddress = server.requestIP(request)?.address ?? "";
      const incoming = new BunRequest(request);
      const reply = await proxy.reply(incoming, lendTo(clientAddress));
      if (isStreaming(reply.body)) incoming.signal.watch();
      else incoming.signal.stop();
      return answerBun(reply, request, server, joints);
    },
  };
}
