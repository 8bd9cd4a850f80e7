/**
 * The CPU time and memory of a process, read from /proc and from the process's own clock.
 * @module
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { readCpuMicros } from "./cpu-clock.ts";

const KIB = 1024;

/** Ticks per second in /proc/<pid>/stat. */
const TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** The cost of a process and of its children, living or not, since its start. */
export interface Usage {
  /** User and system time, in microseconds. */
  cpuMicros: number;
  /** Memory in use now (`VmRSS`). */
  residentBytes: number;
  /** The highest memory use so far (`VmHWM`). */
  peakBytes: number;
}

interface Stat {
  parent: number;
  /** CPU time of its children that have ended. */
  ticks: number;
}

/** Reads the CPU time and the memory of a process so far. */
export function readUsage(pid: number): Usage {
  const usage: Usage = { cpuMicros: 0, residentBytes: 0, peakBytes: 0 };
  for (const member of listFamily(pid)) {
    const status = readProc(member, "status");
    usage.cpuMicros += readCpuMicros(member) + (readStat(member)?.ticks ?? 0) / TICKS * 1e6;
    usage.residentBytes += readKib(status, "VmRSS");
    usage.peakBytes += readKib(status, "VmHWM");
  }
  return usage;
}

/** The process and all of its descendants. */
function listFamily(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat) parents.set(Number(name), stat.parent);
  }
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

/** The parent, and `cutime` and `cstime` of children that have been waited for. */
function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, "stat");
  if (!text) return undefined;
  // The name in parentheses may hold blanks and parentheses of its own.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ").map(Number);
  return { parent: fields[1] ?? 0, ticks: (fields[13] ?? 0) + (fields[14] ?? 0) };
}

function readKib(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * KIB;
}

/** Empty for a process that is gone. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}
