/**
 * The middleware in Express, in the servers of webpack and Rsbuild, and in a server of `node:http`.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { join as joinPath } from "node:path";
import express from "express";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { call, open, request } from "../support/client.ts";
import { RUN } from "../support/package.ts";
import { ROOT } from "../support/proxy.ts";
import { Example } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { Acceptor, HANDSHAKE, join } from "../support/websocket.ts";
import { serveRsbuild, serveWebpack, type Started } from "./dev-servers.ts";
import { waitFor } from "../support/wait.ts";

const { fetchvia } = await import(
  joinPath(ROOT, "dist/runtimes/node/connect.js")
) as typeof import("../../src/runtimes/node/connect.ts");
type Api = ReturnType<typeof fetchvia>;

/** A server with an application at `/`. */
interface Kind {
  kind: string;
  start: (api: Api) => Promise<Started>;
}

async function listenHttp(server: Server): Promise<Started> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

async function startExpress(api: Api): Promise<Started> {
  const app = express();
  app.use(api);
  app.get("/", (_request, response) => response.send("the application"));
  const server = createServer(app);
  api.attach(server);
  return await listenHttp(server);
}

function startWebpack(api: Api): Promise<Started> {
  return serveWebpack({
    setupMiddlewares(middlewares, { server }) {
      api.attach(server as Server);
      const at = middlewares.findIndex((one) => "name" in one && one.name === "host-header-check") + 1;
      middlewares.splice(at, 0, { name: "fetchvia", middleware: api });
      return middlewares;
    },
  });
}

function startRsbuild(api: Api): Promise<Started> {
  return serveRsbuild({
    setup({ server }) {
      server.middlewares.use(api);
      api.attach(server.httpServer as Server);
    },
  });
}

const KINDS: Kind[] = [
  { kind: "Express", start: startExpress },
  { kind: "webpack-dev-server", start: startWebpack },
  { kind: "Rsbuild", start: startRsbuild },
];

/** A listener for upgrades that takes one path. */
function answerOther({ url }: IncomingMessage, socket: Duplex): void {
  if (url === "/other") socket.end("HTTP/1.1 418 Other\r\nContent-Length: 0\r\n\r\n");
}

let first: Upstream;
let second: Upstream;
const say = vi.spyOn(console, "log").mockImplementation(() => {});
beforeAll(async () => {
  [first, second] = [await listen(), await listen()];
});
beforeEach(() => {
  first.answer = reply(200, {}, "first");
  second.answer = reply(200, {}, "second");
  first.requests.length = second.requests.length = 0;
});
afterAll(() => Promise.all([first.close(), second.close()]));

describe.each(KINDS)("in $kind", ({ kind, start }) => {
  let port: number;
  let close: Started["close"];
  beforeAll(async () => {
    ({ port, close } = await start(fetchvia({ prefix: "/api", target: first.origin })));
  });
  afterAll(() => close());

  it.each([{ path: "/api" }, { path: "/api?x=%26&y" }, { path: "/api/a//b?x" }])(
    "forwards $path as it is",
    async ({ path }) => {
      expect((await call(port, `GET ${path}`)).text).toBe("first");
      expect(first.targets).toEqual([path]);
    },
  );

  it("leaves other paths to the application", async () => {
    expect((await call(port, "GET /")).text).toMatch(/the application$/);
    expect((await call(port, "GET /apis")).status).toBe(404);
    expect(first.requests).toEqual([]);
  });

  it("prints one line with the console's address, where the console is", async () => {
    const line = `fetchvia: console at http://localhost:${port}/__proxy__/`;
    expect(say.mock.calls.filter(([said]) => said === line)).toHaveLength(1);
    const page = await call(port, "GET /__proxy__/", { fields: { Accept: "text/html" } });
    expect(page.text).toContain("<!doctype html>");
  });

  it("reaches two backends at once for two cookies", async () => {
    const ask = ({ origin }: Upstream) =>
      call(port, "GET /api/x", { fields: { Cookie: `proxy_host=${encodeURIComponent(origin)}` } });
    const answers = await Promise.all([ask(second), ask(first), ask(second)]);
    expect(answers.map(({ text }) => text)).toEqual(["second", "first", "second"]);
  });

  it("forwards bodies, and keeps a login whose cookies are Secure", async () => {
    first.answer = routes({
      "/api/login": reply(204, { "Set-Cookie": "__Host-session=7; Secure; HttpOnly; Path=/" }),
      "/api/me": reply(200, {}, "you"),
    });
    const set = (await call(port, "POST /api/login", { body: "abc" })).header("set-cookie") ?? "";
    await call(port, "GET /api/me", { fields: { Cookie: set.split(";")[0] ?? "" } });
    expect(first.requests[0]?.body.toString()).toBe("abc");
    expect(first.requests[1]?.header("cookie")).toBe("__Host-session=7");
  });

  it("passes the first event of a stream at once", async () => {
    first.answer = (_request, socket) =>
      void socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
    const connection = await open(port);
    connection.write(request("GET", "/api/events", { Host: `localhost:${port}`, "Accept-Encoding": "gzip" }));
    expect(await connection.until("data: 1")).toContain("text/event-stream");
    connection.destroy();
  });

  it("joins WebSockets", async () => {
    const peer = new Acceptor(first).next();
    const { caller } = await join(port, "/api/live?x", {});
    (await peer).echo();
    caller.text("hello");
    expect(await caller.next()).toEqual({ text: "hello" });
    caller.close(1000);
  });

  it("reaches nothing private by a foreign Host", async () => {
    const fields = { Host: "evil.test" };
    const answers = [
      await call(port, "GET /api", { fields }),
      await call(port, "GET /api", { fields: { ...fields, ...HANDSHAKE } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]?.text).toMatch(
      kind === "webpack-dev-server" ? /^Invalid Host header$/ : /"Proxy Error"/,
    );
    expect(first.requests).toEqual([]);
  });
});

it("works in webpack-dev-server as docs/dev-servers.md shows it", async () => {
  const example = new Example("webpack.config.js", first.origin);
  const { default: config } = await import(example.file);
  const { port, close } = await serveWebpack(config.devServer);
  const answers = [
    await call(port, "GET /api"),
    await call(port, "GET /api", { fields: { Host: "a.test" } }),
  ];
  expect(answers.map(({ text }) => text)).toEqual(["first", "Invalid Host header"]);
  example.remove();
  await close();
});

it("works in Rsbuild as docs/dev-servers.md shows it", async () => {
  const example = new Example("rsbuild.config.ts", first.origin);
  const { default: config } = await import(example.file);
  const { port, close } = await serveRsbuild(config.server);
  const answers = [await call(port, "GET /api"), await call(port, "GET /")];
  expect(answers.map(({ text }) => text)).toEqual(["first", expect.stringContaining("the application")]);
  example.remove();
  await close();
});

it("leaves webpack's own WebSocket to it", async () => {
  const { port, close } = await startWebpack(fetchvia({ prefix: "/api", target: first.origin }));
  const { caller } = await join(port, "/ws", { Origin: `http://127.0.0.1:${port}` });
  expect(JSON.parse((await caller.next()).text ?? "")).toHaveProperty("type");
  caller.close(1000);
  await close();
});

it("leaves Rsbuild's own WebSocket to it", async () => {
  const { port, close } = await startRsbuild(fetchvia({ prefix: "/api", target: first.origin }));
  const { text } = await call(port, "GET /static/js/index.js");
  const [, token] = /\.init\)\('(\w+)'/.exec(text) ?? [];
  const { caller } = await join(port, `/rsbuild-hmr?token=${token}`, { Origin: `http://127.0.0.1:${port}` });
  expect(JSON.parse((await caller.next()).text ?? "")).toHaveProperty("type");
  caller.close(1000);
  await close();
});

describe("in a server of one's own", () => {
  const closes: Started["close"][] = [];
  const serve = async (server: Server) => {
    const { port, close } = await listenHttp(server);
    closes.push(close);
    return port;
  };
  afterEach(() => closes.splice(0).map((close) => close()));

  it("sends the whole path on where a framework removed a part of it", async () => {
    const app = express();
    app.use("/api", fetchvia({ prefix: "/api", target: first.origin }));
    expect((await call(await serve(createServer(app)), "GET /api/users?x")).text).toBe("first");
    expect(first.targets).toEqual(["/api/users?x"]);
  });

  it.each([
    { at: "/x", options: { allowTargets: ["a.test"] }, asked: "/x/a", says: "/x" },
    { at: "/x", options: { prefix: "/api" }, asked: "/x/a", says: "/x" },
    { at: "/x", options: { prefix: "/x/api" }, asked: "/x/a", says: undefined },
    { at: "/x", options: { prefix: "/x/api" }, asked: "/X/a", says: undefined },
    { at: "/", options: { prefix: "/api" }, asked: "/x/a", says: undefined },
  ])("warns once where it is mounted at $at, and its options are $options: $says", async (row) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const app = express();
    app.use(row.at, fetchvia(row.options));
    const port = await serve(createServer(app));
    const answers = [await call(port, `GET ${row.asked}`), await call(port, `GET ${row.asked}`)];
    const said = warn.mock.calls.flat();
    warn.mockRestore();
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const line = `fetchvia: nothing is forwarded at ${row.says}, where the middleware is mounted. ` +
      `To forward all below it, set mountPath: "${row.says}"`;
    expect(said).toEqual([line].filter(() => row.says));
  });

  it("forwards at the mountPath that the warning names", async () => {
    const app = express();
    app.use("/x", fetchvia({ mountPath: "/x", target: first.origin }));
    expect((await call(await serve(createServer(app)), "GET /x/a")).text).toBe("first");
    expect(first.targets).toEqual(["/a"]);
  });

  it("says on stderr that a backend is down, without its path", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const gone = `127.0.0.1:${await freePort()}`;
    const api = fetchvia({ prefix: "/api", target: `http://${gone}` });
    const server = createServer((incoming, outgoing) => api(incoming, outgoing, () => outgoing.end()));
    expect((await call(await serve(server), "GET /api/me?key=secret")).status).toBe(502);
    const said = error.mock.calls.flat();
    error.mockRestore();
    expect(said).toEqual([`[fetchvia] GET → ${gone} refused`]);
  });

  it("says that a body was already read", async () => {
    const app = express();
    const parse = express.urlencoded({ extended: false });
    app.post("/api", parse, fetchvia({ prefix: "/api", target: first.origin }) as never);
    const fields = { "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await call(await serve(createServer(app)), "POST /api", { fields, body: "a=1" });
    expect([answer.status, answer.text])
      .toEqual([500, expect.stringContaining("in front of any body parser")]);
  });

  it("leaves upgrades of other paths to the server's other listeners", async () => {
    const api = fetchvia({ prefix: "/api", target: first.origin });
    const server = createServer().on("upgrade", api.upgrade);
    server.on("upgrade", answerOther);
    const port = await serve(server);
    expect((await call(port, "GET /other", { fields: HANDSHAKE })).status).toBe(418);
    expect((await call(port, "GET /api", { fields: HANDSHAKE })).status).toBe(502);
  });

  it("answers upgrades that nobody takes as ordinary requests, beside two proxies", async () => {
    const apis = [
      fetchvia({ prefix: "/api", target: first.origin }),
      fetchvia({ prefix: "/auth", target: second.origin }),
    ];
    const server = createServer((incoming, outgoing) => outgoing.end(`ordinary ${incoming.url}`));
    apis.map((api) => api.attach(server));
    const port = await serve(server);
    expect((await call(port, "GET /other", { fields: HANDSHAKE })).text).toBe("ordinary /other");
    await call(port, "GET /api", { fields: HANDSHAKE });
    await call(port, "GET /auth", { fields: HANDSHAKE });
    expect([first.targets, second.targets]).toEqual([["/api"], ["/auth"]]);
    expect((await call(port, "GET /__proxy__/", { fields: HANDSHAKE })).status).toBe(400);
  });

  it("returns an upgrade to another protocol to the server", async () => {
    const api = fetchvia({ prefix: "/api", target: first.origin });
    const server = createServer((incoming, outgoing) => api(incoming, outgoing, () => outgoing.end()));
    api.attach(server);
    const fields = { Connection: "Upgrade", Upgrade: "h2c" };
    expect((await call(await serve(server), "GET /api", { fields })).text).toBe("first");
  });

  it("closes its WebSockets and its console's streams", async () => {
    const api = fetchvia({ prefix: "/api", target: first.origin });
    const server = createServer();
    api.attach(server);
    const port = await serve(server);
    new Acceptor(first);
    const { caller } = await join(port, "/api/live", {});
    await api.close();
    expect(await caller.next()).toMatchObject({ closed: 1001 });
  });
});

/** A server with an application at `/`, for any runtime: it writes its port. */
const PROGRAM = `import { createServer } from "node:http";
import fetchvia from "fetchvia/connect";

const api = fetchvia({ prefix: "/api", target: process.argv[2] });
const server = createServer((incoming, outgoing) =>
  api(incoming, outgoing, () => outgoing.end("the application"))
);
api.attach(server);
server.listen(0, "127.0.0.1", () => console.error("port", server.address().port));
`;

describe.each([{ runtime: "node" }, { runtime: "bun" }, { runtime: "deno" }] as const)(
  "on $runtime",
  ({ runtime }) => {
    let child: ChildProcess;
    let folder: string;
    let port: number;
    beforeAll(async () => {
      folder = mkdtempSync(joinPath(ROOT, ".examples-"));
      writeFileSync(joinPath(folder, "server.mjs"), `import process from "node:process";\n${PROGRAM}`);
      const [program, ...args] = RUN[runtime];
      child = spawn(program, [...args, joinPath(folder, "server.mjs"), first.origin], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      child.stderr?.on("data", (text) => (said += text));
      await waitFor(() => expect(said).toMatch(/^port \d+$/m));
      port = Number(/^port (\d+)$/m.exec(said)?.[1]);
    });
    afterAll(() => {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    });

    it("forwards to a private target, by a loopback Host alone", async () => {
      expect((await call(port, "GET /api/x")).text).toBe("first");
      expect((await call(port, "GET /")).text).toBe("the application");
      expect((await call(port, "GET /api/x", { fields: { Host: "evil.test" } })).status).toBe(403);
      expect(first.targets).toEqual(["/api/x"]);
    });

    it("joins WebSockets", async () => {
      const peer = new Acceptor(first).next();
      const { caller } = await join(port, "/api/live", {});
      (await peer).echo();
      caller.text("hello");
      expect(await caller.next()).toEqual({ text: "hello" });
      caller.close(1000);
    });
  },
);
