/**
 * Scale: the same requests with more processes, targets, callers' tokens and entries of the table. Heads differ in each
 * request, as in the case `fields`, so that the smallest size has no head that comes again either.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import type { Candidate, Place } from "./peers.ts";
import type { Launch } from "./processes.ts";

/** What grows, and its sizes; the first is compared with the last. */
export const SCALES = {
  workers: [1, 2],
  targets: [10, 100, 1_000, 10_000],
  tokens: [1, 1_000, 100_000],
  entries: [1, 1_000, 100_000],
} as const;

/** One of the things that grow. */
export type Scale = keyof typeof SCALES;

/** What the report says of each. */
export const SCALE_TITLES: Readonly<Record<Scale, string>> = {
  workers: "`WORKERS`, on a core for each where the machine has more than two",
  targets: "targets (names below localhost), one of them by chance in each request",
  tokens: "callers' tokens, one of them by chance in each request",
  entries: "entries in the table, one of them for this target",
};

const SIGNING_KEY = "0123456789abcdef0123456789abcdef";

/** The name of the candidate of this size. */
export function nameScaled(runtime: string, scale: Scale, size: number): string {
  return `ours-${runtime}-${size}-${scale}`;
}

/** The candidates of all sizes. */
export function listScaled(commands: Readonly<Record<string, Launch["command"]>>): Candidate[] {
  return Object.keys(SCALES).flatMap((key) => {
    const scale = key as Scale;
    return Object.entries(commands).flatMap(([runtime, command]) =>
      SCALES[scale].map((size) => scaledCandidate(nameScaled(runtime, scale, size), command, scale, size))
    );
  });
}

function scaledCandidate(name: string, command: Launch["command"], scale: Scale, size: number): Candidate {
  return {
    name,
    variant: scale,
    cores: scale === "workers" ? size : 1,
    async launch(place) {
      const more = await SETTINGS[scale]?.(size, place);
      return { command, env: { HOST: "127.0.0.1", PORT: String(place.port), ...more } };
    },
    headers: (target): Record<string, string> => scale === "targets" ? {} : { proxy_host: target },
    lines: (target) => LINES[scale]?.(size, target),
  };
}

/** The settings of a size. A table is a file, because variables are at most 128 KiB long. */
const SETTINGS: Partial<
  Record<Scale, (size: number, place: Place) => Record<string, string> | Promise<Record<string, string>>>
> = {
  workers: (size) => ({ WORKERS: String(size) }),
  tokens: () => ({ CALLER_TOKENS: "true", SIGNING_KEY }),
  async entries(size, { folder, target }) {
    const hosts = Array.from({ length: size - 1 }, (_, at) => `host${at}.example.com`);
    const set = { "x-a": "1" };
    const file = join(folder, `table-${size}.json`);
    const names = [...hosts, new URL(target).host];
    await writeFile(file, JSON.stringify(Object.fromEntries(names.map((name) => [name, { set }]))));
    return { TARGETS: file };
  },
};

/** The header lines of a size, of which each request has one. */
const LINES: Partial<Record<Scale, (size: number, target: string) => string[] | Promise<string[]>>> = {
  targets(size, target) {
    const { port } = new URL(target);
    return Array.from({ length: size }, (_, at) => `proxy_host: http://target${at}.localhost:${port}`);
  },
  async tokens(size) {
    const expires = Math.floor(Date.now() / 1_000) + 86_400;
    const tokens = Array.from(
      { length: size },
      (_, at) => mintToken({ id: `caller${at}`, expires }, SIGNING_KEY),
    );
    return (await Promise.all(tokens)).map((token) => `proxy_token: ${token}`);
  },
};
