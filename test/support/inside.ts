/**
 * The process inside the namespace: sets up the network, and does what the tests order, one line of JSON each.
 * @module
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { call, type CallOptions, type Ending } from "./client.ts";
import { Names, type NameTable, serveNames } from "./dns.ts";
import { freePort } from "./free-port.ts";
import { Child, type RuntimeName, type Settings } from "./proxy.ts";
import { type Heard, OWNED, Sentinel, type Sight } from "./sentinel.ts";
import { type SitePages, Sites, type Visit } from "./sites.ts";
import { AUTHORITY } from "./authority.ts";

/** An order from the tests. */
export interface Order {
  id: number;
  name: keyof Commands;
  args: unknown[];
}

/** What came of it. */
export interface Report {
  id: number;
  result?: unknown;
  error?: string;
}

/** An answer of the proxy, as JSON can hold it. */
export interface PlainAnswer {
  head: string;
  /** Base64. */
  body: string;
  ended: Ending;
}

const [runtime = "node", folder = "", targets] = process.argv.slice(2) as [RuntimeName, string, Targets];

/** Who listens inside: one that takes whatever is dialled, or sites whose pages are scripted. */
export type Targets = "sentinel" | "sites";

/** What the tests may order. */
export class Commands {
  readonly #names = new Names();
  readonly #sentinel = new Sentinel();
  readonly #sites = new Sites();
  readonly #proxies = new Map<number, Child>();

  async open(): Promise<void> {
    execFileSync("ip", ["link", "set", "lo", "up"]);
    const lines = OWNED.map((address) => `addr add ${address}/${address.includes(":") ? 128 : 32} dev lo`);
    execFileSync("ip", ["-force", "-batch", "-"], {
      input: lines.join("\n"),
      stdio: ["pipe", "ignore", "inherit"],
    });
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n");
    replace("/etc/hosts", "127.0.0.1 localhost\n::1 localhost\n");
    replace("/etc/nsswitch.conf", "hosts: files dns\n");
    writeFileSync(join(folder, "authority.pem"), AUTHORITY);
    await serveNames(this.#names, "127.0.0.1", 53);
    await (targets === "sites" ? this.#sites : this.#sentinel).listen();
  }

  async start(settings: Settings): Promise<number> {
    const authority = join(folder, "authority.pem");
    const trust = { NODE_EXTRA_CA_CERTS: authority, DENO_CERT: authority };
    const port = Number(settings.PORT ?? await freePort());
    const child = new Child(runtime, { PORT: String(port), LOG: "off", ...trust, ...settings });
    this.#proxies.set(port, child);
    await untilListening(child);
    return port;
  }

  /** Ends the proxy on a port at once; another one can start there. */
  async kill(port: number): Promise<void> {
    await this.#proxies.get(port)?.stop("SIGKILL");
  }

  async call(port: number, line: string, options: CallOptions): Promise<PlainAnswer> {
    const { head, body, ended } = await call(port, line, options);
    return { head, body: body.toString("base64"), ended };
  }

  addNames(table: NameTable): Promise<void> {
    this.#names.add(table);
    return Promise.resolve();
  }

  countQueries(name: string): Promise<number> {
    return Promise.resolve(this.#names.count(name));
  }

  look(): Promise<Sight> {
    return this.#sentinel.look();
  }

  hear(): Promise<Heard[]> {
    return this.#sentinel.hear();
  }

  /** What a proxy has written, and its command line, as everyone on its machine sees it. */
  listOutput(port: number): Promise<string> {
    const child = this.#proxies.get(port);
    const command = child?.process.pid === undefined
      ? ""
      : readFileSync(`/proc/${child.process.pid}/cmdline`);
    return Promise.resolve(`${command}\n${child?.stdout()}\n${child?.stderr()}`);
  }

  forget(): Promise<void> {
    this.#sentinel.forget();
    this.#sites.forget();
    return Promise.resolve();
  }

  publish(pages: SitePages): Promise<void> {
    this.#sites.publish(pages);
    return Promise.resolve();
  }

  /** What the sites were asked; waits a little for what may be on its way. */
  async listVisits(): Promise<Visit[]> {
    await sleep(20);
    return this.#sites.visits;
  }

  shutSite(place: string): Promise<void> {
    this.#sites.shut(place);
    return Promise.resolve();
  }
}

/** Waits until the proxy says that it listens: where it does differs too much to ask for its health. */
async function untilListening(child: Child): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!child.listens) {
    if (!child.running || performance.now() > deadline) {
      throw new Error(`Cannot start the proxy: ${child.stderr() || "it says nothing"}`);
    }
    await sleep(20);
  }
}

/** Puts a file of our own in the place of a system's, for this namespace only. */
function replace(path: string, text: string): void {
  const own = join(folder, path.replaceAll("/", "-"));
  writeFileSync(own, text);
  execFileSync("mount", ["--bind", own, path]);
}

const commands = new Commands();

async function obey({ id, name, args }: Order): Promise<Report> {
  try {
    const command = commands[name] as (...args: unknown[]) => Promise<unknown>;
    return { id, result: await command.apply(commands, args) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

const orders = createInterface(process.stdin);
orders.on("line", (line) => {
  void obey(JSON.parse(line) as Order).then((report) => process.stdout.write(`${JSON.stringify(report)}\n`));
});
// The proxies are killed on exit.
orders.on("close", () => process.exit(0));
