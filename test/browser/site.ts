/**
 * A server of Node's own on loopback that remembers what a browser showed it.
 * @module
 */
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A web site at an origin of its own; what it answers is set once its address is known. */
export class Site {
  answer: RequestListener = (_request, response) => void response.writeHead(404).end();
  /** The names of all cookies that it got. */
  readonly cookies = new Set<string>();
  readonly #server: Server = createServer((request, response) => {
    for (const pair of request.headers.cookie?.split("; ") ?? []) this.cookies.add(pair.split("=")[0] ?? "");
    this.answer(request, response);
  });

  async listen(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
