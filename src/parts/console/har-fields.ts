/**
 * Header lines in HAR: of heads, and of trailers and interim responses, for which HAR 1.2 has no members.
 * @module
 */

import type { CapturedInterim, FieldLine } from "../capture/capture.ts";

/** A name and its value. */
export interface HarPair {
  name: string;
  value: string;
}

/** The head of an interim response, in the form that HAR uses for responses. */
export interface HarInterim {
  /** Unix seconds, as in messages of a WebSocket. */
  time: number;
  status: number;
  statusText: string;
  headers: HarPair[];
}

/** Writes lines in their order. */
export function writeFields(lines: readonly FieldLine[]): HarPair[] {
  return lines.map(([name, value]) => ({ name, value }));
}

/** Writes the trailers of a message, if there are any. */
export function writeTrailers(lines: readonly FieldLine[] | undefined): { _trailers?: HarPair[] } {
  return lines ? { _trailers: writeFields(lines) } : {};
}

/**
 * Writes the interim responses before a response, if there are any.
 *
 * @param start when the request arrived, in Unix milliseconds
 */
export function writeInterims(
  interims: readonly CapturedInterim[] | undefined,
  start: number,
): { _interimResponses?: HarInterim[] } {
  if (!interims) return {};
  const all = interims.map(({ atMs, status, statusText, headers }) => ({
    time: (start + atMs) / 1_000,
    status,
    statusText,
    headers: writeFields(headers),
  }));
  return { _interimResponses: all };
}

/** The values of all lines of a header. Takes its lower-case name. */
export function valuesOf(lines: readonly FieldLine[], wanted: string): string[] {
  return lines.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}
