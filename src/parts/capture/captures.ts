/**
 * The captures of one process, and the switch that turns capture on and off.
 * @module
 */

import { hasAddress, isReserved } from "../../core/address/reserved-paths.ts";
import { readParameter, readQuery } from "../../core/address/query.ts";
import type { Config } from "../../core/settings/config.ts";
import type { Hooks } from "../../core/exchange/exchange.ts";
import type { RequestRecord } from "../../core/exchange/record.ts";
import type { Incoming, Runtime } from "../../core/runtime.ts";
import type { Decompress, Shared } from "../../core/shared.ts";
import type { Capture, CaptureState } from "./capture.ts";
import { guardSecrets } from "./key-guard.ts";
import { createMasker, type Masker } from "./masker.ts";
import { toBinary } from "./binary.ts";
import { decodeBody, MAX_DECODED_BYTES } from "./decode-body.ts";
import type { Memory } from "./message-log.ts";
import { isOnMachine } from "./on-machine.ts";
import { Recorder } from "./recorder.ts";
import { Ring } from "./ring.ts";

type Kept = number | "console" | null;

/** A request as it arrives. */
export interface Arrival {
  readonly incoming: Incoming;
  /** Without the mount path. */
  readonly path: string;
  readonly runtime: Runtime;
}

/** What capture was switched to, in place of the setting. */
export interface CaptureSwitch {
  /** The most bytes of each body; 0 for heads only, `null` for off, `console` for on while a console is open. */
  bodyBytes: Kept;
  /** When the setting applies again, in Unix milliseconds; absent if the switch does not end by itself. */
  until?: number;
  /** When it was switched, in Unix milliseconds: the latest switch counts. */
  at: number;
}

/** Requests that are not captured: pages about all requests, and console files. They would only show the viewer itself. */
const UNSEEN = /^\/__proxy__(?:\/(?:traffic(?:\.har)?|capture|health|metrics|[\w-]+\.(?:js|css))?)?(?:\?|$)/;

/** Maximum bytes of all that one search decodes. */
const MOST_SEARCHED_BYTES = 33_554_432;

/** Maximum bytes that are kept of a body while a console is open. */
const CONSOLE_BYTES = 1_048_576;

/** Keeps the requests of one process while capture is on. */
export class Captures {
  readonly #setting: Kept;
  readonly #trusted: Config["trustedProxies"];
  readonly #ring: Ring<Recorder>;
  readonly #masker: Masker;
  /** The process's own way to decompress bodies. */
  readonly decompress: Decompress | undefined;
  /** The connections that captured requests used; one that is gone is forgotten. */
  readonly #connections = new WeakMap<object, string>();
  #connectionCount = 0;
  readonly #numberBefore: string;
  /** True while a console is open that captures by being open, of this process or another. */
  isWatched = false;
  #switch: CaptureSwitch | undefined;

  /**
   * @param key of the digests in masks, shared by all processes of a proxy; secret from everybody who sees masks
   * @param number of the process, if there are several
   */
  constructor(
    { capture, captureBytes, trustedProxies }: Pick<Config, "capture" | "captureBytes" | "trustedProxies">,
    key: string,
    { decompress, processNumber }: Pick<Shared, "decompress" | "processNumber"> = {},
  ) {
    this.decompress = decompress;
    this.#numberBefore = processNumber === undefined ? "" : `${processNumber}.`;
    this.#trusted = trustedProxies;
    this.#setting = capture === "off" ? null : capture === "heads" ? 0 : capture;
    this.#ring = new Ring(captureBytes);
    this.#masker = createMasker(key);
  }

  /** The most bytes of each body now; `null` while it is off. */
  get bodyBytes(): number | null {
    const kept = this.#kept;
    if (kept !== "console") return kept;
    return this.isWatched ? CONSOLE_BYTES : null;
  }

  get #kept(): Kept {
    if (!this.#switch) return this.#setting;
    const { bodyBytes, until } = this.#switch;
    if (until === undefined || Date.now() < until) return bodyBytes;
    this.#switch = undefined;
    return this.#setting;
  }

  /** Begins to record a request if capture is on. */
  begin(record: RequestRecord, { incoming, path, runtime }: Arrival, secrets: Hooks["secrets"]): void {
    const { bodyBytes } = this;
    if (bodyBytes === null || !isSeen(path)) return;
    if (this.#kept === "console" && !isOnMachine(incoming, runtime, this.#trusted)) return;
    const memoryOf = (id: string): Memory => ({
      take: (bytes) => this.#ring.take(id, bytes),
      give: (bytes) => this.#ring.give(id, bytes),
    });
    const numberOf = (connection: object) => this.#numberOf(connection);
    const context = { bodyBytes, masker: this.#masker, guard: guardSecrets(secrets), memoryOf, numberOf };
    const recorder = new Recorder(record, incoming, context);
    record.capture = recorder;
    this.#ring.add(recorder);
  }

  #numberOf(connection: object): string {
    const known = this.#connections.get(connection);
    if (known !== undefined) return known;
    this.#connectionCount += 1;
    const number = `${this.#numberBefore}${this.#connectionCount}`;
    this.#connections.set(connection, number);
    return number;
  }

  /** Notes that a request has ended. One that live traffic does not list, as it was for a page of the proxy, is dropped. */
  end({ capture, id, isTraffic }: RequestRecord): void {
    capture?.end();
    if (capture && !isTraffic) this.#ring.drop(id);
  }

  /** The current state. */
  get state(): CaptureState {
    const { bodyBytes } = this;
    const { size: requests, bytes, maxBytes } = this.#ring;
    // Where the setting keeps the same, nothing ends.
    const until = this.#kept === this.#setting ? undefined : this.#switch?.until;
    return {
      bodyBytes,
      ...(until !== undefined && { until }),
      ...(this.#kept === "console" && { whileOpen: true }),
      requests,
      bytes,
      maxBytes,
    };
  }

  /** The switch in force; `undefined` while the setting holds. */
  get switched(): CaptureSwitch | undefined {
    return this.#switch;
  }

  /** Switches capture. Existing captures stay. */
  switch(to: CaptureSwitch): void {
    if (!this.#switch || to.at >= this.#switch.at) this.#switch = to;
  }

  /** Drops all captures. */
  clear(): void {
    this.#ring.clear();
  }

  /** One request as this viewer may see it; `undefined` if it is not kept. */
  read(id: string, viewer: string | null): Capture | undefined {
    return this.#ring.get(id)?.read(viewer);
  }

  /**
   * The ids of the requests in which a body holds a text, as sent or decoded. The newest ones are decoded first, up to a
   * limit: asked for again, the search goes on with those before.
   */
  async search(text: string): Promise<string[]> {
    const sought = toBinary([new TextEncoder().encode(text)]);
    let left = MOST_SEARCHED_BYTES;
    const decode = async (bytes: Uint8Array<ArrayBuffer>, coding: string) => {
      if (left <= 0) return undefined;
      const { decompress } = this;
      const decoded = await decodeBody(bytes, coding, { isCut: true, decompress });
      left -= decoded?.length ?? MAX_DECODED_BYTES;
      return decoded ? toBinary([decoded]) : "";
    };
    const { entries } = this.#ring;
    const found = new Set<Recorder>();
    for (const recorder of entries.toReversed()) {
      if (await recorder.holds(sought, decode)) found.add(recorder);
    }
    return entries.filter((recorder) => found.has(recorder)).map(({ id }) => id);
  }

  /** The ids of all captures with their times of arrival, oldest first. */
  list(): [id: string, time: number][] {
    return this.#ring.entries.map(({ id, time }) => [id, time]);
  }
}

function isSeen(path: string): boolean {
  if (!isReserved(path) || !UNSEEN.test(path) || hasAddress(path)) return true;
  return /^\/__proxy__\/?\?/.test(path) && readParameter(readQuery(path), "host") !== undefined;
}
