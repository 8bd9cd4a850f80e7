/**
 * A proxy as a listener of `node:http`, for a server that has others too.
 * @module
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Proxy } from "../../index.ts";
import type { Runtime } from "../../exchange/runtime.ts";
import { lendByAddress } from "../process/network.ts";
import { NodeRequest } from "./request.ts";
import { writeResponse } from "./response.ts";
import { refuseOldCodings } from "./refuse.ts";

/** What `node:http` and frameworks on it call with each request. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Makes the listener of a proxy. */
export function createNodeHandler(proxy: Proxy, runtime: Runtime): NodeHandler {
  const lendTo = lendByAddress(runtime);
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const lent = lendTo(incoming.socket.remoteAddress ?? "");
    const reply = await proxy.reply(new NodeRequest(incoming, outgoing), lent);
    writeResponse(reply, outgoing, incoming.method ?? "GET");
  };
  // What can't be written must not take the process along.
  return refuseOldCodings((incoming, outgoing) =>
    void respond(incoming, outgoing).catch(() => outgoing.destroy())
  );
}
