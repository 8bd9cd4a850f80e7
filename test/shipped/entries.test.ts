/**
 * The entries for each runtime: imported by a program that has an environment of its own, and served as they are.
 * @module
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { call, open } from "../support/client.ts";
import { DENO, RUN } from "../support/package.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";
import { waitFor } from "../support/wait.ts";
import { headBytes } from "../support/http.ts";
import { Acceptor, HANDSHAKE, handshake, join as joinSocket } from "../support/websocket.ts";
import { frameOf, type Peer } from "../support/websocket-peer.ts";
import { rowsOf } from "../support/rows.ts";

const run = promisify(execFile);
const { PATH, HOME } = process.env;
const RUNTIMES = [{ runtime: "bun" }, { runtime: "deno" }, { runtime: "node" }] as const;
/** How code is given to each of them. */
const EVALUATE = {
  bun: [RUN.bun[0], "-e"],
  deno: [DENO, "eval"],
  node: [RUN.node[0], "--input-type=module", "-e"],
} as const;

async function evaluate(runtime: keyof typeof EVALUATE, code: string, env: Record<string, string>) {
  const [program, ...args] = EVALUATE[runtime];
  const options = { cwd: ROOT, env: { PATH, HOME, DENO_NO_UPDATE_CHECK: "1", ...env } };
  const { stdout } = await run(program, [...args, code], options);
  return stdout.trim();
}

describe.each(RUNTIMES)("the entry for $runtime, imported", ({ runtime }) => {
  it("reads no environment that is meant for another program, and has a fetch that does", async () => {
    const code = `const { runtime, default: entry } = await import("fetchvia/${runtime}");
      console.log(Object.keys(runtime).join());
      Object.assign(process.env, { PORT: "1", LOG: "off", MOUNT_PATH: "/in" });
      const request = new Request("http://localhost/in/__proxy__/?host=https://a.test");
      const response = await entry.fetch(request, { remoteAddr: {}, requestIP: () => null });
      console.log(response.headers.get("set-cookie"));`;
    const [names, cookie] = (await evaluate(runtime, code, { PORT: "none", LOG: "debug" })).split("\n");
    expect(names).toBe("name,keepsTimers,untilTurnEnd,obeysRoute,resolve,send");
    expect(cookie).toContain("; Path=/in;");
  });
});

/** Servers of each runtime, as docs/embedding.md stops them. */
const STOPPED = {
  bun: `const serve = (fetch) => Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
    const portOf = (server) => server.port;
    const stop = (server) => server.stop();`,
  deno:
    `const serve = (fetch) => Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => fetch(request));
    const portOf = (server) => server.addr.port;
    const stop = (server) => void server.shutdown();`,
  node: `import { createServer } from "node:http";
    import { EventEmitter, once } from "node:events";
    import { createHandler } from "fetchvia/node";
    const serve = async (fetch) => {
      const answer = fetch === forward ? createHandler(proxy) : (_incoming, outgoing) => outgoing.end("hello");
      const server = createServer(answer).listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    };
    const portOf = (server) => server.address().port;
    const stop = (server) => server.close();`,
};

describe.each(RUNTIMES)("a server of $runtime", ({ runtime }) => {
  it("lets the process end when it and the proxy are closed", async () => {
    const code = `import { createProxy } from "fetchvia";
      import { runtime } from "fetchvia/${runtime}";
      const proxy = createProxy({ privateTargets: true });
      const forward = (request) => proxy.handle(request, runtime);
      ${STOPPED[runtime]}
      const [target, server] = [await serve(() => new Response("hello")), await serve(forward)];
      const headers = { proxy_host: "http://127.0.0.1:" + portOf(target), connection: "close" };
      const response = await fetch("http://127.0.0.1:" + portOf(server), { headers });
      console.log(await response.text());
      stop(server);
      proxy.close();
      stop(target);`;
    expect(await evaluate(runtime, code, {})).toBe("hello");
  });
});

describe("the entry for bun, lent to a server", () => {
  it("connects as the command does", async () => {
    const code = `const { connect } = Bun;
      let count = 0;
      Bun.connect = (options) => (count += 1, connect(options));
      const { createProxy } = await import("fetchvia");
      const { runtime } = await import("fetchvia/bun");
      const target = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
      const request = new Request("http://localhost/", { headers: { proxy_host: target.url.origin } });
      const response = await createProxy({ privateTargets: true }).handle(request, runtime);
      console.log(await response.text(), count);
      process.exit();`;
    expect(await evaluate("bun", code, {})).toBe("hello 1");
  });
});

describe("the configuration of bun", () => {
  it("keeps a .env out of the environment", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fetchvia-env-"));
    await copyFile(join(ROOT, "bunfig.toml"), join(folder, "bunfig.toml"));
    await writeFile(join(folder, ".env"), "PROXY_TOKEN=sesame\n");
    const options = { cwd: folder, env: { PATH, HOME } };
    const { stdout } = await run(RUN.bun[0], ["-e", "console.log(process.env.PROXY_TOKEN)"], options);
    await rm(folder, { recursive: true });
    expect(stdout.trim()).toBe("undefined");
  });
});

const MEBIBYTE = 1_048_576;
const LARGE_BYTES = 2 * MEBIBYTE;

/** Ways to serve an entry, the port behind them, and how a caller sees that its target has broken off. */
const SERVED = [
  {
    about: "bun run",
    command: [RUN.bun[0], "run", "src/runtimes/bun.ts"],
    flags: [],
    broken: 1006,
    declareOwn: () => {},
  },
  {
    about: "deno serve",
    command: [DENO, "serve", "-A", "--port"],
    flags: ["src/runtimes/deno.ts"],
    // `Deno.serve` cuts no connection.
    broken: 1014,
    declareOwn: declareDeno,
  },
];

/** Serves an entry for all tests of a suite; gives its port. */
function useServed({ command: [program = "", ...args], flags }: typeof SERVED[number]): () => number {
  let port = 0;
  let child: ChildProcess;
  beforeAll(async () => {
    port = await freePort();
    const all = [...args, ...flags.flatMap((file) => [String(port), file])];
    const env = {
      ...{ PATH, HOME, DENO_NO_UPDATE_CHECK: "1" },
      ...{ PORT: String(port), LOG: "off", PRIVATE_TARGETS: "true" },
    };
    child = spawn(program, all, { cwd: ROOT, env, stdio: "ignore" });
    const health = () => call(port, "GET /__proxy__/health").then(({ text }) => text, () => "");
    await waitFor(async () => expect(await health()).toBe('{"status":"ok"}'));
  });
  afterAll(async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  });
  return () => port;
}

describe("the entry for bun, run by itself", () => {
  const start = (env: NodeJS.ProcessEnv) =>
    spawn(RUN.bun[0], ["run", "src/runtimes/bun.ts"], {
      cwd: ROOT,
      env: { PATH, HOME, LOG: "off", ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });

  it.each(rowsOf(["about", "env", "line"], [
    ["a bad setting", { PORT: "none" }, /^fetchvia cannot start: PORT is "none", [^\n]*\n$/],
    ["workers", { WORKERS: "2" }, /^fetchvia cannot start: WORKERS is 2, expected 1[^\n]*\n$/],
  ]))("does not start with $about, and says so in one line", async ({ env, line }) => {
    const child = start(env);
    const [text, [code]] = await Promise.all([child.stderr.toArray(), once(child, "close")]);
    expect(text.join("")).toMatch(line);
    expect(code).toBe(1);
  });

  it("says where it listens, and answers what is in flight at a signal", async () => {
    const upstream = await listen();
    const events = new EventEmitter();
    const [arrived, released] = [once(events, "arrived"), once(events, "released")];
    upstream.answer = async (request, socket) => {
      events.emit("arrived");
      await released;
      await reply(200)(request, socket);
    };
    const port = await freePort();
    const child = start({ PORT: String(port), PRIVATE_TARGETS: "true" });
    const closed = once(child, "close");
    const [line] = await once(child.stderr, "data");
    expect(String(line)).toMatch(
      new RegExp(
        `^fetchvia listening on http://127\\.0\\.0\\.1:${port} \\(bun [\\d.]+, pid ${child.pid}, `,
      ),
    );
    const answer = call(port, "GET /p", { fields: { proxy_host: upstream.origin } });
    await arrived;
    child.kill("SIGINT");
    const [stopping] = await once(child.stderr, "data");
    expect(String(stopping)).toMatch(/^fetchvia: stopping, 1 in flight/);
    events.emit("released");
    expect((await answer).status).toBe(200);
    expect(await closed).toEqual([0, null]);
    await upstream.close();
  });
});

describe.each(SERVED)("an entry that is served as it is, by $about,", (served) => {
  const port = useServed(served);
  served.declareOwn(port);

  it("joins WebSockets, with what the target chose", async () => {
    const upstream = await listen();
    const chosen = { "Sec-WebSocket-Protocol": "last", "Set-Cookie": "a=1", "X-A": "\u00e9" };
    const acceptor = new Acceptor(upstream, chosen);
    const fields = { proxy_host: upstream.origin, "Sec-WebSocket-Protocol": "first,last" };
    const { head } = await joinSocket(port(), "/p", fields);
    expect(Object.keys(chosen).map((name) => head.header(name))).toEqual(["last", "a=1", "\u00e9"]);
    expect(acceptor.request.header("sec-websocket-protocol")).toBe("first,last");
    await upstream.close();
  });

  it("passes both kinds of messages and all closings on", async () => {
    const upstream = await listen();
    const acceptor = new Acceptor(upstream);
    const closings = [[1000, "bye"], [1011, ""], [4999, "\u20ac"], [undefined, ""]] as const;
    for (const [code, reason] of [...closings, ...closings]) {
      const joined = acceptor.next();
      const { caller } = await joinSocket(port(), "/p", { proxy_host: upstream.origin });
      const ends = [caller, await joined] as const;
      const [from, to] = acceptor.peers.length > closings.length ? ends : ends.toReversed() as [Peer, Peer];
      from.text("\ufeff\u20ac");
      from.send(2, Buffer.from([0, 255]));
      from.send(9, "alive?");
      from.close(code, reason);
      expect([await to.next(), await to.next(), await to.next()]).toEqual([
        { text: "\ufeff\u20ac" },
        { binary: Buffer.from([0, 255]) },
        { closed: code ?? 1005, reason },
      ]);
      expect([await from.next(), await from.next()])
        .toEqual([{ pong: "alive?" }, { closed: code ?? 1005, reason }]);
    }
    await upstream.close();
  });

  it("ends a WebSocket without a Close frame, behind all that came", async () => {
    const upstream = await listen();
    const acceptor = new Acceptor(upstream);
    const open = async () => {
      const joined = acceptor.next();
      const { caller } = await joinSocket(port(), "/p", { proxy_host: upstream.origin });
      return [caller, await joined] as const;
    };
    for (const [from, to] of [await open(), (await open()).toReversed()] as [Peer, Peer][]) {
      to.send(2, Buffer.alloc(LARGE_BYTES, 7));
      to.socket.end();
      expect((await from.next()).binary?.length).toBe(LARGE_BYTES);
      expect(await from.next()).toMatchObject({ closed: from.isClient ? served.broken : 1006 });
    }
    for (const [from, to] of [await open(), (await open()).toReversed()] as [Peer, Peer][]) {
      to.socket.resetAndDestroy();
      expect(await from.next()).toMatchObject({ closed: from.isClient ? served.broken : 1006 });
    }
    await upstream.close();
  });

  it("passes early frames of both sides on", async () => {
    const upstream = await listen();
    const acceptor = new Acceptor(upstream);
    const { answer } = upstream;
    upstream.answer = (request, socket) => {
      socket.cork();
      void answer(request, socket);
      socket.write(frameOf(1, Buffer.from("first"), true, false));
      socket.uncork();
    };
    const joined = acceptor.next();
    const caller = await open(port());
    const head = headBytes("GET /p HTTP/1.1", handshake({ Host: "127.0.0.1", proxy_host: upstream.origin }));
    caller.write(Buffer.concat([head, frameOf(1, Buffer.from("early"), true, true)]));
    await caller.until("first");
    caller.write(frameOf(1, Buffer.from("late"), true, true));
    const target = await joined;
    expect([await target.next(), await target.next()]).toEqual([{ text: "early" }, { text: "late" }]);
    caller.destroy();
    await upstream.close();
  });

  it("refuses other protocols, and passes redirects on", async () => {
    const upstream = await listen();
    upstream.answer = (request, socket) =>
      reply(request.header("upgrade") ? 302 : 200, { Location: "/next" })(request, socket);
    const ask = async (fields: Readonly<Record<string, string>>) =>
      (await call(port(), "GET /p", { fields: { proxy_host: upstream.origin, ...fields } })).status;
    expect(await ask({ Connection: "Upgrade", Upgrade: "tcp" })).toBe(501);
    expect(await ask({ Connection: "Upgrade", Upgrade: "h2c" })).toBe(200);
    expect(await ask({ ...HANDSHAKE, Upgrade: "h2c, websocket" })).toBe(302);
    expect(upstream.targets).toEqual(["/p", "/p"]);
    await upstream.close();
  });
});

/** What only `deno serve` does. */
function declareDeno(port: () => number): void {
  it("closes a WebSocket of `deno serve` with 1013 where its target takes none of 16 MiB", async () => {
    const upstream = await listen();
    const joined = new Acceptor(upstream).next();
    const { caller } = await joinSocket(port(), "/p", { proxy_host: upstream.origin });
    const target = await joined;
    target.socket.pause();
    // A message that comes behind the Close frame makes Deno cut the connection, so the one that is too much is the last:
    // the systems of both ends hold 36 MiB of the first at most.
    caller.send(2, Buffer.alloc(60 * MEBIBYTE));
    caller.text("one too many");
    expect(await caller.next()).toEqual({ closed: 1013, reason: "the target takes messages too slowly" });
    target.socket.resume();
    expect((await target.next()).binary?.length).toBe(60 * MEBIBYTE);
    expect(await target.next()).toEqual({ closed: 1013, reason: "" });
    await upstream.close();
  });

  it("holds up a target of `deno serve` for a slow caller, who gets all", async () => {
    const upstream = await listen();
    const joined = new Acceptor(upstream).next();
    const { caller } = await joinSocket(port(), "/p", { proxy_host: upstream.origin });
    const target = await joined;
    caller.socket.pause();
    for (let sent = 0; sent < 32; sent += 1) target.send(2, Buffer.alloc(MEBIBYTE, sent));
    caller.socket.resume();
    for (let got = 0; got < 32; got += 1) {
      expect((await caller.next()).binary?.equals(Buffer.alloc(MEBIBYTE, got))).toBe(true);
    }
    await upstream.close();
  });
}

describe("an entry that is served as it is", () => {
  it.each(SERVED)("reads the file that SIGNING_KEY_FILE names: $about", async ({ command, flags }) => {
    const port = String(await freePort());
    const [program = "", ...args] = [...command, ...flags.flatMap((file) => [port, file])];
    const env = { PATH, HOME, DENO_NO_UPDATE_CHECK: "1", PORT: port, SIGNING_KEY_FILE: "/none" };
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ["ignore", "ignore", "pipe"] });
    const [text] = await Promise.all([child.stderr.toArray(), once(child, "close")]);
    expect(text.join("")).toContain('SIGNING_KEY_FILE is "/none", expected a readable file');
  });
});
