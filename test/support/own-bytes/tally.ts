/**
 * What came of all messages.
 * @module
 */
import type { Plan } from "./plan.ts";

/** The first of them tell enough. */
const MAX_TOLD = 20;

/** Counts what was checked. */
export class Tally {
  /** What was foreign, missing or out of place. */
  readonly foreign: string[] = [];
  /** Bytes of bodies and WebSockets that were checked. */
  bytes = 0;
  /** Selectors, framings, uploads and kinds that came whole; faults that were made. */
  readonly seen: Set<string> = new Set();
  /** Messages that their target has read to the end. Before that, no fault of the target has been made. */
  readonly taken: Set<number> = new Set();

  /** True while nothing was told. */
  get isClean(): boolean {
    return this.foreign.length === 0;
  }

  tell(plan: Plan, text: string): void {
    if (this.foreign.length < MAX_TOLD) this.foreign.push(`${text} ${JSON.stringify(plan)}`);
  }

  /** True if the plan has made a fault by now, so that the caller may get no answer of its target. */
  hasFailed({ message, fault }: Plan): boolean {
    return fault !== undefined && (fault.startsWith("caller") || this.taken.has(message));
  }

  /** A message came as its plan says. */
  done({ kind, selector, framing, upload, fault }: Plan): void {
    this.seen.add(kind);
    if (kind === "request") {
      for (const part of [selector, framing, `upload ${upload}`]) this.seen.add(part);
    }
    if (fault) this.seen.add(fault);
  }
}
