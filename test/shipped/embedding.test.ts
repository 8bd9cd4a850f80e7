/**
 * The examples of the pages about servers, run as they stand: an application at `/` and the proxy at `/proxy`.
 * @module
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../apps/next.ts";
import { chunked, reply } from "../support/answers.ts";
import type { call, CallOptions } from "../support/client.ts";
import { readExamples, ServedExamples } from "../support/embedded.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { Acceptor, join as joinSocket } from "../support/websocket.ts";

const EXAMPLES = readExamples();
const TURBOPACK = EXAMPLES.filter(({ runtime }) => runtime === "route").flatMap((route) => [
  { ...route, title: "Next.js with Turbopack", bundler: "turbopack" as const },
  { ...route, title: "Next.js in production", bundler: "turbopack" as const, built: true },
]);
/** Those whose servers hand WebSockets to the proxy. */
const JOINS = ["Express on node", "Next.js on server"];

let served: ServedExamples;
let upstream: Upstream;

beforeAll(async () => {
  upstream = await listen();
  served = new ServedExamples(upstream);
});
beforeEach(() => {
  upstream.answer = reply(200, {}, "hello");
  upstream.requests.length = 0;
});
afterAll(async () => {
  served.stop();
  await upstream.close();
});

it("has an example for each server", () =>
  expect(EXAMPLES.map(({ title, runtime }) => `${title} on ${runtime}`)).toEqual([
    "Bun on bun",
    "Deno on deno",
    "Deno on serve",
    "Node on node",
    "With or without the mount path on bun",
    "Your own cookies on bun",
    "Hono on bun",
    "Hono on node",
    "Express on node",
    "Fastify on node",
    "h3 on node",
    "Elysia on bun",
    "Next.js on route",
    "Next.js on server",
  ]));

describe.each([...EXAMPLES, ...TURBOPACK])("$title on $runtime", (example) => {
  let ask: (line: string, options?: CallOptions) => ReturnType<typeof call>;
  let port: number;
  const toTarget = (): CallOptions => ({ fields: { proxy_host: upstream.origin } });
  beforeAll(async () => {
    ({ ask, port } = await served.start(example));
  }, PATIENCE_MS);

  it.each([
    { path: "/proxy", arrives: "/" },
    { path: "/proxy/", arrives: "/" },
    { path: "/proxy/a/b?x=%26", arrives: "/a/b?x=%26" },
    { path: "/proxy/__proxy", arrives: "/__proxy" },
  ])("forwards $path to $arrives", async ({ path, arrives }) => {
    expect((await ask(`GET ${path}`, toTarget())).text).toBe("hello");
    expect(upstream.targets).toEqual([arrives]);
  });

  it.each([
    { path: "/a//b?x=%26", inRoute: { text: "/proxy/a/b?x=%26", targets: [] } },
    { path: "/?x&b=%20&c=1&b=2", inRoute: { text: "hello", targets: ["/?x=&b=+&b=2&c=1"] } },
  ])("changes nothing in $path, unless Next.js did so before", async ({ path, inRoute }) => {
    const { text } = await ask(`GET /proxy${path}`, toTarget());
    const asItIs = { text: "hello", targets: [path] };
    expect({ text, targets: upstream.targets }).toEqual(example.runtime === "route" ? inRoute : asItIs);
  });

  it("compresses nothing that the target did not", async () => {
    upstream.answer = reply(200, { "Content-Type": "text/plain" }, "hello ".repeat(1000));
    const fields = { proxy_host: upstream.origin, "Accept-Encoding": "gzip, br" };
    const answer = await ask("GET /proxy/", { fields });
    expect([answer.header("content-encoding"), answer.text]).toEqual([undefined, "hello ".repeat(1000)]);
  });

  it.each([
    { type: { "Content-Type": "application/json" }, body: '{"a": 1}' },
    { type: { "Content-Type": "application/x-www-form-urlencoded" }, body: "a=%31&a" },
    { type: {}, body: "\0 of no type" },
  ])("forwards a body as it is, and the answer as it comes: $body", async ({ type, body }) => {
    upstream.answer = chunked(201, { "Content-Type": "text/x" }, ["one ", "two"], 20);
    const fields = { proxy_host: upstream.origin, ...type };
    const answer = await ask("POST /proxy/items", { fields, body });
    expect([answer.status, answer.header("content-type"), answer.text]).toEqual([201, "text/x", "one two"]);
    expect(upstream.request.body.toString()).toBe(body);
  });

  it.each([
    { name: "Location", value: "/next?x", arrives: "/proxy/next?x" },
    { name: "Location", value: "next", arrives: "/proxy/dir/next" },
    { name: "Refresh", value: "0; url=/next", arrives: "0; url=/proxy/next" },
    { name: "Set-Cookie", value: "a=1; Path=/", arrives: "a=1; Path=/proxy" },
  ])("keeps $name: $value behind its path", async ({ name, value, arrives }) => {
    upstream.answer = reply(302, { [name]: value });
    expect((await ask("GET /proxy/dir/page", toTarget())).header(name)).toBe(arrives);
  });

  it("keeps links of url behind its path", async () => {
    upstream.answer = reply(302, { Location: "/next" });
    const answer = await ask(`POST /proxy/__proxy__/?url=${upstream.origin}/`);
    const next = encodeURIComponent(`${upstream.origin}/next`);
    expect(answer.header("location")).toBe(`http://127.0.0.1:${port}/proxy/__proxy__/?url=${next}`);
  });

  it("keeps the host for its path alone", async () => {
    const answer = await ask(`GET /proxy/__proxy__/?host=${upstream.origin}`);
    expect(answer.json()).toEqual({ host: upstream.origin, status: true });
    expect(answer.header("set-cookie")).toContain("; Path=/proxy;");
  });

  it("shows the console there", async () => {
    const page = await ask("GET /proxy/__proxy__/", { fields: { Accept: "text/html" } });
    const [, script = ""] = /<script[^>]* src="(\/proxy\/[^"]+)"/.exec(page.text) ?? [];
    expect((await ask(`GET ${script}`)).header("content-type")).toMatch(/^text\/javascript/);
  });

  it("sends cookies on, unless it keeps them back", async () => {
    const keeps = example.code.includes('delete("cookie")');
    await ask("GET /proxy/", { fields: { proxy_host: upstream.origin, Cookie: "session=1" } });
    expect(upstream.request.header("cookie")).toBe(keeps ? undefined : "session=1");
  });

  it("refuses other targets", async () =>
    expect((await ask("GET /proxy/", { fields: { proxy_host: "https://other.test" } })).status).toBe(403));

  it.each(JOINS.filter((name) => name === `${example.title} on ${example.runtime}`))(
    "joins WebSockets: %s",
    async () => {
      const peer = new Acceptor(upstream).next();
      const { caller } = await joinSocket(port, "/proxy/live", { proxy_host: upstream.origin });
      (await peer).echo();
      caller.text("hello");
      expect(await caller.next()).toEqual({ text: "hello" });
      caller.close(1000);
    },
  );

  it("knows who calls, where the server tells", async () => {
    const tells = /clientAddress|createHandler|fetchvia\/connect/.test(example.code);
    expect((await ask("GET /proxy/")).json()).toMatchObject({ ip: tells ? "127.0.0.1" : "" });
  });
});
