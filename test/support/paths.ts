/**
 * Random paths below `/v1/` that servers read differently.
 * @module
 */
import type { Dice } from "./dice.ts";

const PARTS = [
  "a",
  "b.c",
  "admin",
  "..",
  ".",
  "",
  "...",
  "%2e%2e",
  ".%2E",
  "%2e",
  "%252e%252e",
  "..;x",
  "..%3bx",
  ";x",
  "a;x",
  "a%3b",
  "%61",
  "%ef%bc%8e%EF%BC%8E",
];
const SEPARATORS = ["/", "/", "/", "/", "//", "%2f", "%2F", "%5c", "\\", "%252f", "%255c", "%ef%bc%8f"];
const MOST_PARTS = 8;

/** Deals a path. */
export function dealPath(dice: Dice): string {
  const count = 1 + Math.floor(dice.roll() * MOST_PARTS);
  return `/v1/${Array.from({ length: count }, () => dice.pick(PARTS) + dice.pick(SEPARATORS)).join("")}x`;
}
