/**
 * The proxy of a file that uses the network in memory: its core, our own server and client, and no process.
 * @module
 */
import type { Socket } from "node:net";
import { connectNode } from "../../src/wire/wire-node.ts";
import { SocketWire, watchSocket } from "../../src/wire/socket-wire.ts";
import { createHttpSender } from "../../src/wire/client/sender.ts";
import type { Parts } from "../../src/core/part.ts";
import { createProxyOf } from "../../src/core/proxy.ts";
import type { Runtime } from "../../src/core/runtime.ts";
import { bindClientAddress } from "../../src/runtimes/process/client-address.ts";
import { createGate } from "../../src/parts/gate/gate.ts";
import { formatRecord } from "../../src/core/exchange/log.ts";
import { OpenRequests } from "../../src/core/exchange/record.ts";
import { joinCaller } from "../../src/runtimes/node/join-caller.ts";
import { runtime } from "../../src/runtimes/node/runtime.ts";
import { findOwnAddresses } from "../../src/runtimes/process/own-addresses.ts";
import { createAnswering, type Join } from "../../src/runtimes/process/serve-callers.ts";
import { type Answering, Callers } from "../../src/wire/server/callers.ts";
import { createDialler } from "../../src/wire/websocket/dial.ts";
import { OpenSockets } from "../../src/wire/websocket/open-sockets.ts";
import { type Config, readConfig } from "../../src/core/settings/config.ts";
import { type Answer, call, type CallOptions } from "./client.ts";
import { connectInMemory, listenInMemory, unlisten, usesCoreAlone } from "./memory-network.ts";
import type { Settings } from "./proxy.ts";
import { takeLines } from "./recorded.ts";

/** Connects in memory where something listens there, else as Node does. */
const connect: typeof connectNode = (options, isSecure, watch) => {
  const plain = isSecure || options.route?.upstream ? undefined : connectInMemory(options.port);
  const socket = plain as unknown as Socket | undefined;
  if (!socket) return connectNode(options, isSecure, watch);
  socket.once("connect", () => watch.onOpen());
  watchSocket(socket, watch);
  return socket;
};

/** Joins a WebSocket, as Node does. */
const join: Join = (reply, connection, sockets) => {
  const { wire, rest } = connection.release();
  joinCaller(reply, (wire as SocketWire).release(), rest, sockets);
};

/** The core as our own server has it, with no part. */
function answerAlone(
  config: Config,
  runtime: Runtime,
  { open, log }: Parts,
  sockets: OpenSockets,
): Answering {
  const proxy = createProxyOf({ ...config, console: false }, { open, log } as Parts, () => []);
  const runtimeFor = bindClientAddress(runtime);
  return {
    idleTimeoutMs: config.idleTimeoutMs,
    answer: (request, { address }) => proxy.reply(request, runtimeFor(address)),
    join: (reply, connection) => join(reply, connection, sockets),
  };
}

const DIAL = createDialler({ connect });

/** A proxy in memory. */
export class MemoryProxy {
  readonly port: number;
  readonly #output: { text: string };

  private constructor(port: number, output: { text: string }) {
    this.port = port;
    this.#output = output;
  }

  /** Starts one with these settings. */
  static async start(settings: Settings): Promise<MemoryProxy> {
    const config = readConfig({ LOG: "json", ...settings });
    const output = { text: "" };
    let port = 0;
    const own = await findOwnAddresses(config.host, () => port);
    const parts = {
      open: new OpenRequests(),
      settings: createGate(config, settings),
      environment: settings,
      ...takeLines(settings),
      ...config.log !== "off" && {
        log: (record: Parameters<typeof formatRecord>[0]) => {
          output.text += `${formatRecord(record, config.log === "text" ? "text" : "json")}\n`;
        },
      },
    };
    const lent = { ...runtime, ...own, send: createHttpSender({ connect }), upgrade: DIAL };
    const sockets = new OpenSockets(config.idleTimeoutMs);
    const callers = new Callers(
      usesCoreAlone()
        ? answerAlone(config, lent, parts, sockets)
        : createAnswering(config, lent, parts, sockets, join),
    );
    port = listenInMemory((socket) => {
      callers.take(
        { address: socket.remoteAddress ?? "", isSecure: false },
        (watch) => new SocketWire(socket as unknown as Socket, watch),
        () => socket.destroy(),
      );
    });
    return new MemoryProxy(port, output);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** It writes nothing but its log. */
  stderr(): string {
    return "";
  }

  /** The lines of its log. */
  stdout(): string {
    return this.#output.text;
  }

  call(line: string, options: CallOptions = {}): Promise<Answer> {
    return call(this.port, line, options);
  }

  stop(_signal?: string): Promise<void> {
    unlisten(this.port);
    return Promise.resolve();
  }
}
