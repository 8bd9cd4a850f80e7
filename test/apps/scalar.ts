/**
 * Scalar's API reference as a web page: its real client, which sends requests through a proxy.
 * @module
 */
import plugin from "@scalar/fastify-api-reference";

/** What the plugin asks of its server. */
interface Route {
  url: string;
  handler(request: unknown, reply: Reply): unknown;
}

interface Reply {
  header(name: string, value: string): Reply;
  send(body: string): string;
}

/** The script of the reference, about 4 MB; the package gives it to a server only. */
export function readScript(): string {
  const routes: Route[] = [];
  const server = { initialConfig: {}, hasPlugin: () => false, route: (route: Route) => routes.push(route) };
  plugin(server, { configuration: { content: {} } }, () => {});
  const reply: Reply = { header: () => reply, send: (body) => body };
  const route = routes.find(({ url }) => url.endsWith(".js"));
  if (!route) throw new Error("Cannot read Scalar's script: the plugin has no route for it");
  return String(route.handler({}, reply));
}

/** An API with one operation, which takes a cookie, a query and a field that no page's `fetch` may set. */
export function describeApi(origin: string): object {
  const parameter = (name: string, place: string, example: string) => ({
    name,
    in: place,
    required: true,
    schema: { type: "string" },
    example,
  });
  return {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: origin }],
    paths: {
      "/items": {
        post: {
          summary: "Make an item",
          parameters: [
            parameter("sid", "cookie", "a1"),
            parameter("q", "query", "a b+c&d=é"),
            parameter("User-Agent", "header", "shop/1"),
          ],
          requestBody: { content: { "application/json": { example: { name: "x" } } } },
          responses: { 201: { description: "Made" } },
        },
      },
    },
  };
}

/** The page of the reference. */
export function writePage(api: object, proxyUrl: string): string {
  const configuration = JSON.stringify({ content: api, proxyUrl, withDefaultFonts: false, telemetry: false });
  return `<!doctype html><meta charset="utf-8"><title>Shop</title><div id="app"></div>
<script src="/scalar.js"></script><script>Scalar.createApiReference("#app", ${configuration})</script>`;
}
