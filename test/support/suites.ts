/**
 * Suites of others, each with a server of the kind that it asks for: run against that server, or a proxy in front of it.
 * @module
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEverything } from "../apps/everything.ts";
import type { SuiteName } from "../conformance/table/foreign.ts";
import { packagesOf } from "./apps.ts";
import { freePort } from "./free-port.ts";
import { commandOf, ROOT } from "./proxy.ts";
import { waitFor } from "./wait.ts";

/** What a suite says of each of its cases or groups, by name: so many `passed`, so many `failed`. */
export type Verdicts = Record<string, string>;

/** A suite, and its server. */
export interface Suite {
  /** The origin of its server, which listens on loopback. */
  origin: string;
  stop(): Promise<unknown>;
  /** Runs it against an origin, which leads to its server; `as` is a name that no other run has. */
  run(origin: string, as: string): Promise<Verdicts>;
}

const CACHE_TESTS = join(packagesOf("http-cache-tests"), "http-cache-tests");
const MCP_TESTS = join(packagesOf("mcp-conformance"), "@modelcontextprotocol/conformance/dist/index.js");

/** Runs a program; gives what it writes, whatever its exit code says. */
function outputOf(program: string, args: string[], cwd: string, env: Verdicts = {}): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const options = { cwd, env: { PATH, HOME, ...env }, maxBuffer: 1e8, timeout: 120_000 };
  return new Promise((resolve) => {
    execFile(program, args, options, (_, stdout, stderr) => resolve(stdout || stderr));
  });
}

/** Starts a program that listens on a port, and waits until it answers. */
async function serve(port: number, program: string, args: string[], cwd: string, env: Verdicts = {}) {
  const child = spawn(program, args, { cwd, env: { PATH: process.env["PATH"], ...env }, stdio: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(async () => (await fetch(origin)).arrayBuffer());
  return {
    origin,
    async stop() {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    },
  };
}

const apacheConfig = (port: number, folder: string) => `
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule dav_module /usr/lib/apache2/modules/mod_dav.so
LoadModule dav_fs_module /usr/lib/apache2/modules/mod_dav_fs.so
ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
User www-data
Group www-data
PidFile pid
ErrorLog log
DavLockDB ${folder}/lock
DocumentRoot ${folder}
<Directory ${folder}>
  Dav On
</Directory>
`;

/** The suite of WebDAV, and Apache's mod_dav: both as Debian has them. */
async function startLitmus(): Promise<Suite> {
  const [port, folder] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), "fetchvia-dav-"))]);
  await writeFile(join(folder, "conf"), apacheConfig(port, folder));
  // Started by root, it goes on as www-data.
  await chmod(folder, 0o777);
  const { origin, stop } = await serve(port, "/usr/sbin/apache2", ["-X", "-f", join(folder, "conf")], folder);
  return {
    origin,
    stop: () => stop().then(() => rm(folder, { recursive: true })),
    async run(origin, as) {
      await mkdir(join(folder, as));
      await chmod(join(folder, as), 0o777);
      const output = await outputOf("litmus", [`${origin}/${as}/`], folder);
      return readVerdicts(output, /summary for `(\w+)': of \d+ tests run: (\d+ passed, \d+ failed)/g);
    },
  };
}

/** Mark Nottingham's tests of caches, with their own server: fields, conditional requests, ranges, disconnections. */
async function startCacheTests(): Promise<Suite> {
  const port = await freePort();
  const env = { npm_config_protocol: "http", npm_config_port: String(port), npm_config_pidfile: "/dev/null" };
  const server = await serve(port, process.execPath, ["server/server.mjs"], CACHE_TESTS, env);
  return {
    ...server,
    async run(origin) {
      const env = { npm_config_base: origin, npm_package_config_id: "" };
      const output = await outputOf(process.execPath, ["--no-warnings", "cli.mjs"], CACHE_TESTS, env);
      const results = Object.entries(JSON.parse(output) as Record<string, true | string[]>);
      return Object.fromEntries(results.map(([name, result]) => [
        name,
        result === true ? "1 passed, 0 failed" : "0 passed, 1 failed",
      ]));
    },
  };
}

/** The conformance suite of MCP, which needs more than Node 20 and runs on Bun. */
async function startMcp(): Promise<Suite> {
  const port = await freePort();
  const server = createServer(createEverything(port)).listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
    async run(origin) {
      const args = [MCP_TESTS, "server", "--suite", "all", "--url", `${origin}/mcp`];
      const output = await outputOf(commandOf("bun")[0], args, ROOT);
      return readVerdicts(output, /^\S (\S+): (\d+ passed, \d+ failed)/gm);
    },
  };
}

function readVerdicts(output: string, pattern: RegExp): Verdicts {
  const found = [...output.matchAll(pattern)].map(([, name = "", said = ""]) => [name, said]);
  if (found.length === 0) throw new Error(`Expected verdicts, got ${output}`);
  return Object.fromEntries(found);
}

/** How each suite starts, by its name in `conformance/table/foreign.ts`. */
export const START: Record<SuiteName, () => Promise<Suite>> = {
  litmus: startLitmus,
  "http-cache-tests": startCacheTests,
  "MCP conformance": startMcp,
};

/** The sum of verdicts, as the document has it. */
export function sumOf(verdicts: Verdicts): string {
  const counts = Object.values(verdicts).map((said) => (said.match(/\d+/g) ?? []).map(Number));
  const [passed, failed] = [0, 1].map((at) => counts.reduce((sum, count) => sum + (count[at] ?? 0), 0));
  return `${passed} of ${(passed ?? 0) + (failed ?? 0)}`;
}

/** The cases that two runs judge differently. */
export function differencesOf(one: Verdicts, other: Verdicts): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => one[name] !== other[name]).sort();
}
