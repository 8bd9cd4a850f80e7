/**
 * workerd, which runs Workers: how it is started, and the configuration that is shipped with nothing around it.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const workerd = createRequire(import.meta.url)("workerd") as { default: string; compatibilityDate: string };

/** The newest date that it knows. */
export const KNOWN_DATE: string = workerd.compatibilityDate;

/** The command that serves a configuration; what it listens on it tells on stderr, as JSON. */
export function serveCommand(
  config: readonly string[],
  address: string,
): [command: string, ...args: string[]] {
  return [workerd.default, "serve", ...config, "--socket-addr", `http=${address}`, "--control-fd=2"];
}

/** The Worker with `src/runtimes/worker/worker.capnp` as it is, or another configuration. */
export class Shipped {
  readonly process: ChildProcess;
  #stderr = "";

  constructor(
    settings: Readonly<Record<string, string | undefined>>,
    config = "src/runtimes/worker/worker.capnp",
  ) {
    const [command, ...args] = serveCommand([config], "127.0.0.1:0");
    this.process = spawn(command, args, { cwd: ROOT, env: settings, stdio: ["ignore", "ignore", "pipe"] });
    this.process.stderr!.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
  }

  stderr(): string {
    return this.#stderr;
  }

  /** Waits until it listens; gives the port. */
  async listen(): Promise<number> {
    for (;;) {
      const [, port] = /"event":"listen".*?"port":(\d+)/.exec(this.#stderr) ?? [];
      if (port) return Number(port);
      await once(this.process.stderr!, "data");
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.process, "close");
    this.process.kill("SIGKILL");
    await ended;
  }
}
