/**
 * The proxy in servers of others: `node:http2` and `node:http` of each runtime.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll } from "vitest";
import type { MountOptions } from "../../src/runtimes/node/mount-options.ts";
import { type ProgramRuntime, RUN } from "./package.ts";
import { ROOT } from "./proxy.ts";
import { listen, type Upstream } from "./upstream.ts";

/** A program, and the ports of its servers. */
export interface MountedProgram {
  /** The middleware in a server of HTTP/2. */
  http2: number;
  /** The middleware in one of HTTP/1.1. */
  http1: number;
  /** A listener made of a proxy, in one of HTTP/1.1. */
  handler: number;
  /** The middleware behind others that wrap the response, as compression does. */
  wrapped: { http2: number; http1: number };
  stop(): void;
}

/** Starts it. The middleware answers `/api`. */
export async function startMounted(runtime: ProgramRuntime, options: MountOptions): Promise<MountedProgram> {
  const [program, ...args] = RUN[runtime];
  const child = spawn(program, [...args, "test/support/http2-server.mjs"], {
    cwd: ROOT,
    env: { ...process.env, DIST: `${ROOT}/dist`, OPTIONS: JSON.stringify(options) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const ports = JSON.parse(String(line)) as [number, number, number, number, number];
  const [http2, http1, handler, wrappedHttp2, wrappedHttp1] = ports;
  return {
    http2,
    http1,
    handler,
    wrapped: { http2: wrappedHttp2, http1: wrappedHttp1 },
    stop: () => void child.kill("SIGKILL"),
  };
}

/** Starts it for the tests of a block, in front of a target of theirs. */
export function useMounted(runtime: ProgramRuntime): { target: Upstream; program: MountedProgram } {
  const mounted = {} as ReturnType<typeof useMounted>;
  beforeAll(async () => {
    mounted.target = await listen();
    mounted.program = await startMounted(runtime, { target: mounted.target.origin });
  });
  afterAll(async () => {
    mounted.program.stop();
    await mounted.target.close();
  });
  return mounted;
}
