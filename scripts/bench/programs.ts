/**
 * The peers as programs: what a user of each package would write, with kept connections to the target. They are text
 * because they run beside packages that the project does not have, as JavaScript, on three runtimes.
 * @module
 */

const RELAY = `({ method, url, headers, body }) => {
  const { pathname, search } = new URL(url);
  return fetch(process.env.TARGET + pathname + search, { method, headers, body, redirect: "manual" });
}`;

const HONO = `import { Hono } from "hono";
import { proxy } from "hono/proxy";
const app = new Hono();
app.all("*", (c) => {
  const { pathname, search } = new URL(c.req.url);
  return proxy(process.env.TARGET + pathname + search, { ...c.req });
});
const { fetch } = app;
const hostname = "127.0.0.1";
const port = Number(process.env.PORT);
`;

/** Replaces Node's default of 5 s, so that idle connections stay open: fetchvia keeps them for the same time. */
const KEEP_ALIVE_MS = 75_000;

/** File name → program. Each listens on `PORT` and forwards everything to `TARGET`. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  "http-proxy-3.mjs": `import http from "node:http";
import https from "node:https";
import { createProxyServer } from "http-proxy-3";
const { Agent } = process.env.TARGET.startsWith("https:") ? https : http;
const agent = new Agent({ keepAlive: true });
const proxy = createProxyServer({ target: process.env.TARGET, agent });
proxy.on("error", (_error, _request, response) => response.destroy());
http.createServer({ keepAliveTimeout: ${KEEP_ALIVE_MS} }, (request, response) => proxy.web(request, response))
  .listen(Number(process.env.PORT), "127.0.0.1");
`,
  "fastify.mjs": `import Fastify from "fastify";
import proxy from "@fastify/http-proxy";
const app = Fastify();
// Its default of 128 connections would hold back all further streams, and it checks no certificate unless told to.
const undici = { connections: 1024, tls: { rejectUnauthorized: true } };
await app.register(proxy, { upstream: process.env.TARGET, undici });
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
`,
  "hono-bun.mjs": `${HONO}Bun.serve({ hostname, port, idleTimeout: 0, development: false, fetch });
`,
  "hono-deno.mjs": `${HONO}Deno.serve({ hostname, port, onListen() {} }, fetch);
`,
  "hono-node.mjs": `${HONO}const { serve } = await import("@hono/node-server");
serve({ hostname, port, fetch, serverOptions: { keepAliveTimeout: ${KEEP_ALIVE_MS} } });
`,
  // The same on all three: each runtime takes the options that bear its name.
  "h3.mjs": `import { H3, proxyRequest, serve } from "h3";
const app = new H3().all("/**", (event) => {
  const { pathname, search } = event.url;
  return proxyRequest(event, process.env.TARGET + pathname + search);
});
serve(app, {
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  silent: true,
  bun: { idleTimeout: 0, development: false },
  node: { keepAliveTimeout: ${KEEP_ALIVE_MS} },
});
`,
  "bare-bun.mjs": `const hostname = "127.0.0.1";
const port = Number(process.env.PORT);
Bun.serve({ hostname, port, idleTimeout: 0, development: false, fetch: ${RELAY} });
`,
  "bare-deno.mjs": `const hostname = "127.0.0.1";
const port = Number(process.env.PORT);
Deno.serve({ hostname, port, onListen() {} }, ${RELAY});
`,
};
