/**
 * A program that watches live traffic, and keeps what it is told.
 * @module
 */
import { once } from "node:events";
import { Agent, type ClientRequest, createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { CountColumn, TrafficEntry, TrafficMessage } from "../../src/parts/console/traffic-message.ts";

/** Connections of a flood. */
const CONNECTIONS = 16;

/** A target that answers five bytes, as fast as it can. */
export class QuickTarget {
  readonly #server: Server = createServer((_request, response) => void response.end("12345"));

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Sends `GET` requests to a target through the proxy. */
function sender(port: number, origin: string, path: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const options = { port, host: "127.0.0.1", path, agent, headers: { proxy_host: origin } };
  const send = () =>
    new Promise<void>((resolve, reject) =>
      void get(options, (response) => response.resume().on("end", resolve)).on("error", reject)
    );
  return { send, end: () => agent.destroy() };
}

/** Sends `GET /flood` to a target through the proxy so many times, as fast as it answers. */
export async function flood(port: number, origin: string, many: number): Promise<void> {
  const { send, end } = sender(port, origin, "/flood");
  const sendShare = async (_: unknown, index: number) => {
    for (let sent = index; sent < many; sent += CONNECTIONS) await send();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendShare));
  end();
}

/** Sends `GET /flow` evenly, so many requests a second for so many milliseconds. */
export async function flow(port: number, origin: string, perSecond: number, ms: number): Promise<number> {
  const { send, end } = sender(port, origin, "/flow");
  const start = performance.now();
  const answers: Promise<void>[] = [];
  for (let passed = 0; passed < ms; passed = performance.now() - start) {
    while (answers.length < (passed / 1_000) * perSecond) answers.push(send());
    await sleep(10);
  }
  await Promise.all(answers);
  end();
  return answers.length;
}

/** Watches the proxy on a port until `close`. */
export class TrafficWatch {
  /** Requests that have ended, as listed. */
  readonly entries: TrafficEntry[] = [];
  /** Requests that run. */
  running: TrafficEntry[] = [];
  /** Every row that was ever running, as it was then. */
  readonly everRunning: TrafficEntry[] = [];
  /** Requests that were not listed. */
  skipped = 0;
  /** Columns by their second. */
  readonly counts = new Map<number, CountColumn>();
  /** True until the stream has ended. */
  isOpen = true;
  /** Settles with the first event. */
  readonly opened: Promise<void>;
  readonly #request: ClientRequest;
  #rest = "";

  constructor(port: number) {
    this.#request = get({ port, host: "127.0.0.1", path: "/__proxy__/traffic", agent: false });
    this.opened = new Promise((resolve, reject) => {
      this.#request.on("error", reject);
      this.#request.on("response", (response) => {
        response.setEncoding("utf8").on("data", (text: string) => this.#take(text, resolve));
        response.on("error", () => {});
        response.on("close", () => void (this.isOpen = false));
      });
    });
  }

  /** Sums what the columns counted, of `[second, count, failed, bytes, …]` at this place. */
  sum(place: 1 | 2 | 3): number {
    return [...this.counts.values()].reduce((sum, column) => sum + column[place], 0);
  }

  close(): void {
    this.#request.destroy();
  }

  #take(text: string, onFirst: () => void): void {
    const events = (this.#rest + text).split("\n\n");
    this.#rest = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const { entries, skipped, running, counts = [] } = JSON.parse(data) as TrafficMessage;
      this.entries.push(...entries);
      this.skipped += skipped;
      if (running) this.running = running;
      if (running) this.everRunning.push(...running);
      for (const column of counts) this.counts.set(column[0], column);
      onFirst();
    }
  }
}
