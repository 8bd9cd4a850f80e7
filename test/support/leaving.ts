/**
 * Callers who go before they have their answer.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { open } from "./client.ts";
import type { Upstream } from "./upstream.ts";

/** Callers one after the other, each with the same request; one leaves after each of these delays in milliseconds. */
export async function leaveAfter(port: number, bytes: Buffer, delays: number[]): Promise<void> {
  for (const delay of delays) {
    const connection = await open(port);
    connection.write(bytes);
    await sleep(delay);
    connection.destroy();
  }
}

/** The target may write to a proxy that has hung up already. */
export function expectResets(upstream: Upstream): void {
  upstream.early = (received) => void received.gone.catch(() => {});
}
