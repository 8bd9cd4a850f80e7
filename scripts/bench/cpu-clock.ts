/**
 * The clock of a process's CPU time. /proc counts it in ticks of 10 ms, which is too coarse for a process that does little.
 * @module
 */
import { dlopen } from "bun:ffi";

/** `clock_gettime` fills in seconds and nanoseconds; returns 0 on success (POSIX.1). */
const { symbols: libc } = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } });
const time = new BigInt64Array(2);

/** User and system time of all threads of a process, including ended ones, in microseconds. 0 if the process is gone. */
export function readCpuMicros(pid: number): number {
  // The number that Linux gives the clock of a process (clock_getcpuclockid(3)).
  const clock = (~pid << 3) | 2;
  if (libc.clock_gettime(clock, time) !== 0) return 0;
  const [seconds = 0n, nanoseconds = 0n] = time;
  return Number(seconds) * 1e6 + Number(nanoseconds) / 1e3;
}
