/**
 * Makes a listener of `node:http` from a proxy, for your own server.
 * @module
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Proxy } from "../../index.ts";
import type { Runtime } from "../../core/runtime.ts";
import { ConnectionBonds } from "../../wire/client/bonds.ts";
import { bindClientAddress } from "../process/client-address.ts";
import { NodeRequest } from "./incoming-message.ts";
import { writeResponse } from "./server-response.ts";
import { refuseVersions } from "./refuse-message.ts";

/** The listener that `node:http`, and frameworks based on it, call with each request. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Makes the listener of a proxy. */
export function createNodeHandler(proxy: Proxy, runtime: Runtime): NodeHandler {
  const runtimeFor = bindClientAddress(runtime);
  const bonds = new ConnectionBonds();
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const clientAddress = incoming.socket.remoteAddress ?? "";
    const reply = await proxy.reply(new NodeRequest(incoming, outgoing, bonds), runtimeFor(clientAddress));
    writeResponse(reply, outgoing, incoming.method ?? "GET");
  };
  // A write error must not end the process.
  return refuseVersions((incoming, outgoing) =>
    void respond(incoming, outgoing).catch(() => outgoing.destroy())
  );
}
