/**
 * The target where nginx is not installed: files out of memory, and uploads that are read whole.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const { PORT, FILES = "" } = process.env;

const types: Readonly<Record<string, string>> = { json: "application/json", bin: "application/octet-stream" };
const files = readdirSync(FILES).map((name) => {
  const headers = { "content-type": types[name.split(".").at(-1) ?? ""] ?? "text/plain" };
  return [`/${name}`, new Response(readFileSync(join(FILES, name)), { headers })] as const;
});

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(PORT),
  idleTimeout: 0,
  development: false,
  routes: {
    ...Object.fromEntries(files),
    "/upload": async (request) => new Response(String((await request.arrayBuffer()).byteLength)),
  },
  fetch: () => new Response("not found", { status: 404 }),
});
