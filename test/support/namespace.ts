/**
 * A network namespace with addresses, name server, targets and proxies of its own, ordered about from outside.
 * @module
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { Answer, type CallOptions } from "./client.ts";
import type { NameTable } from "./dns.ts";
import { Head } from "./http.ts";
import type { Commands, Order, Report, Targets } from "./inside.ts";
import type { RuntimeName, Settings } from "./proxy.ts";
import type { Heard, Sight } from "./sentinel.ts";
import type { SitePages, Visit } from "./sites.ts";
import type { Network } from "./world.ts";

/** A namespace of network and mounts, whose processes end with the one that asked for it. */
const UNSHARE = ["--mount", "--net"];

const PROBE = "ip link set lo up && ip addr add 10.1.2.3/32 dev lo && ip -6 addr add fd00::1/128 dev lo && " +
  "mount --bind /dev/null /etc/resolv.conf";

/** Tries once whether this machine permits all that is needed; gives the reason where it does not. */
export function whyNoNamespace(): string | undefined {
  if (process.env.TEST_NAMESPACE === "off") return "TEST_NAMESPACE is off";
  try {
    execFileSync("unshare", [...UNSHARE, "sh", "-c", PROBE], { stdio: ["ignore", "ignore", "pipe"] });
    return undefined;
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr || error).trim().split("\n")[0];
  }
}

/** The network inside a namespace. */
export class NamespaceNetwork implements Network {
  readonly name = "in a network namespace of its own";
  readonly #runtime: RuntimeName;
  readonly #targets: Targets;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  #folder = "";
  #inside: ChildProcess | undefined;
  #orders = 0;

  constructor(runtime: RuntimeName, targets: Targets = "sentinel") {
    this.#runtime = runtime;
    this.#targets = targets;
  }

  /** A command, and its arguments so far, whose program runs inside. */
  get entering(): string[] {
    if (this.#inside?.pid === undefined) {
      throw new Error("Cannot enter the namespace: it is not open, expected open() to have run");
    }
    return ["nsenter", `--target=${this.#inside.pid}`, "--net", "--mount"];
  }

  /** For files that belong to this network; gone with it. */
  get folder(): string {
    return this.#folder;
  }

  async open(): Promise<void> {
    this.#folder = mkdtempSync(join(tmpdir(), "fetchvia-namespace-"));
    const script = join(this.#folder, "inside.mjs");
    bundle(fileURLToPath(new URL("./inside.ts", import.meta.url)), script);
    const args = [...UNSHARE, process.execPath, script, this.#runtime, this.#folder, this.#targets];
    const inside = spawn("unshare", args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#inside = inside;
    createInterface(inside.stdout).on("line", (line) => this.#take(JSON.parse(line) as Report));
    inside.on("close", () => this.#end());
    await this.#order("open");
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#inside?.once("close", resolve));
    this.#inside?.stdin?.end();
    await ended;
    rmSync(this.#folder, { recursive: true });
  }

  start(settings: Settings): Promise<number> {
    return this.#order("start", settings);
  }

  async call(port: number, line: string, options: CallOptions): Promise<Answer> {
    const { head, body, ended } = await this.#order("call", port, line, options);
    return new Answer(new Head(head), Buffer.from(body, "base64"), ended);
  }

  addNames(table: NameTable): Promise<void> {
    return this.#order("addNames", table);
  }

  countQueries(name: string): Promise<number> {
    return this.#order("countQueries", name);
  }

  look(): Promise<Sight> {
    return this.#order("look");
  }

  hear(): Promise<Heard[]> {
    return this.#order("hear");
  }

  listOutput(port: number): Promise<string> {
    return this.#order("listOutput", port);
  }

  forget(): Promise<void> {
    return this.#order("forget");
  }

  /** Ends a proxy at once, so that another one can start on its port. */
  kill(port: number): Promise<void> {
    return this.#order("kill", port);
  }

  /** Gives the sites their pages, in place of all that they had. */
  publish(pages: SitePages): Promise<void> {
    return this.#order("publish", pages);
  }

  /** What the sites were asked since `forget`. */
  listVisits(): Promise<Visit[]> {
    return this.#order("listVisits");
  }

  /** Ends a site, such as `8.8.4.4:3000`. */
  shutSite(place: string): Promise<void> {
    return this.#order("shutSite", place);
  }

  #order<Name extends keyof Commands>(
    name: Name,
    ...args: Parameters<Commands[Name]>
  ): ReturnType<Commands[Name]> {
    const order: Order = { id: ++this.#orders, name, args };
    const report = new Promise((resolve, reject) => this.#waiting.set(order.id, { resolve, reject }));
    this.#inside?.stdin?.write(`${JSON.stringify(order)}\n`);
    return report as ReturnType<Commands[Name]>;
  }

  #take({ id, result, error }: Report): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  }

  #end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error("The process in the namespace ended"));
    this.#waiting.clear();
  }
}

/** Makes one file for Node 20, which reads no TypeScript; what looks for the project finds it as from here. */
function bundle(entry: string, outfile: string): void {
  buildSync({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    define: { "import.meta.url": JSON.stringify(pathToFileURL(entry).href) },
    logLevel: "error",
  });
}
