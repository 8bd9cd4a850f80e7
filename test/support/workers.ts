/**
 * Looks at the processes that a proxy has started, and keeps connections to them open.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import { type Connection, open, request } from "./client.ts";
import { holdsConnection } from "./descriptors.ts";
import type { Pool } from "./pool.ts";
import { type Proxy, type Settings, startProxy } from "./proxy.ts";
import { waitFor } from "./wait.ts";

/** Starts two workers; the first answers before the last is there, so this waits for the start line. */
export async function startTwo(pool: Pick<Pool, "runtime">, settings: Settings = {}): Promise<Proxy> {
  const proxy = await startProxy(pool.runtime, { WORKERS: "2", ...settings });
  await waitFor(() => expect(proxy.stderr()).toContain("listening"));
  return proxy;
}

/** Process ids of the workers, as the kernel knows them. */
export function workersOf({ process: { pid } }: Proxy): number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).flatMap((task) => readFileSync(`${tasks}/${task}/children`, "utf8").split(" "))
    .filter(Boolean)
    .map(Number);
}

/** Opens so many connections, each of which has been answered. */
export async function connectMany(proxy: Proxy, many: number): Promise<Connection[]> {
  return await Promise.all(Array.from({ length: many }, async () => {
    const connection = await open(proxy.port);
    connection.write(request("GET", "/p", { Host: "localhost" }));
    expect((await connection.answer()).status).toBe(200);
    return connection;
  }));
}

/** Opens so many connections to each worker, each of which has been answered. */
export async function connectEach(proxy: Proxy, many: number): Promise<Connection[]> {
  const missing = workersOf(proxy).flatMap((pid) => Array<number>(many).fill(pid));
  const kept: Connection[] = [];
  while (missing.length > 0) {
    const [connection] = await connectMany(proxy, 1) as [Connection];
    const place = missing.findIndex((pid) => holdsConnection(pid, proxy.port, connection.localPort));
    if (place < 0) connection.destroy();
    else kept.push(connection);
    missing.splice(place, place < 0 ? 0 : 1);
  }
  return kept;
}

/** Waits until another process is there in place of one; the dead are listed until the first process has seen it. */
export async function untilReplaced(proxy: Proxy, pid: number): Promise<void> {
  await waitFor(() => {
    expect(workersOf(proxy)).not.toContain(pid);
    expect(workersOf(proxy)).toHaveLength(2);
  });
}

/** Waits until none of these processes is left. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  await waitFor(() => expect(pids.filter(isRunning)).toEqual([]));
}

/** True until a process has ended and its end has been seen. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
