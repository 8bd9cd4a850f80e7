/**
 * The descriptors that a process holds, as the kernel tells of them (Linux).
 * @module
 */
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, vi } from "vitest";
import type { Proxy } from "./proxy.ts";

/** More than the 15 s that a handshake and a head may take, and the 2 s of an end. */
export const GONE = { timeout: 30_000, interval: 200 };

/** A caller who sends this, takes what comes, and never closes. */
export async function hold(port: number, bytes: Buffer | string): Promise<Socket> {
  const caller = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => {}).resume();
  await once(caller, "connect");
  caller.write(bytes);
  return caller;
}

/** Waits until the proxy has closed a caller's connection, and has its descriptor no more. */
export async function untilGone(proxy: Proxy, caller: Socket): Promise<void> {
  const { pid = 0 } = proxy.process;
  const { localPort = 0 } = caller;
  // Before it takes the connection it has no descriptor either.
  await vi.waitFor(() => expect(caller.readableEnded || caller.destroyed).toBe(true), GONE);
  await vi.waitFor(() => expect(holdsConnection(pid, proxy.port, localPort)).toBe(false), GONE);
  // A process that has ended holds nothing either.
  expect([proxy.process.exitCode, proxy.process.signalCode]).toEqual([null, null]);
  caller.destroy();
}

/** Whether a process holds its end of a TCP connection between these ports, in whatever state. */
export function holdsConnection(pid: number, ownPort: number, otherPort: number): boolean {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((name) => readLink(`/proc/${pid}/fd/${name}`)));
  const rows = ["tcp", "tcp6"].flatMap((kind) => readFileSync(`/proc/net/${kind}`, "utf8").split("\n"));
  return rows.some((row) => {
    const [, own = "", other = "", , , , , , , inode] = row.trim().split(/\s+/);
    return portOf(own) === ownPort && portOf(other) === otherPort && sockets.has(`socket:[${inode}]`);
  });
}

function portOf(address: string): number {
  return parseInt(address.split(":")[1] ?? "", 16);
}

/** What a descriptor leads to; one that has been closed meanwhile leads nowhere. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
