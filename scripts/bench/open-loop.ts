/**
 * Load at a fixed rate: requests become due by the clock, however slow the responses are. Latency counts from the instant
 * when a request was due, so that a stall counts for all requests that it delayed (no coordinated omission).
 * @module
 */
import { Worker } from "node:worker_threads";
import { percentiles } from "./load.ts";
import { formatRequest, type RawRequest } from "./raw-client.ts";
import { ResponseReader } from "./response-reader.ts";

/** Kept connections, one request at a time on each; when all are busy, requests wait for one. */
export const RATE_CONNECTIONS = 64;
/** Requests become due in batches, one batch per this many milliseconds. */
const BATCH_MS = 1;
/** How long a slow candidate has to catch up, in milliseconds. Requests still open then count as if they ended then. */
const DRAIN_MS = 5_000;

/** The result of a run. */
export interface OpenLoopResult {
  answers: number;
  /** Responses with another status than 200, and connections that were lost. */
  errors: number;
  /** Responses per second, from the first instant to the last response. */
  perSecond: number;
  /** Latencies in milliseconds, of all requests that were due. */
  p50: number;
  p99: number;
  p999: number;
}

/** Sends `rate` requests per second for so many seconds. Ends `DRAIN_MS` after that at the latest. */
export async function loadAtRate(
  request: RawRequest,
  rate: number,
  seconds: number,
): Promise<OpenLoopResult> {
  const run = new OpenLoop(formatRequest(request), rate, rate * seconds);
  await run.open(request.port);
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const pacer = new Worker(new URL("./pacer.ts", import.meta.url), {
    workerData: { cell, periodMs: BATCH_MS },
  });
  const ended = new Promise((resolve) => pacer.once("exit", resolve));
  try {
    // The first wake-up shows that the thread is running, so that its start is not part of the run.
    const first = await new Promise<number>((resolve) => pacer.once("message", resolve));
    // Batches are due exactly at the pacer's instants: if due a little later, they would wait for the next wake-up.
    const begun = first - performance.timeOrigin;
    pacer.on("message", () => run.sendDue(begun));
    await Promise.race([run.done, Bun.sleep(seconds * 1000 + DRAIN_MS)]);
    return run.finish(begun);
  } finally {
    Atomics.store(cell, 0, 1);
    Atomics.notify(cell, 0);
    await ended;
  }
}

/** One run: the requests that are due, the free connections, and the results. */
class OpenLoop {
  readonly done: Promise<void>;
  #markDone = () => {};
  readonly #bytes: Buffer;
  /** Requests per batch. */
  readonly #batch: number;
  readonly #total: number;
  readonly #all: Connection[] = [];
  readonly #free: Connection[] = [];
  /** Due times of the requests that have not been sent yet, from `#head` on. */
  readonly #waiting: number[] = [];
  #head = 0;
  #issued = 0;
  readonly #delays: number[] = [];
  #errors = 0;
  #last = 0;

  constructor(bytes: Buffer, rate: number, total: number) {
    this.#bytes = bytes;
    this.#batch = rate / 1000 * BATCH_MS;
    this.#total = total;
    this.done = new Promise((resolve) => (this.#markDone = resolve));
  }

  async open(port: number): Promise<void> {
    for (let i = 0; i < RATE_CONNECTIONS; i += 1) {
      const connection = new Connection(this.#bytes, {
        answered: (status, due) => this.#take(connection, status, due),
        lost: () => this.#lose(),
      });
      await connection.open(port);
      this.#all.push(connection);
      this.#free.push(connection);
    }
  }

  /** Sends all requests that are due by now, or queues them. */
  sendDue(begun: number): void {
    const now = performance.now();
    while (this.#issued < this.#total) {
      const due = begun + Math.floor(this.#issued / this.#batch) * BATCH_MS;
      if (due > now) return;
      this.#issued += 1;
      const connection = this.#free.pop();
      if (connection) connection.send(due);
      else this.#waiting.push(due);
    }
  }

  /** Ends the run. Requests without a response count with their latency up to now. */
  finish(begun: number): OpenLoopResult {
    const now = performance.now();
    const answers = this.#delays.length;
    const open = this.#all.flatMap(({ due }) => due ?? []);
    for (const due of [...open, ...this.#waiting.slice(this.#head)]) this.#delays.push(now - due);
    for (const connection of this.#all) connection.close();
    const perSecond = answers / ((this.#last - begun) / 1000);
    return { answers, errors: this.#errors, perSecond, ...percentiles(this.#delays) };
  }

  #take(connection: Connection, status: number, due: number): void {
    this.#last = performance.now();
    this.#delays.push(this.#last - due);
    if (status !== 200) this.#errors += 1;
    const next = this.#waiting[this.#head];
    if (next === undefined) this.#free.push(connection);
    else {
      this.#head += 1;
      connection.send(next);
    }
    if (this.#delays.length === this.#total) this.#markDone();
  }

  /** Ends a run that lost a connection, because its results mean nothing. */
  #lose(): void {
    this.#errors += 1;
    this.#markDone();
  }
}

interface ConnectionEvents {
  answered(status: number, due: number): void;
  lost(): void;
}

/** A kept connection with one request at a time. */
class Connection {
  /** When the request that waits for its response was due. */
  due: number | undefined;
  readonly #bytes: Buffer;
  readonly #events: ConnectionEvents;
  readonly #reader: ResponseReader;
  #socket: Awaited<ReturnType<typeof Bun.connect>> | undefined;
  #isOver = false;

  constructor(bytes: Buffer, events: ConnectionEvents) {
    this.#bytes = bytes;
    this.#events = events;
    this.#reader = new ResponseReader({ onEnd: ({ status }) => this.#end(status) });
  }

  async open(port: number): Promise<void> {
    this.#socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_socket, chunk) => this.#reader.push(chunk),
        close: () => this.#lose(),
        error: () => this.#lose(),
      },
    });
  }

  send(due: number): void {
    this.due = due;
    // So few bytes are written at once, because everything written before has been answered.
    if (this.#socket?.write(this.#bytes) !== this.#bytes.length) this.#lose();
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.end();
  }

  #end(status: number): void {
    const { due } = this;
    this.due = undefined;
    if (due !== undefined && !this.#isOver) this.#events.answered(status, due);
  }

  #lose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.lost();
  }
}
