/**
 * The program: starts the proxy on the runtime that runs it.
 * @module
 */

import process from "node:process";
import { runCommand } from "./command.ts";

const { bun, deno, node } = process.versions as Record<string, string | undefined>;
if (bun) await runCommand(`bun ${bun}`, (await import("./serve-bun.ts")).listen);
else if (deno) await runCommand(`deno ${deno}`, (await import("./serve-deno.ts")).listen);
else await runCommand(`node ${node}`, (await import("./serve-node.ts")).listen);
