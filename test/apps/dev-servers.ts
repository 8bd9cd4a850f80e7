/**
 * The development servers of webpack and Rsbuild, with an application at `/`.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRsbuild, type ServerConfig } from "@rsbuild/core";
import webpack from "webpack";
import WebpackDevServer, { type Configuration } from "webpack-dev-server";

/** A server that listens. */
export interface Started {
  port: number;
  close: () => unknown;
}

/** An application to serve, in a folder of its own. */
function writeApplication(): string {
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-dev-server-"));
  writeFileSync(join(folder, "index.js"), "import.meta.webpackHot?.accept();");
  writeFileSync(join(folder, "index.html"), "the application");
  return folder;
}

/** Starts webpack-dev-server with these settings. */
export async function serveWebpack(devServer: Configuration): Promise<Started> {
  const folder = writeApplication();
  const compiler = webpack({
    mode: "development",
    context: folder,
    entry: "./index.js",
    output: { path: join(folder, "out") },
    infrastructureLogging: { level: "none" },
    stats: "none",
  });
  if (!compiler) throw new Error("Cannot start webpack: it made no compiler");
  const server = new WebpackDevServer({ ...devServer, host: "127.0.0.1", port: 0, static: folder }, compiler);
  // It answers only once the bundle is there.
  const built = new Promise<void>((resolve) => compiler.hooks.done.tap("test", () => resolve()));
  await server.start();
  await built;
  const close = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { port: (server.server?.address() as AddressInfo).port, close };
}

/** Starts Rsbuild with these settings of its server. */
export async function serveRsbuild(server: ServerConfig): Promise<Started> {
  const folder = writeApplication();
  const rsbuild = await createRsbuild({
    cwd: folder,
    rsbuildConfig: {
      logLevel: "silent",
      source: { entry: { index: "./index.js" } },
      html: { template: "./index.html" },
      server: { ...server, host: "127.0.0.1", port: 0, printUrls: false },
    },
  });
  const { port, server: started } = await rsbuild.startDevServer();
  const close = async () => {
    await started.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { port, close };
}
