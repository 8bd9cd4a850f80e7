/**
 * The candidates: the project's three entries in their variants, and the peers that can run here.
 * @module
 */
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { FLOORS } from "./floors.ts";
import { describeHaproxy, describeNginx } from "./native-peers.ts";
import { type Launch, plainEnvironment } from "./processes.ts";
import { PROGRAMS } from "./programs.ts";
import { listScaled, type Scale } from "./scale.ts";

/** The folder of the project. */
export const ROOT = resolve(import.meta.dirname, "../..");
const MANIFESTS = join(import.meta.dirname, "peers");
/** Not in scripts, because `npm run check` reads all of that folder. */
const PEERS = join(ROOT, ".bench/peers");

/** The binary that runs the bench; `node_modules/.bin/bun` would start a second process. */
const BUN = process.execPath;
/** Bun's `fetch` sends at most 256 requests at once by default. */
const PEER_ENV = { BUN_CONFIG_MAX_HTTP_REQUESTS: "65000" };

/** Where a candidate has to listen, which target it has to reach, and where it may write. */
export interface Place {
  port: number;
  /** The origin of the target. */
  target: string;
  /** The PEM file of the authority that signed an https target's certificate. */
  authority: string;
  folder: string;
}

/**
 * How the proxy's own candidates differ: as it is; without a log; with the target in the cookie; with a table of 1,000
 * targets without the target of the bench; with a table that has a key for that target; and started from its sources.
 */
const VARIANTS = ["default", "quiet", "cookie", "table", "keyed", "source"] as const;
type Variant = (typeof VARIANTS)[number];

/** A program that is measured. */
export interface Candidate {
  name: string;
  /** The variant of the proxy itself; peers have none. */
  variant?: Variant | Scale;
  /** True if it does the least that a proxy can do, and so does not support every case. */
  isFloor?: boolean;
  launch(place: Place): Promise<Launch>;
  /** The headers by which requests name the target. */
  headers(target: string): Record<string, string>;
  /** How many cores it may use; 1 by default. */
  cores?: number;
  /** Header lines of which each request carries one, by chance. */
  lines?(target: string): string[] | undefined | Promise<string[]>;
}

/** All candidates that can run here, in the order of the report. Builds the project and installs the peers. */
export async function listCandidates(say: (line: string) => void): Promise<Candidate[]> {
  run("build", [BUN, join(ROOT, "scripts/build.ts")], ROOT);
  const deno = findDeno();
  return [
    ...VARIANTS.flatMap((variant) => listOwn(deno, variant)),
    ...listScaled(ownCommands(deno, join(ROOT, BUILT))),
    ...await listPackagePeers(deno, say),
    ...listNativePeers(say),
  ];
}

/** The command in the package, which `npm run start:node` runs. */
const BUILT = "dist/command/main.js";

/** The candidates of a variant. Node has no `source` variant, because it can't start from the sources. */
function listOwn(deno: string, variant: Variant): Candidate[] {
  const isSource = variant === "source";
  const commands = ownCommands(deno, join(ROOT, isSource ? "src/command/main.ts" : BUILT));
  const own = Object.entries(commands).filter(([runtime]) => !isSource || runtime !== "node");
  return own.map(([runtime, command]) => ownCandidate(runtime, command, variant));
}

/** The commands with the flags of the start scripts, without npm and shims in between. */
function ownCommands(deno: string, main: string): Record<string, Launch["command"]> {
  return {
    bun: [BUN, main],
    deno: [deno, "run", "-A", "--unstable-net", main],
    node: ["node", main],
  };
}

/** The settings of a variant, by the origin of the target. */
const SETTINGS: Partial<Record<Variant, (target: string) => Record<string, string>>> = {
  quiet: () => ({ LOG: "off" }),
  table: () => ({ TARGETS: JSON.stringify(TABLE) }),
  keyed: (target) => ({
    BENCH_KEY: "sk-0123456789abcdef0123456789abcdef",
    TARGETS: JSON.stringify({
      ...TABLE,
      [new URL(target).host]: { set: { "x-api-key": "{{BENCH_KEY}}" } },
    }),
  }),
};

/** A thousand hosts, each with a field to set. */
const TABLE = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, at) => [`host${at}.example.com`, { set: { "x-a": "1" } }]),
);

function ownCandidate(runtime: string, command: Launch["command"], variant: Variant): Candidate {
  return {
    name: variant === "default" ? `ours-${runtime}` : `ours-${runtime}-${variant}`,
    variant,
    launch(place) {
      const settings = { HOST: "127.0.0.1", PORT: String(place.port), ...SETTINGS[variant]?.(place.target) };
      return Promise.resolve({ command, env: { ...settings, ...trust(place) } });
    },
    headers(target): Record<string, string> {
      return variant === "cookie" ? { cookie: `proxy_host=${target}` } : { proxy_host: target };
    },
  };
}

/** The variables that name an authority to Node and Bun, and to Deno. */
function trust({ target, authority }: Place): Record<string, string> {
  return target.startsWith("https:") ? { NODE_EXTRA_CA_CERTS: authority, DENO_CERT: authority } : {};
}

async function listPackagePeers(deno: string, say: (line: string) => void): Promise<Candidate[]> {
  const isInstalled = await installPeers(say);
  const programs = Object.entries({ ...PROGRAMS, ...FLOORS });
  for (const [name, text] of programs) await writeFile(join(PEERS, name), text);
  const packaged: [string, Launch["command"]][] = [
    ["http-proxy-3", ["node", "http-proxy-3.mjs"]],
    ["fastify", ["node", "fastify.mjs"]],
    ["hono-bun", [BUN, "hono-bun.mjs"]],
    ["hono-deno", [deno, "run", "-A", "hono-deno.mjs"]],
    ["hono-node", ["node", "hono-node.mjs"]],
    ["h3-bun", [BUN, "h3.mjs"]],
    ["h3-deno", [deno, "run", "-A", "h3.mjs"]],
    ["h3-node", ["node", "h3.mjs"]],
  ];
  const bare: [string, Launch["command"]][] = [
    ["bare-bun", [BUN, "bare-bun.mjs"]],
    ["bare-deno", [deno, "run", "-A", "bare-deno.mjs"]],
    ["floor-bun", [BUN, "floor-bun.mjs"]],
    ["floor-deno", [deno, "run", "-A", "floor-deno.mjs"]],
    ["floor-node", ["node", "floor-node.mjs"]],
  ];
  return [...isInstalled ? packaged : [], ...bare].map(([name, command]) => ({
    name,
    isFloor: `${name}.mjs` in FLOORS,
    headers: () => ({}),
    launch(place) {
      const [program, ...args] = command;
      const env = { ...PEER_ENV, PORT: String(place.port), TARGET: place.target, ...trust(place) };
      const file = join(PEERS, args.pop() ?? "");
      return Promise.resolve({ command: [program, ...args, file], env });
    },
  }));
}

/** Installs the packages of the lock file, unless they are there. */
async function installPeers(say: (line: string) => void): Promise<boolean> {
  await mkdir(PEERS, { recursive: true });
  const lock = "package-lock.json";
  const installed = join(PEERS, "installed.json");
  const wanted = await readFile(join(MANIFESTS, lock), "utf8");
  if (await readFile(installed, "utf8").catch(() => "") === wanted) return true;
  for (const name of ["package.json", lock]) await copyFile(join(MANIFESTS, name), join(PEERS, name));
  try {
    run("install of the peers", ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], PEERS);
    await writeFile(installed, wanted);
    return true;
  } catch (error) {
    say(`left out: peers from npm (${error instanceof Error ? error.message : error})`);
    return false;
  }
}

function listNativePeers(say: (line: string) => void): Candidate[] {
  const peers = [
    { name: "nginx", launch: describeNginx, isHere: spawnSync("nginx", ["-v"]).status === 0 },
    { name: "haproxy", launch: describeHaproxy, isHere: spawnSync("haproxy", ["-v"]).status === 0 },
  ];
  for (const { name, isHere } of peers) if (!isHere) say(`left out: ${name} (not installed)`);
  return peers.filter(({ isHere }) => isHere).map(({ name, launch }) => ({
    name,
    launch,
    headers: () => ({}),
  }));
}

function findDeno(): string {
  return createRequire(join(ROOT, "package.json"))("deno/install_api.cjs").runInstall();
}

function run(what: string, [program = "", ...args]: readonly string[], cwd: string): void {
  const env = { ...process.env, ...plainEnvironment() };
  const { status, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot finish the ${what}: ${stderr.trim().split("\n").at(-1)}`);
}
