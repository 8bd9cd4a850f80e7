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

/**
 * The listener that `node:http`, and frameworks based on it, call with each request. Its promise never rejects. It resolves once
 * the response is over: frameworks that wait for it, as h3 and Next.js do, send none of their own before.
 */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

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
  const listener = refuseVersions((incoming, outgoing) =>
    void respond(incoming, outgoing).catch(() => outgoing.destroy())
  );
  return (incoming, outgoing) => {
    listener(incoming, outgoing);
    return untilOver(outgoing);
  };
}

function untilOver(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.destroyed ? resolve() : void outgoing.once("close", resolve));
}
