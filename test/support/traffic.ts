/**
 * A program that watches live traffic, and keeps what it is told.
 * @module
 */
import { Agent, type ClientRequest, get } from "node:http";
import type { CountColumn, TrafficEntry, TrafficMessage } from "../../src/pages/console/traffic-message.ts";

/** Connections of a flood. */
const CONNECTIONS = 16;

/** Sends `GET /flood` to a target through the proxy so many times, as fast as it answers. */
export async function flood(port: number, origin: string, many: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const options = { port, host: "127.0.0.1", path: "/flood", agent, headers: { proxy_host: origin } };
  const send = () =>
    new Promise((resolve, reject) =>
      get(options, (response) => response.resume().on("end", resolve)).on("error", reject)
    );
  const sendShare = async (_: unknown, index: number) => {
    for (let sent = index; sent < many; sent += CONNECTIONS) await send();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendShare));
  agent.destroy();
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
