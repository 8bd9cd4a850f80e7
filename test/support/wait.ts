/**
 * Waits for what comes sooner or later. A busy machine is slow, so nothing here is a measure of time.
 * @module
 */
import { vi } from "vitest";

const PATIENT = { timeout: 20_000, interval: 20 };

/** Waits until `check` does not throw any more, and gives what it returns. */
export function waitFor<T>(check: () => T | Promise<T>, timeout: number = PATIENT.timeout): Promise<T> {
  return vi.waitFor(check, { ...PATIENT, timeout });
}

/** Waits until `find` returns something, and gives it. */
export function waitUntil<T>(find: () => T | Promise<T>): ReturnType<typeof vi.waitUntil<T>> {
  return vi.waitUntil(find, PATIENT);
}
