/**
 * Bodies for tests: what their source is told, and what a sink is given.
 * @module
 */
import { FlowBody } from "../../src/core/http/flow.ts";
import type { Sink } from "../../src/core/http/flow-pipe.ts";

/** A source that notes what it is told. */
export function sourced() {
  const told: unknown[] = [];
  const body = new FlowBody({
    pause: () => void told.push("pause"),
    resume: () => void told.push("resume"),
    cancel: (reason) => void told.push(["cancel", reason]),
  });
  return { body, told };
}

/** A sink that notes what it is given; it takes so many chunks before it wants to wait. */
export class NotedSink implements Sink {
  readonly given: string[] = [];
  readonly listeners: Record<string, () => void> = {};
  room: number;

  constructor(room = Infinity) {
    this.room = room;
  }

  write(chunk: Uint8Array): boolean {
    this.given.push(textOf(chunk));
    this.room -= 1;
    return this.room > 0;
  }

  end(last?: Uint8Array): void {
    this.given.push(`${last ? textOf(last) : ""}.`);
  }

  destroy(failure: Error): void {
    this.given.push(`!${failure.message}`);
  }

  on(event: "drain" | "close", listener: () => void): void {
    this.listeners[event] = listener;
  }
}

/** The text of a chunk. */
function textOf(chunk: Uint8Array): string {
  return new TextDecoder().decode(chunk);
}

/** A chunk of text. */
export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
