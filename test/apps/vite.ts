/**
 * Development servers of three majors of Vite, with the plugin as it is shipped.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type InlineConfig, preview, type ViteDevServer } from "vite";
import { createServer as createServer6, preview as preview6 } from "vite6";
import { createServer as createServer7, preview as preview7 } from "vite7";
import { ROOT } from "../support/proxy.ts";

/** What is shipped, with the types of its source. */
export const { fetchvia } = await import(
  join(ROOT, "dist/runtimes/node/vite.js")
) as typeof import("../../src/runtimes/node/vite.ts");

/** A major of Vite. The servers of all of them are used in the same way. */
export interface Major {
  vite: number;
  create: (config: InlineConfig) => Promise<ViteDevServer>;
  preview: typeof preview;
}

/** The three newest majors. */
export const MAJORS: readonly Major[] = [
  { vite: 6, create: createServer6, preview: preview6 },
  { vite: 7, create: createServer7, preview: preview7 },
  { vite: 8, create: createServer, preview },
];

/** The page that Vite serves. */
export const PAGE = `<title>the app</title><script type="module" src="/main.js"></script>`;

/** A folder with an app of one page and one module. */
export class App {
  readonly folder = mkdtempSync(join(tmpdir(), "fetchvia-vite-"));
  readonly lines: string[] = [];
  readonly #servers: { close(): Promise<unknown> }[] = [];

  constructor() {
    this.write("index.html", PAGE);
    this.write("main.js", "import.meta.hot?.accept();");
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** What every server of this app has: nothing of the project's own, and lines that are kept. */
  config(config: InlineConfig): InlineConfig {
    const keep = (line: string) => void this.lines.push(line);
    const customLogger = {
      info: keep,
      warn: keep,
      warnOnce: keep,
      error: keep,
      clearScreen: () => {},
      hasErrorLogged: () => false,
      hasWarned: false,
    };
    return {
      root: this.folder,
      configFile: false,
      customLogger,
      optimizeDeps: { noDiscovery: true },
      ...config,
      server: { host: "127.0.0.1", port: 0, ...config.server },
    };
  }

  /** Starts a server on a free port. */
  async serve(
    create: Major["create"],
    config: InlineConfig,
  ): Promise<{ port: number; server: ViteDevServer }> {
    const server = await create(this.config(config));
    this.#servers.push(server);
    await server.listen();
    return { port: (server.httpServer?.address() as AddressInfo).port, server };
  }

  /** Closes this with the app. */
  keep(server: { close(): Promise<unknown> }): void {
    this.#servers.push(server);
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
