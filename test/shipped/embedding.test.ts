/**
 * The examples of docs/embedding.md, run as they stand: an application at `/` and the proxy at `/proxy`.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chunked, reply } from "../support/answers.ts";
import { call, type CallOptions } from "../support/client.ts";
import { NEXT_ENVIRONMENT, PATIENCE_MS, serveNext, writeNext, writeRoute } from "../support/next.ts";
import { type ProgramRuntime, RUN } from "../support/package.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";

/** An example: its heading, the runtime that it is for, its code. */
interface Example {
  title: string;
  /** `route` for a route handler of Next.js, `server` for a server that starts Next.js. */
  runtime: ProgramRuntime | "route" | "server";
  code: string;
}

function readExamples(): Example[] {
  const sections = readFileSync(join(ROOT, "docs/embedding.md"), "utf8").split(/^## /m);
  return sections.flatMap((section) => {
    const [title = ""] = section.split("\n", 1);
    const blocks = [...section.matchAll(/^```js (\w+)\n(.*?)^```/gms)];
    return blocks.map(([, runtime, code = ""]) => ({ title, runtime: runtime as Example["runtime"], code }));
  });
}

const EXAMPLES = readExamples();

let folder: string;
let upstream: Upstream;
const children: ChildProcess[] = [];

// In the project's own folder, so that packages are found, `fetchvia` by its own name among them.
beforeAll(async () => {
  folder = mkdtempSync(join(ROOT, ".examples-"));
  upstream = await listen();
});
beforeEach(() => {
  upstream.answer = reply(200, {}, "hello");
  upstream.requests.length = 0;
});
afterAll(async () => {
  // Next.js serves from a process of its own.
  for (const { pid } of children) process.kill(-pid!, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  await upstream.close();
});

/** Writes an example down; gives the command that serves it. */
function write({ runtime, code }: Example, place: string, port: number): readonly [string, ...string[]] {
  const here = code.replace("3000", String(port)).replace("api.example.com", upstream.host);
  mkdirSync(place);
  if (runtime === "route" || runtime === "server") writeNext(place);
  if (runtime === "route") {
    writeRoute(place, here);
    return serveNext(port);
  }
  writeFileSync(join(place, "main.mjs"), here);
  return [...RUN[runtime === "server" ? "node" : runtime], "main.mjs"];
}

/** Starts an example on a free port, for our target; gives a way to call it once it answers. */
async function start(example: Example) {
  const port = await freePort();
  const place = join(folder, String(port));
  const [program, ...args] = write(example, place, port);
  const child = spawn(program, args, {
    cwd: place,
    env: { ...process.env, ...NEXT_ENVIRONMENT, NODE_ENV: "development", DENO_NO_UPDATE_CHECK: "1" },
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  children.push(child);
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const ask = (line: string, options: CallOptions = {}) => call(port, line, options);
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const answer = await ask("GET /").catch(() => sleep(50));
    if (answer?.text !== "the application") continue;
    // Next.js compiles a route when it is asked for.
    await ask("GET /proxy", { timeout: PATIENCE_MS });
    return { ask, port };
  }
  throw new Error(`Cannot start the example: it does not answer, expected the application\n${said}`);
}

it("has an example for each server", () => {
  expect(EXAMPLES.map(({ title, runtime }) => `${title} on ${runtime}`)).toEqual([
    "Bun on bun",
    "Deno on deno",
    "Node on node",
    "Hono on bun",
    "Hono on node",
    "Express on node",
    "Fastify on node",
    "Next.js on route",
    "Next.js on server",
    "h3 on node",
    "Elysia on bun",
    "With or without the mount path on bun",
    "Your own cookies on bun",
  ]);
});

describe.each(EXAMPLES)("$title on $runtime", (example) => {
  let ask: (line: string, options?: CallOptions) => ReturnType<typeof call>;
  let port: number;
  const toTarget = (): CallOptions => ({ fields: { proxy_host: upstream.origin } });
  beforeAll(async () => {
    ({ ask, port } = await start(example));
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

  it("refuses other targets", async () => {
    const answer = await ask("GET /proxy/", { fields: { proxy_host: "https://other.test" } });
    expect(answer.status).toBe(403);
  });

  it("knows who calls, where the server tells", async () => {
    const tells = /clientAddress|createHandler|fetchvia\/connect/.test(example.code);
    expect((await ask("GET /proxy/")).json()).toMatchObject({ ip: tells ? "127.0.0.1" : "" });
  });
});
