/**
 * Live traffic: keeps the last requests in a ring, and counts all. Code that serves watchers is loaded with the first one.
 * @module
 */

import type { Address } from "../../core/address/address.ts";
import type { OpenRequests } from "../../core/exchange/record.ts";
import { columnOf, TrafficCounts } from "./traffic-counts.ts";
import { aimAt, isFailure, type TrafficEntry, type TrafficRecord } from "./traffic-message.ts";
import { RunningRequests, TrafficRing } from "./traffic-requests.ts";
import { type ShareTraffic, TrafficShare } from "./traffic-share.ts";
import type { TrafficWatchers } from "./traffic-watchers.ts";

export type { TrafficEntry } from "./traffic-message.ts";

/** Ring, counters and watchers. Without watchers a request costs almost nothing: its record is read on demand. */
export class Traffic {
  /** What a browser must send to watch; only the page itself has it (see `answerTraffic`). */
  readonly ticket: string;
  readonly #ring = new TrafficRing();
  readonly #counts = new TrafficCounts();
  readonly #running: RunningRequests;
  readonly #share: TrafficShare | undefined;
  #watchers: TrafficWatchers | undefined;
  #isClosed = false;
  /** What is told whether a console is open that switches capture on, and whether one is open in another process. */
  readonly #onCapture: (isWanted: boolean) => void;
  #isWantedElsewhere = false;
  readonly #ignored = new WeakSet<TrafficRecord>();

  /**
   * @param ticket the same in all processes of a proxy
   * @param share connects the processes; absent if there is only one
   * @param open the requests in flight, if a server keeps them
   * @param onCapture called when a console begins to switch capture on, and when none does any more, in any process
   */
  constructor(
    ticket: string = crypto.randomUUID(),
    share?: ShareTraffic,
    open?: OpenRequests,
    onCapture: (isWanted: boolean) => void = () => {},
  ) {
    this.ticket = ticket;
    this.#onCapture = onCapture;
    this.#running = new RunningRequests(open);
    this.#share = share && new TrafficShare(share, {
      counts: this.#counts,
      listRunning: (now) => this.#running.list(now),
      keepRunning: (isWanted) => this.#running.keep(isWanted || this.watching > 0),
      keepCapture: (isWanted) => {
        this.#isWantedElsewhere = isWanted;
        this.#tellCapture();
      },
      take: (entries, skipped) => {
        for (const entry of entries) this.#ring.add(entry);
        this.#ring.missed += skipped;
      },
    });
  }

  /** Takes the records of new requests; `undefined` while they are not needed here. */
  get open(): OpenRequests | undefined {
    return this.#running.own;
  }

  /** Notes the outgoing request. */
  aim(record: TrafficRecord, method: string, address: Address): void {
    record.aim = aimAt(method, address);
  }

  /** Leaves out a request, though it may be refused: a console from before a restart asks for traffic and captures again and again. */
  ignore(record: TrafficRecord): void {
    this.#ignored.add(record);
  }

  /** Takes the record of a finished request. */
  note(record: TrafficRecord): void {
    this.#running.own?.delete(record);
    if (!record.isTraffic || this.#ignored.has(record)) return;
    this.#ring.add(record);
    const endMs = record.time + record.totalMs;
    this.#counts.add(endMs, isFailure(record), record.bytesOut, record.headMs);
    this.#share?.note(record, columnOf(endMs));
  }

  /** The remembered requests, oldest first. */
  get entries(): TrafficEntry[] {
    return this.#ring.newest();
  }

  /** The current number of watchers. */
  get watching(): number {
    return this.#watchers?.size ?? 0;
  }

  /** Loads the code for watchers, with the first of them. */
  async openWatchers(): Promise<TrafficWatchers> {
    const { TrafficWatchers } = await import("./traffic-watchers.ts");
    this.#watchers ??= new TrafficWatchers(this.#ring, this.#counts, this.#running, this.#share, () => {
      this.#share?.tellCapture(this.#watchers!.isCapturing);
      this.#tellCapture();
    });
    if (this.#isClosed) this.#watchers.close();
    return this.#watchers;
  }

  #tellCapture(): void {
    this.#onCapture(this.#isWantedElsewhere || this.#watchers?.isCapturing === true);
  }

  /** Disconnects all watchers, so that a stopping proxy need not wait for them. */
  close(): void {
    this.#isClosed = true;
    this.#watchers?.close();
  }
}
