/**
 * Captures of all processes of a proxy: each answers the questions of the others.
 * @module
 */

import type { Config } from "../../core/settings/config.ts";
import type { Shared } from "../../core/shared.ts";
import type { Capture, CaptureState } from "./capture.ts";
import { Captures, type CaptureSwitch } from "./captures.ts";

/** What a process can be asked. */
const ANSWERS = {
  state: (own: Captures) => own.state,
  switched: (own: Captures) => own.switched,
  switch: (own: Captures, to: CaptureSwitch) => own.switch(to),
  clear: (own: Captures) => own.clear(),
  read: (own: Captures, id: string, viewer: string | null) => own.read(id, viewer),
  search: (own: Captures, text: string) => own.search(text),
  list: (own: Captures) => own.list(),
};
/** A question to a process, as JSON. */
type Question = [name: keyof typeof ANSWERS, ...values: unknown[]];

/** Makes the captures of a process that may be one of several. */
export function shareCaptures(
  config: Config,
  { captureKey = crypto.randomUUID(), shareCapture, ...lent }: Shared,
): SharedCaptures {
  return new SharedCaptures(new Captures(config, captureKey, lent), shareCapture);
}

/** Switches and reads the captures of all processes. */
export class SharedCaptures {
  /** The captures of this process. */
  readonly own: Captures;
  readonly #ask: ((question: string) => Promise<readonly string[]>) | undefined;

  /** @param share connects the processes; absent if there is only one */
  constructor(captures: Captures, share: Shared["shareCapture"]) {
    this.own = captures;
    this.#ask = share?.(async (question) =>
      JSON.stringify(await this.#answer(JSON.parse(question) as Question) ?? null)
    );
    // A process that replaces another takes over the switch of the others.
    if (this.#ask) void this.#follow().catch(() => {});
  }

  /** The state of capture, with the totals of all processes. */
  async readState(): Promise<CaptureState> {
    const states = (await this.#all<CaptureState | null>(["state"])).filter((state) => state !== null);
    const sum = (count: (state: CaptureState) => number) =>
      states.reduce((total, one) => total + count(one), 0);
    return {
      ...this.own.state,
      requests: sum(({ requests }) => requests),
      bytes: sum(({ bytes }) => bytes),
      maxBytes: sum(({ maxBytes }) => maxBytes),
    };
  }

  /** Switches capture in all processes. */
  async switch(to: CaptureSwitch): Promise<void> {
    this.own.switch(to);
    await this.#all(["switch", to]);
  }

  /** Drops all captures, in all processes. */
  async clear(): Promise<void> {
    this.own.clear();
    await this.#all(["clear"]);
  }

  /** One request as this viewer may see it; `undefined` if no process keeps it. */
  async read(id: string, viewer: string | null): Promise<Capture | undefined> {
    const own = this.own.read(id, viewer);
    if (own || !this.#ask) return own;
    const found = await this.#all<Capture | null>(["read", id, viewer]);
    return found.find((capture) => capture !== null) ?? undefined;
  }

  /** The ids of all requests that are kept, oldest first. Read them one by one: together they may be large. */
  async list(): Promise<string[]> {
    const lists = await this.#all<[id: string, time: number][] | null>(["list"]);
    return lists.flatMap((list) => list ?? []).sort(([, one], [, other]) => one - other).map(([id]) => id);
  }

  /** These captures, or all, oldest first, as this viewer may see them. Reads one at a time, because they may be large. */
  async *readAll(viewer: string | null, ids?: ReadonlySet<string>): AsyncGenerator<Capture> {
    for (const id of await this.list()) {
      const capture = ids && !ids.has(id) ? undefined : await this.read(id, viewer);
      if (capture) yield capture;
    }
  }

  /** The ids of the requests in which a body holds a text. */
  async search(text: string): Promise<string[]> {
    return (await this.#all<string[] | null>(["search", text])).flatMap((ids) => ids ?? []);
  }

  async #follow(): Promise<void> {
    for (const switched of await this.#all<CaptureSwitch | null>(["switched"])) {
      if (switched) this.own.switch(switched);
    }
  }

  /** The answers of all processes; of this one alone if there are no others. */
  async #all<Answer>(question: Question): Promise<Answer[]> {
    if (!this.#ask) return [(await this.#answer(question) ?? null) as Answer];
    const answers = await this.#ask(JSON.stringify(question));
    return answers.map((answer) => JSON.parse(answer) as Answer);
  }

  #answer([name, ...values]: Question): unknown {
    return (ANSWERS[name] as (own: Captures, ...values: unknown[]) => unknown)(this.own, ...values);
  }
}
