/**
 * Options of `Bun.serve` with the proxy, for `bun run`.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import { isStreaming } from "../../core/http/body.ts";
import type { Parts } from "../../core/part.ts";
import { BunRequest } from "./bun-request.ts";
import { serverRuntime } from "./runtime.ts";
import { checkBun } from "./check-version.ts";
import { bindClientAddress } from "../process/client-address.ts";
import type { OwnAddresses } from "../process/own-addresses.ts";
import { readTlsFiles } from "../process/tls-files.ts";
import { answerBun, BUN_WEBSOCKET } from "./websocket.ts";
import type { CallerSide } from "../../wire/websocket/caller-side.ts";
import { OpenSockets } from "../../wire/websocket/open-sockets.ts";

/** Enough for all that a browser may send: 180 cookies of 4 KB. The core applies its own limits. Bun's limit is 16 KiB. */
const MAX_HEAD_BYTES = 1_048_576;

// Skipped if the start script has set it with a flag, because `node:http` takes 10 ms to load.
if (!process.execArgv.includes(`--max-http-header-size=${MAX_HEAD_BYTES}`)) {
  Object.assign(process.getBuiltinModule("node:http"), { maxHeaderSize: MAX_HEAD_BYTES });
}

/**
 * The options of `Bun.serve`. It gets no limits, because the proxy itself limits times and sizes.
 *
 * @throws {ConfigError} if Bun is too old
 */
export function serverOptions(
  config: Config,
  own: OwnAddresses,
  parts: Parts,
  sockets = new OpenSockets(config.idleTimeoutMs),
) {
  checkBun(Bun.version);
  const proxy = createConfiguredProxy(config, parts);
  sockets.onClose(() => proxy.close());
  const files = readTlsFiles(config);
  const runtimeFor = bindClientAddress({ ...serverRuntime, ...own });
  return {
    hostname: config.host,
    port: config.port,
    idleTimeout: 0,
    development: false,
    // Without this, two proxies on one port would silently share its connections.
    reusePort: false,
    ...(files && { tls: files }),
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    websocket: BUN_WEBSOCKET,
    async fetch(request: Request, server: Bun.Server<CallerSide>): Promise<Response | undefined> {
      const clientAddress = server.requestIP(request)?.address ?? "";
      const incoming = new BunRequest(request);
      const reply = await proxy.reply(incoming, runtimeFor(clientAddress));
      if (isStreaming(reply.body)) incoming.signal.watch();
      else incoming.signal.stop();
      return answerBun(reply, request, server, sockets);
    },
  };
}
