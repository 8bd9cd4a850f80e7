/**
 * Ports that nothing listens on.
 * @module
 */
import { createServer } from "node:net";

/** All are below the range that outgoing connections take theirs from. */
const FIRST_PORT = 15_000;
const LAST_PORT = 29_999;

/** Processes begin anywhere, so that they seldom meet. */
let lastGiven = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));

/** A port that nothing listens on, and that nobody else in this process was given lately. */
export async function freePort(): Promise<number> {
  for (;;) {
    lastGiven = lastGiven < LAST_PORT ? lastGiven + 1 : FIRST_PORT;
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
