/**
 * The entry for servers with middleware: Express, Connect, webpack-dev-server, Rsbuild and others.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import { clean } from "../../core/exchange/log.ts";
import { type MountOptions, readMountOptions } from "./mount-options.ts";
import { isTaken, Mounted, serverOf } from "./mounted.ts";
import { announce } from "./announce.ts";
import { reportFailures } from "./report-failures.ts";
import { readAgain } from "./websocket.ts";

export type { MountOptions };

/** The `upgrade` listeners made by this module. */
const ours = new WeakSet<object>();

/** Middleware that answers the paths of a proxy, and passes all other requests on. */
export interface Middleware {
  (incoming: IncomingMessage, outgoing: ServerResponse, next: (error?: unknown) => void): void;
  /**
   * Takes WebSockets for the paths of the proxy: `server.on("upgrade", middleware.upgrade)`. All others are left to the
   * server's other listeners. Without any, they are handled as ordinary requests.
   */
  upgrade(incoming: IncomingMessage, socket: Socket, head: Buffer): void;
  /**
   * Takes WebSockets from a server, and prints one line with the address of the console once it listens. When the
   * server closes, the proxy closes too.
   */
  attach(server: Server | SecureServer | Http2SecureServer): void;
  /** Ends the proxy's open WebSockets and its endless streams. */
  close(): Promise<void>;
}

/**
 * Makes the middleware. It passes on requests for paths other than `prefix` and `/__proxy__/`.
 *
 * @param options those of `createProxy`, and `prefix`
 * @throws {ConfigError} if an option is unknown or bad
 * @example
 * ```ts
 * const api = fetchvia({ prefix: "/api", target: "http://localhost:3000" });
 * const app = express().use(api);
 * api.attach(app.listen(8080));
 * ```
 */
export function fetchvia(options: MountOptions = {}): Middleware {
  const settings = readMountOptions(options);
  const mounted = new Mounted(settings, reportFailures(console.error, false));
  let hasWarned = false;
  const warn = (base: string) => {
    if (hasWarned || mounted.reaches(base)) return;
    hasWarned = true;
    console.warn(
      `fetchvia: nothing is forwarded at ${clean(base)}, where the middleware is mounted. ` +
        `To forward all below it, set mountPath: ${JSON.stringify(clean(base))}`,
    );
  };
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => {
    const { originalUrl } = incoming as { originalUrl?: string };
    const path = originalUrl ?? incoming.url;
    if (!mounted.owns(path)) {
      warn(findBase(path, incoming.url));
      return next();
    }
    // Frameworks remove the path at which the middleware is mounted.
    incoming.url = path;
    mounted.answer(incoming, outgoing);
  };
  const upgrade = (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    if (mounted.owns(incoming.url)) mounted.takeUpgrade(incoming, socket, head);
    else returnUnclaimed(upgrade, incoming, socket, head);
  };
  ours.add(upgrade);
  const close = () => mounted.close();
  const attach: Middleware["attach"] = (server) => {
    // An application has `on` too, and would never call it.
    if (typeof server?.address !== "function") {
      throw new TypeError("Cannot attach: this is no server, expected the one that app.listen(8080) gives");
    }
    server.on("upgrade", upgrade);
    server.once("close", close);
    announce(server, settings, console.log);
  };
  return Object.assign(answer, { upgrade, attach, close });
}

/** The path that a framework removed; empty if none. */
function findBase(path = "", url = ""): string {
  return path.endsWith(url) ? path.slice(0, path.length - url.length) : "";
}

/**
 * Returns a request to the server if only proxies listen for upgrades: otherwise it would wait for ever, because Node gives
 * every request with `Upgrade` to the listeners as soon as there is one.
 */
function returnUnclaimed(
  listener: object,
  incoming: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const server = serverOf(incoming.socket);
  const listeners = server?.listeners("upgrade") ?? [];
  // Only the last listener knows that no other listener took the request.
  const isUnclaimed = listeners.at(-1) === listener && listeners.every((one) => ours.has(one));
  if (server && isUnclaimed && !isTaken(incoming)) readAgain(server, incoming, socket, head);
}

export default fetchvia;
