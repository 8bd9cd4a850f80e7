/**
 * Prints the address of the console once the server listens.
 * @module
 */

import type { EventEmitter } from "node:events";
import type { AddressInfo } from "node:net";
import { Server as SecureServer } from "node:tls";
import { isPrivateHost } from "../../core/may/private-targets.ts";
import type { Config } from "../../core/settings/config.ts";
import type { MountConfig } from "./mount-options.ts";

/** The lines already printed for each server: several proxies in one server would print the same. */
const said = new WeakMap<object, Set<string>>();

const LOOPBACK = /^127\.|^::1$/;

/** The part of a server that says where it listens. */
export interface Listening extends Pick<EventEmitter, "once"> {
  readonly listening: boolean;
  address(): AddressInfo | string | null;
}

/**
 * Writes a line with the address of the console, if there is one, now or once the server listens. A second line warns that
 * the target will be refused, if it is private and other machines can reach the server; or that there is no target.
 */
export function announce(
  server: Listening,
  { config, prefixes }: MountConfig,
  write: (line: string) => void,
): void {
  const lines = said.get(server) ?? new Set();
  said.set(server, lines);
  const tell = (line: string) => {
    if (!lines.has(line)) write(line);
    lines.add(line);
  };
  const say = () => {
    const address = server.address();
    if (address === null || typeof address === "string") return;
    const scheme = server instanceof SecureServer ? "https" : "http";
    const page = `${scheme}://${nameOf(address.address)}:${address.port}${config.mountPath}/__proxy__/`;
    if (config.console) tell(`fetchvia: console at ${page}`);
    if (!config.target && prefixes.length > 0) {
      const way = config.console ? `set one at ${page}, or` : "set one";
      tell(`fetchvia: no target for ${prefixes.join(", ")}: ${way} with the option target`);
    }
    if (!LOOPBACK.test(address.address) && isClosed(config)) {
      tell(
        "fetchvia: the target is private, and other machines can reach this server. To allow it, " +
          `set allowTargets: "${config.target?.origin.host}" (allowTargets closes all other targets)`,
      );
    }
  };
  if (server.listening) say();
  else server.once("listening", say);
}

/** True if only callers on this machine may reach the target. */
function isClosed(config: Config): boolean {
  const { target, allowTargets, privateTargets } = config;
  if (!target || allowTargets.length > 0 || typeof privateTargets === "boolean") return false;
  return isPrivateHost(config, target.origin);
}

/** The host under which a browser on this machine reaches the address. */
function nameOf(address: string): string {
  if (["0.0.0.0", "::", "127.0.0.1", "::1"].includes(address)) return "localhost";
  return address.includes(":") ? `[${address}]` : address;
}
