/**
 * Ports that nothing listens on.
 * @module
 */
import { createServer } from "node:net";
import process from "node:process";

/** All are below the range that outgoing connections take theirs from. */
const FIRST_PORT = 15_000;
const LAST_PORT = 29_999;
/** One share for each of the processes that run test files side by side, and one for what starts outside of them. */
const SHARES = 16;
const SHARE = Math.floor((LAST_PORT + 1 - FIRST_PORT) / SHARES);

/** The ports of one worker of vitest. No other worker is given them, so what one of them keeps free stays free. */
export function portsOf(worker: number): { first: number; last: number } {
  if (!(worker >= 0 && worker < SHARES)) {
    throw new RangeError(`at most ${SHARES - 1} workers have ports: ${worker}`);
  }
  const first = FIRST_PORT + worker * SHARE;
  return { first, last: first + SHARE - 1 };
}

const { first, last } = portsOf(Number(process.env.VITEST_POOL_ID ?? 0));
/** Processes begin anywhere, so that those of one worker seldom meet. */
let lastGiven = first + Math.floor(Math.random() * SHARE);

/** A port that nothing listens on, and that nobody else in this process was given lately. */
export async function freePort(): Promise<number> {
  for (;;) {
    lastGiven = lastGiven < last ? lastGiven + 1 : first;
    const port = lastGiven;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
