/**
 * Finds header fields by name.
 * @module
 */

/** Header lines, in the order of the wire. */
export type Lines = readonly (readonly [name: string, value: string])[];

/** The value of the first line of this lower-case name; `undefined` if there is none. */
export function findField(lines: Lines, name: string): string | undefined {
  return lines.find(([other]) => other.toLowerCase() === name)?.[1];
}

/** True if there is a line of this lower-case name. */
export function hasField(lines: Lines, name: string): boolean {
  return findField(lines, name) !== undefined;
}
