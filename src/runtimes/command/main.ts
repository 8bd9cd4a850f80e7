/**
 * The program: starts the proxy on the current runtime.
 * @module
 */

import process from "node:process";
import { runCommand } from "./command.ts";

const { bun, deno, node } = process.versions as Record<string, string | undefined>;
if (bun) await runCommand(`bun ${bun}`, (await import("../bun/serve.ts")).listen);
else if (deno) await runCommand(`deno ${deno}`, (await import("../deno/serve.ts")).listen);
else await runCommand(`node ${node}`, (await import("../node/serve.ts")).listen);
