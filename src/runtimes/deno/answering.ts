/**
 * What our own server on Deno does with requests.
 * @module
 */

import type { Config } from "../../settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import type { Parts } from "../../exchange/record.ts";
import type { Runtime } from "../../exchange/runtime.ts";
import type { Answering } from "../http1/server/callers.ts";
import { createHttpSender } from "../http1/sender.ts";
import { bindClientAddress } from "../process/client-address.ts";
import type { OwnAddresses } from "../process/own-addresses.ts";
import { createDialler } from "../websocket/dial.ts";
import type { OpenSockets } from "../websocket/open-sockets.ts";
import { loadExtraCertificates } from "./certificates.ts";
import { connectDeno } from "./connect.ts";
import { runtime } from "./runtime.ts";
import { joinCaller } from "./websocket.ts";

/** The capabilities of Deno with a server of our own. */
const listenerRuntime: Runtime = {
  ...runtime,
  send: createHttpSender({ connect: connectDeno }),
  upgrade: createDialler({ keepsExtensions: true }),
};

/** Makes the proxy, and joins its WebSockets. */
export function createAnswering(
  config: Config,
  own: OwnAddresses,
  parts: Parts,
  sockets: OpenSockets,
): Answering {
  loadExtraCertificates();
  const proxy = createConfiguredProxy(config, parts);
  sockets.onClose(() => proxy.close());
  const runtimeFor = bindClientAddress({ ...listenerRuntime, ...own });
  return {
    answer: (request, { address }) => proxy.reply(request, runtimeFor(address)),
    join: (reply, connection) => joinCaller(reply, connection.releaseStream(), sockets),
  };
}
