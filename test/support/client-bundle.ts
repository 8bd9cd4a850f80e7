/**
 * `fetchvia/client` as pages load it, and a site that serves it.
 * @module
 */
import { build } from "esbuild";
import { reply, routes } from "./answers.ts";
import { listen, type Upstream } from "./upstream.ts";

const TYPES = { html: { "Content-Type": "text/html" }, js: { "Content-Type": "text/javascript" } };

/** Bundles the client for a browser. */
async function bundleClient(): Promise<string> {
  const { outputFiles: [client] } = await build({
    entryPoints: ["src/client/client.ts"],
    bundle: true,
    format: "esm",
    write: false,
  });
  return client?.text ?? "";
}

/** A site with an empty page at `/` and the client at `/client.js`. */
export async function serveClient(): Promise<Upstream> {
  const [site, client] = await Promise.all([listen(), bundleClient()]);
  site.answer = routes({
    "/": reply(200, TYPES.html, "<!doctype html><title>App</title>"),
    "/client.js": reply(200, TYPES.js, client),
  });
  return site;
}
