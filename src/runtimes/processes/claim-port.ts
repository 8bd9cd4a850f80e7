/**
 * Claims a port before several processes share it, because a shared bind does not notice another proxy on that port.
 * @module
 */

import { type AddressInfo, createServer } from "node:net";
import type { Config } from "../../settings/config.ts";

/** A port that nobody else can have, until it is released for those who share it. */
export interface Claim {
  port: number;
  release(): Promise<void>;
}

/** Claims the port that the settings name, or a free one for 0; rejects when it is in use. */
export function claimPort({ host, port }: Pick<Config, "host" | "port">): Promise<Claim> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      const released = () => new Promise<void>((done) => server.close(() => done()));
      let release: Promise<void> | undefined;
      resolve({ port: (server.address() as AddressInfo).port, release: () => release ??= released() });
    });
  });
}
