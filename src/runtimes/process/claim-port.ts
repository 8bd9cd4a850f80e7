/**
 * Claims a port before several processes share it, because a shared bind does not notice another proxy on that port.
 * @module
 */

import { type AddressInfo, createServer } from "node:net";
import type { Config } from "../../core/settings/config.ts";

/** A port that no other program can use, until it is released for the processes that share it. */
export interface Claim {
  port: number;
  release(): Promise<void>;
}

/** Claims the configured port, or a free one for 0; rejects if it is in use. */
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
