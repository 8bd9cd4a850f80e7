/**
 * One side of a WebSocket: says its own stream in messages, and checks that the other side's comes.
 * @module
 */
import type { Peer } from "../websocket-peer.ts";
import { bytesOf, StreamReader } from "./alphabet.ts";
import type { Plan } from "./plan.ts";
import { cutOff } from "./pour.ts";
import type { Tally } from "./tally.ts";

const MESSAGES = [1, 125, 126, 4_000, 70_000, 300];
const TEXT = 1;
const BINARY = 2;
const PATIENCE_MS = 30_000;

interface TalkOptions {
  plan: Plan;
  tally: Tally;
  /** The streams of both directions. */
  out: number;
  in: number;
  /** What this side does after half of its messages, or after all of the other's. */
  end: "reset" | "close" | "wait" | "whole";
}

/** Talks until the connection is over. */
export async function talk(peer: Peer, options: TalkOptions): Promise<void> {
  const { plan, tally, end } = options;
  const reader = new StreamReader(options.in, (text) => tally.tell(plan, text));
  const expected = MESSAGES.reduce((sum, size) => sum + size, 0);
  const isCut = end === "reset" || end === "close";
  let said = 0;
  const speak = (messages: readonly number[]) => {
    for (const [turn, size] of messages.entries()) {
      peer.send(turn % 2 === 0 ? BINARY : TEXT, bytesOf(options.out, said, size));
      said += size;
    }
  };
  speak(isCut ? MESSAGES.slice(0, 3) : MESSAGES);
  for (;;) {
    const { text, binary, closed } = await peer.next(PATIENCE_MS);
    if (closed !== undefined) break;
    reader.take(binary ?? Buffer.from(text ?? ""));
    if (end === "reset") cutOff(peer.socket);
    else if (end === "close" || (end === "whole" && reader.size === expected)) peer.close(1000);
  }
  tally.bytes += reader.size;
  if (plan.fault === undefined && reader.size !== expected) {
    tally.tell(plan, `${end === "whole" ? "the caller" : "the target"} got ${reader.size} bytes`);
  }
}
