/**
 * The settings about capture: what is kept of requests, and in how much memory.
 * @module
 */

import type { Config, Setting } from "./setting.ts";
import { parseSize } from "./values.ts";

type Name = "capture" | "captureBytes";

const MEBIBYTE = 1_048_576;
/** Maximum bytes that are kept of one body. */
const MOST_BODY_BYTES: number = 16 * MEBIBYTE;
const LEAST_MEMORY = MEBIBYTE;
const MOST_MEMORY = 4_096 * MEBIBYTE;

/** The settings about capture, in the order of the settings table. */
export const CAPTURE_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  capture: {
    group: "output",
    part: "capture",
    fallback: "console",
    unit: "off/console/heads/size",
    expected: "off, console, heads or a size from 1 to 16MiB such as 64KiB",
    type: '"off" | "console" | "heads" | `${number}` | `${number}KiB` | `${number}MiB` | number',
    parse: parseCapture,
  },
  captureBytes: {
    group: "output",
    part: "capture",
    fallback: 64 * MEBIBYTE,
    unit: "size",
    expected: "a size from 1MiB to 4GiB such as 64MiB",
    type: "`${number}` | `${number}KiB` | `${number}MiB` | `${number}GiB` | number",
    parse: (text) => parseSize(text, LEAST_MEMORY, MOST_MEMORY),
  },
};

/** Parses what capture keeps: `off`, `console`, `heads`, or a size in bytes. */
export function parseCapture(text: string): Config["capture"] | undefined {
  const word = text.toLowerCase();
  return word === "off" || word === "console" || word === "heads"
    ? word
    : parseSize(text, 1, MOST_BODY_BYTES);
}
