/**
 * Says where the console is, once the server listens.
 * @module
 */

import type { EventEmitter } from "node:events";
import type { AddressInfo } from "node:net";
import { Server as SecureServer } from "node:tls";
import type { Config } from "../../settings/config.ts";

/** The part of a server that says where it listens. */
export interface Listening extends Pick<EventEmitter, "once"> {
  readonly listening: boolean;
  address(): AddressInfo | string | null;
}

/** Writes one line with the address of the console, now or once the server listens; nothing without a console. */
export function announce(server: Listening, config: Config, write: (line: string) => void): void {
  if (!config.console) return;
  const say = () => {
    const address = server.address();
    if (address === null || typeof address === "string") return;
    const scheme = server instanceof SecureServer ? "https" : "http";
    const origin = `${scheme}://${nameOf(address.address)}:${address.port}`;
    write(`fetchvia: console at ${origin}${config.mountPath}/__proxy__/`);
  };
  if (server.listening) say();
  else server.once("listening", say);
}

/** The host by which a browser on this machine reaches the address. */
function nameOf(address: string): string {
  if (["0.0.0.0", "::", "127.0.0.1", "::1"].includes(address)) return "localhost";
  return address.includes(":") ? `[${address}]` : address;
}
