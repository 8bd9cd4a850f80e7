/**
 * The entry for Vite: a plugin that answers the paths of a proxy in the development server and in `vite preview`.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ProxyError } from "../../core/http/error.ts";
import { type HostOptions, isAllowedHost } from "./allowed-hosts.ts";
import { announce, type Listening } from "./announce.ts";
import { type MountConfig, type MountOptions, readMountOptions } from "./mount-options.ts";
import { Mounted } from "./mounted.ts";
import { reportFailures } from "./report-failures.ts";

export type { HostOptions, MountOptions };

/** The part of Vite's servers that the plugin uses, the same in Vite 6, 7 and 8. */
export interface ViteServer {
  /** The handlers of requests, in order. */
  readonly middlewares: { readonly stack: { route: string; handle: unknown }[] };
  /** Absent in middleware mode. */
  readonly httpServer: object | null;
  /** The settings of Vite. */
  readonly config: {
    readonly server: HostOptions & { readonly middlewareMode?: unknown; readonly hmr?: unknown };
    readonly preview: HostOptions;
    readonly logger: { info(line: string): void; error(line: string): void };
  };
  /** Closes the server. */
  close(): Promise<void>;
}

/** The plugin object that Vite expects. */
export interface VitePlugin {
  /** The name that Vite shows. */
  readonly name: "fetchvia";
  /** Puts the proxy into the development server. Vite calls what it returns once its own handlers are there. */
  configureServer(server: ViteServer): () => void;
  /** Puts the proxy into the server of `vite preview`. */
  configurePreviewServer(server: ViteServer): () => void;
}

/** One of Vite's two servers: the name of its options, and the options for its Host check. */
interface Place {
  readonly option: "server" | "preview";
  readonly hosts: HostOptions;
}

/** Protocols of Vite's own WebSockets. */
const HMR_PROTOCOLS = ["vite-hmr", "vite-ping"];

/**
 * Makes the plugin. It forwards `prefix` and answers `/__proxy__/`, before all middleware of Vite. `allowedHosts` of
 * Vite applies to these paths too. Vite's own WebSocket stays with Vite.
 *
 * @param options those of `createProxy`, and `prefix`
 * @throws {ConfigError} if an option is unknown or bad
 * @example
 * ```ts
 * export default defineConfig({
 *   plugins: [fetchvia({ prefix: "/api", target: "http://localhost:3000" })],
 * });
 * ```
 */
export function fetchvia(options: MountOptions = {}): VitePlugin {
  const settings = readMountOptions(options);
  return {
    name: "fetchvia",
    configureServer: (server) => install(server, settings, { option: "server", hosts: server.config.server }),
    configurePreviewServer: (server) =>
      install(server, settings, { option: "preview", hosts: server.config.preview }),
  };
}

/** Returns a function that puts the proxy first again: frameworks insert handlers before all others, as Astro (5) does. */
function install(server: ViteServer, settings: MountConfig, { option, hosts }: Place): () => void {
  const { config: { logger }, close } = server;
  const report = reportFailures((line) => logger.error(line), true);
  const mounted = new Mounted(settings, report, (host) => {
    if (isAllowedHost(host, hosts)) return;
    const state = `Vite does not allow the Host ${host ?? ""}. To allow it, add it to ${option}.allowedHosts`;
    throw new ProxyError("forbidden", `Cannot take the request: ${state}`);
  });
  const handle: Handler = (incoming, outgoing, next) => {
    if (mounted.owns(incoming.url)) mounted.answer(incoming, outgoing);
    else next();
  };
  insertFirst(server.middlewares.stack, handle);
  const upgrade = (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const isHmr = HMR_PROTOCOLS.includes(incoming.headers["sec-websocket-protocol"] ?? "");
    if (!isHmr && mounted.owns(incoming.url)) mounted.takeUpgrade(incoming, socket, head);
  };
  const listener = findListener(server);
  listener?.on("upgrade", upgrade);
  server.close = () => {
    listener?.off("upgrade", upgrade);
    void mounted.close();
    return close.call(server);
  };
  if (listener) announce(listener, settings, (line) => logger.info(`  ➜  ${line}`));
  else {logger.info(
      "  ➜  fetchvia: no WebSockets in middleware mode, unless server.middlewareMode.server is set",
    );}
  return () => insertFirst(server.middlewares.stack, handle);
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void;

/** The handlers that `insertFirst` has inserted. */
const layers = new WeakSet<object>();

/**
 * Inserts a handler before Vite's own, or moves it there, but after those of other proxies. Vite 7 runs its CORS middleware
 * before plugins, which would answer every preflight.
 */
function insertFirst(stack: ViteServer["middlewares"]["stack"], handle: Handler): void {
  layers.add(handle);
  const before = stack.findIndex((layer) => layer.handle === handle);
  if (before >= 0) stack.splice(before, 1);
  const count = stack.findIndex((layer) => !layers.has(layer.handle as object));
  stack.splice(count < 0 ? stack.length : count, 0, { route: "", handle });
}

/** The server that accepts connections: Vite's own or, in middleware mode, one in its options. Storybook (9) sets that of `hmr`. */
function findListener({ httpServer, config }: ViteServer): (Listening & Server) | undefined {
  const { middlewareMode, hmr } = config.server;
  const told = [middlewareMode, hmr].map((option) => (option as { server?: object } | undefined)?.server);
  return (httpServer ?? told.find(Boolean)) as (Listening & Server) | undefined;
}

export default fetchvia;
