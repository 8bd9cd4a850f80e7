/**
 * The program: starts the proxy on the current runtime.
 * @module
 */

import { runCommand } from "./command.ts";

const { bun, deno, node } = process.versions as Record<string, string | undefined>;
if (bun) await runCommand(`bun ${bun}`, () => import("../runtimes/bun/serve.ts"));
else if (deno) await runCommand(`deno ${deno}`, () => import("../runtimes/deno/serve.ts"));
else await runCommand(`node ${node}`, () => import("../runtimes/node/serve.ts"));
