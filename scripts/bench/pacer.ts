/**
 * A worker that wakes the thread that made it once per `workerData.periodMs`: timers of the event loop fire half a
 * millisecond late, a wait on shared memory only a tenth. It posts the instant of each wake-up, in milliseconds since
 * 1970, and ends when its cell is no longer 0.
 * @module
 */
import { parentPort, workerData } from "node:worker_threads";

const { cell, periodMs } = workerData as { cell: Int32Array; periodMs: number };
let next = performance.now();
while (Atomics.load(cell, 0) === 0) {
  next += periodMs;
  const left = next - performance.now();
  if (left > 0) Atomics.wait(cell, 0, 0, left);
  parentPort?.postMessage(performance.timeOrigin + next);
}
