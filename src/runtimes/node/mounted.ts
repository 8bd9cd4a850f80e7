/**
 * A proxy inside a server that is not ours: it answers its own paths, and takes their WebSockets.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import { createConfiguredProxy } from "../../index.ts";
import { readRequestPath } from "../../core/address/address.ts";
import type { Part } from "../../core/part.ts";
import type { Incoming, Runtime } from "../../core/runtime.ts";
import { answerError, toProxyError } from "../../core/http/error.ts";
import { withOptionNames } from "../../core/settings/option-names.ts";
import type { Reply } from "../../core/http/reply.ts";
import { bindClientAddress } from "../process/client-address.ts";
import { findOwnAddresses } from "../process/own-addresses.ts";
import { openRevoked } from "../process/revoked-file.ts";
import { openTargets } from "../process/targets-file.ts";
import { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { ConnectionBonds } from "../../wire/client/bonds.ts";
import { Http2Request, writeHttp2Response } from "./http2.ts";
import { isBelow, type MountConfig } from "./mount-options.ts";
import { refuseVersions } from "./refuse-message.ts";
import { NodeRequest } from "./incoming-message.ts";
import { writeResponse } from "./server-response.ts";
import { runtime, serverRuntime } from "./runtime.ts";
import { takeUpgrade } from "./websocket.ts";

/** Returns the runtime for a caller's address. Only of an `upgrade` can the connection become a WebSocket. */
type Lend = (clientAddress: string, isUpgrade: boolean) => Runtime;

/** Upgrades that a proxy has taken: with two in one server, only the first answers. */
const taken = new WeakSet<IncomingMessage>();

/** True for an upgrade that a proxy has taken. */
export function isTaken(incoming: IncomingMessage): boolean {
  return taken.has(incoming);
}

/** A proxy inside a server. */
export class Mounted {
  readonly #paths: readonly string[];
  readonly #proxy;
  readonly #sockets: OpenSockets;
  readonly #bonds = new ConnectionBonds();
  readonly #stopped = new AbortController();
  /** By the address and port of a server, which may listen again elsewhere. */
  readonly #lent = new Map<string, Promise<Lend>>();
  readonly #checkHost;
  readonly #listener;

  /**
   * @param checkHost throws a `ProxyError` for a Host that the server does not allow; by default all are allowed, and
   * the proxy's own rules decide
   * @param report tells the server's terminal of failures
   */
  constructor(
    { config, paths }: MountConfig,
    report?: Part,
    checkHost: (host: string | undefined) => void = () => {},
  ) {
    this.#paths = paths;
    this.#sockets = new OpenSockets(config.idleTimeoutMs);
    this.#checkHost = checkHost;
    // False: who may use a key is decided per request, because the server may start to listen later, on any address.
    this.#proxy = withOptionNames(() => {
      const { gate } = openTargets(config, false, this.#stopped.signal, true);
      openRevoked(config, gate, this.#stopped.signal, true);
      return createConfiguredProxy(config, {
        settings: gate,
        parts: report ? [report] : [],
        isEmbedded: true,
      });
    });
    this.#sockets.onClose(() => this.#proxy.close());
    this.#listener = refuseVersions((incoming, outgoing) => {
      const reply = this.#reply(incoming, new NodeRequest(incoming, outgoing, this.#bonds));
      // A write error must not end the process.
      reply.then((reply) => writeResponse(reply, outgoing, incoming.method ?? "GET"))
        .catch(() => outgoing.destroy());
    });
  }

  /** True for a path that the proxy answers. */
  owns(path: string | undefined): boolean {
    // Of an address (RFC 9112 §3.2.2), its path counts.
    return path !== undefined && isBelow(this.#paths, readRequestPath(path));
  }

  /** True if one of its paths is below this one; frameworks mount in any case of letters. */
  reaches(path: string): boolean {
    return this.#paths.some((own) => isBelow([path.toLowerCase()], own.toLowerCase()));
  }

  /** Answers a request of HTTP/1.1 or HTTP/2. */
  answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // Not by the version: Node reads `HTTP/2.0` in a request line of HTTP/1.1, too.
    if (!("stream" in incoming)) return this.#listener(incoming, outgoing);
    const request = incoming as unknown as Http2ServerRequest;
    const response = outgoing as unknown as Http2ServerResponse;
    this.#reply(incoming, new Http2Request(request, this.#bonds))
      .then((reply) => writeHttp2Response(reply, response, request.method))
      // Bun resets no stream that is destroyed without an error.
      .catch((failure) => response.stream.destroy(failure));
  }

  /** Takes an upgrade for one of its paths, unless another proxy has taken it. */
  takeUpgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): void {
    const server = serverOf(incoming.socket);
    if (!server || taken.has(incoming)) return;
    taken.add(incoming);
    const answer = (incoming: IncomingMessage, outgoing: ServerResponse) =>
      this.#reply(incoming, new NodeRequest(incoming, outgoing, this.#bonds), true);
    takeUpgrade({ answer, write: writeResponse, sockets: this.#sockets }, server, incoming, socket, head);
  }

  /** Ends its WebSockets and endless streams, and stops watching its files. */
  async close(): Promise<void> {
    this.#stopped.abort();
    await this.#sockets.close();
  }

  async #reply({ socket }: IncomingMessage, request: Incoming, isUpgrade = false): Promise<Reply> {
    try {
      this.#checkHost(request.headers.get("host") ?? undefined);
    } catch (error) {
      return answerError(toProxyError(error), "Proxy Error");
    }
    const lend = await this.#lendFor(serverOf(socket));
    return this.#proxy.reply(request, lend(socket.remoteAddress ?? "", isUpgrade));
  }

  /** The runtime with the addresses of the server, which decide who may reach private targets. */
  #lendFor(server: Server | undefined): Promise<Lend> | Lend {
    const address = server?.address();
    // A server on a pipe has no address, so nothing is known about its callers.
    if (!address || typeof address === "string") return UNKNOWN;
    const place = `${address.address} ${address.port}`;
    const known = this.#lent.get(place);
    if (known) return known;
    const lend = findOwnAddresses(address.address, () => address.port)
      .then(createLend);
    this.#lent.set(place, lend);
    return lend;
  }
}

function createLend(own: Partial<Runtime>): Lend {
  const plain = bindClientAddress({ ...runtime, ...own });
  const joining = bindClientAddress({ ...serverRuntime, ...own });
  return (clientAddress, isUpgrade) => (isUpgrade ? joining : plain)(clientAddress);
}

const UNKNOWN = createLend({});

/** The server that accepted a connection. Node keeps this property for frameworks (nodejs/node#13435). */
export function serverOf(socket: Socket): Server | undefined {
  return (socket as { server?: Server }).server;
}
