/**
 * The plugin in the development servers of three majors of Vite.
 * @module
 */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ViteDevServer } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { call, open, request } from "../support/client.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { Example } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { Acceptor, HANDSHAKE, join } from "../support/websocket.ts";
import { App, fetchvia, MAJORS, PAGE } from "./vite.ts";

const ACCEPT_PAGE = { Accept: "text/html" };

describe.each(MAJORS)("Vite $vite", ({ create, preview }) => {
  let app: App;
  let first: Upstream;
  let second: Upstream;
  let port: number;
  beforeAll(async () => {
    app = new App();
    [first, second] = [await listen(), await listen()];
    ({ port } = await app.serve(create, {
      server: { allowedHosts: [".allowed.test"] },
      plugins: [fetchvia({ prefix: ["/api", "/auth"], target: first.origin })],
    }));
  });
  beforeEach(() => {
    first.answer = reply(200, {}, "first");
    second.answer = reply(200, {}, "second");
    first.requests.length = second.requests.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([first.close(), second.close()]);
  });

  it.each([
    { path: "/api" },
    { path: "/api?x=%26&y" },
    { path: "/api/a//b?x" },
    { path: "/auth/%2e" },
  ])("forwards $path as it is", async ({ path }) => {
    expect((await call(port, `GET ${path}`)).text).toBe("first");
    expect(first.targets).toEqual([path]);
  });

  it.each([{ path: "/" }, { path: "/apis" }, { path: "/__proxy" }, { path: "/%61pi" }])(
    "leaves $path to Vite",
    async ({ path }) => {
      const answer = await call(port, `GET ${path}`, { fields: ACCEPT_PAGE });
      expect(answer.text).toContain("<title>the app</title>");
      expect(first.requests).toEqual([]);
    },
  );

  it("forwards methods, bodies and preflights", async () => {
    await call(port, "POST /api/items", { fields: { "Content-Type": "text/x" }, body: "abc" });
    await call(port, "OPTIONS /api/items", {
      fields: { Origin: "https://a.test", "Access-Control-Request-Method": "PUT" },
    });
    expect(first.requests.map(({ method }) => method)).toEqual(["POST", "OPTIONS"]);
    expect(first.requests[0]?.body.toString()).toBe("abc");
  });

  it("adds no field of Vite to an answer", async () => {
    const answer = await call(port, "GET /api", { fields: { Origin: "http://localhost:9" } });
    expect(answer.header("vary")).not.toContain("Accept");
    expect(answer.header("x-powered-by")).toBeUndefined();
  });

  it("shows the console, and answers ?url= and fetch", async () => {
    const page = await call(port, "GET /__proxy__/", { fields: ACCEPT_PAGE });
    const [, script = ""] = /<script[^>]* src="(\/__proxy__\/[^"]+)"/.exec(page.text) ?? [];
    expect((await call(port, `GET ${script}`)).header("content-type")).toMatch(/^text\/javascript/);
    expect((await call(port, `GET /__proxy__/?url=${second.origin}/a`)).text).toBe("second");
    const arg = encodeURIComponent(btoa(JSON.stringify({ url: `${second.origin}/b` })));
    expect((await call(port, `GET /__proxy__/fetch?arg=${arg}`)).text).toBe("second");
    expect(second.targets).toEqual(["/a", "/b"]);
  });

  it("prints one line with the console's address", () => {
    const said = app.lines.filter((line) => line.includes(`:${port}/__proxy__/`));
    expect(said).toEqual([`  ➜  fetchvia: console at http://localhost:${port}/__proxy__/`]);
  });

  it("says in Vite's log that a backend is down, once in a second", async () => {
    const gone = `127.0.0.1:${await freePort()}`;
    const { port } = await app.serve(create, {
      plugins: [fetchvia({ prefix: "/api", target: `http://${gone}` })],
    });
    const line = `[fetchvia] GET /api/me → ${gone} refused`;
    app.lines.length = 0;
    const answers = await Promise.all([1, 2, 3].map(() => call(port, "GET /api/me?key=secret")));
    expect(answers.map(({ status }) => status)).toEqual([502, 502, 502]);
    // The three may end in two seconds.
    expect([[line], [line, line]]).toContainEqual(app.lines);
  });

  it("says at the start that there is no target", async () => {
    app.lines.length = 0;
    const { port } = await app.serve(create, { plugins: [fetchvia({ prefix: "/api" })] });
    const page = `http://localhost:${port}/__proxy__/`;
    expect(app.lines.filter((line) => line.includes("target")))
      .toEqual([`  ➜  fetchvia: no target for /api: set one at ${page}, or with the option target`]);
  });

  it("reaches two backends at once for two cookies, and switches without a restart", async () => {
    const set = await call(port, `GET /__proxy__/?host=${second.origin}`);
    expect(set.json()).toEqual({ host: second.origin, status: true });
    const cookie = (set.header("set-cookie") ?? "").split(";")[0] ?? "";
    const other = `proxy_host=${encodeURIComponent(first.origin)}`;
    const ask = (Cookie: string) => call(port, "GET /api/x", { fields: { Cookie } });
    const answers = await Promise.all([ask(cookie), ask(other), ask(cookie), ask(other)]);
    expect(answers.map(({ text }) => text)).toEqual(["second", "first", "second", "first"]);
  });

  it("keeps a login whose cookies are Secure", async () => {
    first.answer = routes({
      "/auth/login": reply(204, {
        "Set-Cookie": "__Host-session=7; Secure; HttpOnly; Path=/; SameSite=None",
      }),
      "/api/me": reply(200, {}, "you"),
    });
    const set = (await call(port, "POST /auth/login", { body: "{}" })).header("set-cookie") ?? "";
    expect(set).not.toMatch(/secure|none/i);
    await call(port, "GET /api/me", { fields: { Cookie: set.split(";")[0] ?? "" } });
    expect(first.requests.at(-1)?.header("cookie")).toBe("__Host-session=7");
  });

  it("passes the first event of a stream at once", async () => {
    first.answer = (_request, socket) =>
      void socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
    const connection = await open(port);
    connection.write(request("GET", "/api/events", { Host: `localhost:${port}` }));
    expect(await connection.until("data: 1")).toContain("text/event-stream");
    connection.destroy();
  });

  it("joins WebSockets, while those of Vite go on", async () => {
    const hot = await join(port, "/", { "Sec-WebSocket-Protocol": "vite-hmr" });
    expect(JSON.parse((await hot.caller.next()).text ?? "")).toEqual({ type: "connected" });
    const peer = new Acceptor(first).next();
    const { caller } = await join(port, "/api/live?x", {});
    (await peer).echo();
    caller.text("hello");
    expect(await caller.next()).toEqual({ text: "hello" });
    expect(first.targets).toEqual(["/api/live?x"]);
    hot.caller.text(JSON.stringify({ type: "ping" }));
    await call(port, "GET /", { fields: ACCEPT_PAGE });
    await call(port, "GET /main.js");
    app.write("index.html", `${PAGE}<p>changed`);
    expect(JSON.parse((await hot.caller.next()).text ?? "")).toMatchObject({ type: "full-reload" });
    hot.caller.close(1000);
    caller.close(1000);
  });

  it.each([
    { host: "evil.test", status: 403 },
    { host: "localhost.evil.test", status: 403 },
    { host: "allowed.test", status: 200 },
    { host: "a.allowed.test", status: 200 },
    { host: "shop.localhost", status: 200 },
    { host: "[::1]", status: 200 },
  ])("asks Vite's allowedHosts about $host", async ({ host, status }) => {
    first.answer = (request, socket) => reply(request.header("upgrade") ? 418 : 200)(request, socket);
    const hosts = ["allowed.test", "*.allowed.test"];
    const { port } = await app.serve(create, {
      server: { allowedHosts: [".allowed.test"] },
      plugins: [fetchvia({ prefix: "/api", target: first.origin, allowTargets: ["*"], hosts })],
    });
    const ask = (path: string, fields = {}) =>
      call(port, `GET ${path}`, { fields: { Host: `${host}:${port}`, ...fields } });
    const answers = [await ask("/api"), await ask("/__proxy__/"), await ask("/", ACCEPT_PAGE)];
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    expect((await ask("/api", HANDSHAKE)).status).toBe(status === 200 ? 418 : 403);
  });

  it("reaches a private target from a server for all, where allowTargets is set", async () => {
    const server = { host: "0.0.0.0" };
    const options = { prefix: "/api", target: first.origin };
    const closed = await app.serve(create, { server, plugins: [fetchvia(options)] });
    const opened = await app.serve(create, {
      server,
      plugins: [fetchvia({ ...options, allowTargets: ["*"] })],
    });
    expect((await call(closed.port, "GET /api")).status).toBe(403);
    expect((await call(opened.port, "GET /api")).text).toBe("first");
    expect((await call(opened.port, `GET /__proxy__/?url=${second.origin}/`)).status).toBe(403);
  });

  it("serves several prefixes, each for its own target, and a base", async () => {
    const { port } = await app.serve(create, {
      base: "/app/",
      plugins: [
        fetchvia({ prefix: "/api", target: first.origin }),
        fetchvia({ prefix: "/auth", target: second.origin }),
      ],
    });
    const paths = ["/api/x", "/auth/x", "/__proxy__/"];
    const answers = await Promise.all(paths.map((path) => call(port, `GET ${path}`)));
    expect(answers.slice(0, 2).map(({ text }) => text)).toEqual(["first", "second"]);
    expect(answers[2]?.json()).toEqual({ host: first.origin, selector: "preset" });
    const peer = new Acceptor(second).next();
    const { caller } = await join(port, "/auth/live", {});
    (await peer).text("hello");
    expect(await caller.next()).toEqual({ text: "hello" });
    caller.close(1000);
    expect((await call(port, "GET /app/", { fields: ACCEPT_PAGE })).text).toContain("<title>the app</title>");
  });

  it("comes before the handlers that a framework puts first", async () => {
    // As Astro (5) does: it would answer each page outside its base.
    const framework = {
      name: "a framework",
      configureServer: ({ middlewares }: ViteDevServer) => () =>
        middlewares.stack.unshift({
          route: "",
          handle: (_incoming: IncomingMessage, outgoing: ServerResponse) => outgoing.end("framework"),
        }),
    };
    const { port } = await app.serve(create, {
      plugins: [
        framework,
        fetchvia({ prefix: "/api", target: first.origin }),
        fetchvia({ prefix: "/auth", target: second.origin }),
      ],
    });
    const paths = ["/api", "/auth", "/__proxy__/", "/"];
    const answers = await Promise.all(paths.map((path) => call(port, `GET ${path}`)));
    const preset = JSON.stringify({ host: first.origin, selector: "preset" });
    expect(answers.map(({ text }) => text)).toEqual(["first", "second", preset, "framework"]);
  });

  it("reaches a labelled backend from the page of its label", async () => {
    const { port } = await app.serve(create, {
      plugins: [fetchvia({ prefix: "/api", target: first.origin, proxyLabels: { staging: second.origin } })],
    });
    const fields = { Host: `staging.w.localhost:${port}` };
    const page = await call(port, "GET /", { fields: { ...fields, ...ACCEPT_PAGE } });
    const asked = await call(port, "GET /api", { fields: { ...fields, "Sec-Fetch-Site": "same-origin" } });
    expect([page.text.includes("<title>the app</title>"), asked.text]).toEqual([true, "second"]);
  });

  it("is as docs/dev-servers.md shows it", async () => {
    const example = new Example("vite.config.ts", first.origin);
    const { port } = await app.serve(create, { configFile: example.file });
    example.remove();
    expect((await call(port, "GET /api")).text).toBe("first");
  });

  it("removes the prefix with mountPath", async () => {
    const { port } = await app.serve(create, {
      plugins: [fetchvia({ mountPath: "/api", target: first.origin })],
    });
    first.answer = reply(302, { Location: "/next", "Set-Cookie": "a=1; Path=/" });
    const answer = await call(port, "GET /api/users?x");
    expect(first.targets).toEqual(["/users?x"]);
    expect([answer.header("location"), answer.header("set-cookie")]).toEqual(["/api/next", "a=1; Path=/api"]);
    expect((await call(port, "GET /api/__proxy__/")).json())
      .toEqual({ host: first.origin, selector: "preset" });
  });

  it("goes on after a restart of the server", async () => {
    const { port, server } = await app.serve(create, {
      plugins: [fetchvia({ prefix: "/api", target: first.origin })],
    });
    await server.restart();
    const now = (server.httpServer?.address() as AddressInfo | null)?.port ?? port;
    expect((await call(now, "GET /api")).text).toBe("first");
  });

  it("works with https: over HTTP/2 and HTTP/1.1", async () => {
    const { port } = await app.serve(create, {
      server: { https: { cert: CERTIFICATE, key: PRIVATE_KEY } },
      plugins: [fetchvia({ prefix: "/api", target: first.origin })],
    });
    const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: CERTIFICATE });
    const stream = session.request({ ":path": "/api/items?x", ":method": "POST", cookie: "a=1" });
    stream.end("abc");
    const [fields] = await once(stream, "response");
    expect([fields[":status"], await text(stream)]).toEqual([200, "first"]);
    expect([first.request.target, first.request.header("cookie"), first.request.body.toString()])
      .toEqual(["/api/items?x", "a=1", "abc"]);
    session.close();
    expect((await call(port, "GET /api", { tls: true })).text).toBe("first");
    expect(app.lines).toContain(`  ➜  fetchvia: console at https://localhost:${port}/__proxy__/`);
  });

  it.each([
    { option: "middlewareMode.server", told: (server: object) => ({ middlewareMode: { server } }) },
    { option: "hmr.server", told: (server: object) => ({ middlewareMode: true, hmr: { server } }) },
  ])("works in middleware mode, with the WebSockets of server.$option", async ({ told }) => {
    const parent = createHttpServer((incoming, outgoing) => vite.middlewares(incoming, outgoing));
    const vite = await create(app.config({
      server: { ws: false, ...told(parent) } as never,
      plugins: [fetchvia({ prefix: "/api", target: first.origin })],
    }));
    parent.listen(0, "127.0.0.1");
    await once(parent, "listening");
    const { port } = parent.address() as AddressInfo;
    expect((await call(port, "GET /api")).text).toBe("first");
    const peer = new Acceptor(first).next();
    const { caller } = await join(port, "/api/live", {});
    (await peer).text("hello");
    expect(await caller.next()).toEqual({ text: "hello" });
    await vite.close();
    expect(await caller.next()).toMatchObject({ closed: 1001 });
    parent.closeAllConnections();
    parent.close();
  });

  it("says in middleware mode that WebSockets need a server", async () => {
    app.lines.length = 0;
    const vite = await create(app.config({
      server: { middlewareMode: true, ws: false, hmr: false } as never,
      plugins: [fetchvia({ prefix: "/api", target: first.origin })],
    }));
    expect(app.lines.filter((line) => line.includes("fetchvia"))).toEqual([
      "  ➜  fetchvia: no WebSockets in middleware mode, unless server.middlewareMode.server is set",
    ]);
    await vite.close();
  });

  it("works in vite preview", async () => {
    const server = await preview(app.config({
      preview: { host: "127.0.0.1", port: 0 },
      build: { outDir: "." },
      plugins: [fetchvia({ prefix: "/api", target: first.origin })] as never,
    }));
    app.keep(server);
    const { port } = server.httpServer.address() as AddressInfo;
    expect((await call(port, "GET /api")).text).toBe("first");
    expect((await call(port, "GET /api", { fields: { Host: "evil.test" } })).status).toBe(403);
  });
});
