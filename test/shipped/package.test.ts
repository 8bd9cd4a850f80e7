/**
 * The package that npm makes: what is in it, and that an empty project can use it on every runtime.
 * @module
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { reply, routes } from "../support/answers.ts";
import { Project, RUN } from "../support/package.ts";
import { ROOT } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const RUNTIMES = [{ runtime: "node" }, { runtime: "bun" }, { runtime: "deno" }] as const;
const WANTED =
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/.+\.(?:js|d\.ts)|dist\/(?:targets\.schema\.json|worker\.capnp)|dist\/[\w.-]+\.license\.txt|docs\/.+\.md|src\/runtimes\/worker\/worker\.(?:capnp|toml))$/;

const ENTRIES = Object.entries(manifest.exports).map(([key, entry]) => ({ key, ...entry }));

const EMBEDDING = (runtime: string, target: string) => `
import { createProxy, VERSION } from "fetchvia";
import { proxyUrl } from "fetchvia/client";
import { runtime } from "fetchvia/${runtime}";

const proxy = createProxy({ mountPath: "/proxy", allowTargets: ["${target}"] });
const link = await proxyUrl("http://localhost/proxy", "http://${target}/hello?x");
const response = await proxy.handle(new Request(link), runtime);
console.log(VERSION, response.status, await response.text());
process.exit();
`;

/** Calls with `createFetch` on the runtime itself, and tells what came of each call. */
const CALLING = (origin: string, mode: string, target: string) => `
import { createFetch } from "fetchvia/client";

const call = createFetch("${origin}", { mode: "${mode}" });
const tell = (path, init) => call("${target}" + path, init).then(({ status }) => status, ({ name }) => name);
console.log(JSON.stringify([
  await tell("/made", { method: "PUT", body: "tea" }),
  await tell("/moved", { redirect: "follow" }),
  await tell("/moved", { redirect: "manual" }),
  await tell("/made", { redirect: "error" }),
  await tell("/moved", { redirect: "error" }),
  await tell("/made", { signal: AbortSignal.abort() }),
]));
process.exit();
`;

/** Sends bodies that imply a type. */
const TYPED = (origin: string, mode: string, target: string) => `
import { createFetch } from "fetchvia/client";

const call = createFetch("${origin}", { mode: "${mode}" });
const form = new FormData();
form.set("a", "1");
const bodies = [new URLSearchParams("a=1"), new Blob(["a"], { type: "text/x" }), form];
for (const body of bodies) console.log((await call("${target}", { method: "POST", body })).status);
process.exit();
`;

/** Sends a body that goes out twice because of a 307, and a request that was read before. */
const RESENT = (origin: string, mode: string, target: string) => `
import { createFetch } from "fetchvia/client";

const call = createFetch("${origin}", { mode: "${mode}" });
const init = { method: "PUT", body: "tea", headers: { "content-type": "text/x" } };
const read = new Request("${target}/made", init);
await read.text();
const tell = (input, init) => call(input, init).then(({ status }) => status, ({ name }) => name);
console.log(await tell("${target}/kept", init), await tell(read));
process.exit();
`;

let project: Project;
let upstream: Upstream;

beforeAll(async () => {
  [project, upstream] = await Promise.all([Project.create(), listen()]);
  upstream.answer = reply(200, {}, "hello");
}, 60_000);
afterAll(() => Promise.all([project.remove(), upstream.close()]));

function listContent(): string[] {
  const list = execFileSync("tar", ["-tzf", project.tarball], { encoding: "utf8" });
  return list.trim().split("\n").map((path) => path.replace(/^package\//, ""));
}

describe("the package", () => {
  it("holds what is wanted and nothing else", () =>
    expect(listContent().filter((path) => !WANTED.test(path))).toEqual([]));

  it("takes 1.5 MB at most once it is unpacked", () => {
    const folder = join(project.folder, "node_modules/fetchvia");
    const bytes = listContent().reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
    expect(bytes).toBeLessThanOrEqual(1_500_000);
  });

  it.each(ENTRIES)("holds code and types of $key", ({ types, default: code }) => {
    expect(listContent()).toEqual(expect.arrayContaining([types, code].map((path) => path.slice(2))));
  });

  it("holds no path of the machine that made it", () => {
    const own = [ROOT, `${tmpdir()}/`];
    const files = listContent().map((path) => join(project.folder, "node_modules/fetchvia", path));
    const found = files.filter((path) => own.some((place) => readFileSync(path, "utf8").includes(place)));
    expect(found).toEqual([]);
  });

  it("tells bundlers to leave alone what may be missing", () => {
    const files = listContent().filter((path) => path.startsWith("dist/") && path.endsWith(".js"));
    const texts = files.map((path) =>
      readFileSync(join(project.folder, "node_modules/fetchvia", path), "utf8")
    );
    const imports = texts.flatMap((text) => text.match(/\bimport\([^()]*"ioredis"\s*\)/g) ?? []);
    expect(imports.map((text) => text.replace(/\s+/g, "")))
      .toEqual(['import(/*webpackIgnore:true*//*turbopackIgnore:true*/"ioredis")']);
  });

  it("has no script that npm runs, or warns of, where it is installed", () => {
    const own = [
      "preinstall",
      "install",
      "postinstall",
      "prepublish",
      "preprepare",
      "prepare",
      "postprepare",
    ];
    expect(own.filter((name) => name in manifest.scripts)).toEqual([]);
  });

  it("installs its dependencies and nothing else", () => {
    const installed = readdirSync(join(project.folder, "node_modules")).filter((name) =>
      !name.startsWith(".")
    );
    expect(installed.sort()).toEqual([manifest.name, ...Object.keys(manifest.dependencies)].sort());
  });
});

describe.each(RUNTIMES)("on $runtime, the package", ({ runtime }) => {
  it("is embedded", async () => {
    await project.write(`${runtime}.mjs`, EMBEDDING(runtime, upstream.host));
    const [program, ...args] = RUN[runtime];
    const said = await project.run(program, ...args, `${runtime}.mjs`);
    expect(said).toBe(`${manifest.version} 200 hello`);
  });

  it("has a command that tells its version", async () =>
    expect(await project.command(runtime, "--version")).toBe(manifest.version));

  it("says what a shared limit takes beside it", async () => {
    const store = ["--rate-limit", "1/1s", "--rate-limit-store", "redis://127.0.0.1:1"];
    expect(await project.command(runtime, "--port", "0", ...store)).toBe(
      "fetchvia cannot start: RATE_LIMIT_STORE is set, expected the package ioredis beside it. Run npm install ioredis",
    );
  });

  it("has a command that forwards", async () => {
    const { origin, stop } = await project.start(runtime);
    const response = await fetch(`${origin}/__proxy__/?url=${upstream.origin}/`);
    const answer = [response.status, await response.text()];
    await stop();
    expect(answer).toEqual([200, "hello"]);
  });

  it.each([{ mode: "url" }, { mode: "arg" }])(
    "has a fetch that goes through it by $mode",
    async ({ mode }) => {
      const target = await listen();
      target.answer = routes({ "/made": reply(201), "/moved": reply(302, { Location: "/made" }) });
      const { origin, stop } = await project.start(runtime);
      await project.write("calling.mjs", CALLING(origin, mode, target.origin));
      const [program, ...args] = RUN[runtime];
      const said = await project.run(program, ...args, "calling.mjs");
      await Promise.all([stop(), target.close()]);
      expect(JSON.parse(said)).toEqual([201, 201, 302, 201, "TypeError", "AbortError"]);
      const [sent] = target.requests;
      expect([sent?.method, sent?.body.toString(), sent?.header("content-length")])
        .toEqual(["PUT", "tea", "3"]);
    },
  );
});

describe.each(RUNTIMES)("on $runtime, its fetch", ({ runtime }) => {
  it.each([{ mode: "url" }, { mode: "arg" }])(
    "names the type that a body implies by $mode",
    async ({ mode }) => {
      const target = await listen();
      target.answer = reply(200, {}, "ok");
      const { origin, stop } = await project.start(runtime);
      await project.write("typed.mjs", TYPED(origin, mode, target.origin));
      const [program, ...args] = RUN[runtime];
      const said = await project.run(program, ...args, "typed.mjs");
      await Promise.all([stop(), target.close()]);
      const types = target.requests.map((request) => request.header("content-type")?.replace(/;.*/, ""));
      expect({ said, types }).toEqual({
        said: "200\n200\n200",
        types: ["application/x-www-form-urlencoded", "text/x", "multipart/form-data"],
      });
    },
  );
});

describe.each(RUNTIMES)("on $runtime, what its fetch sends", ({ runtime }) => {
  it.each([{ mode: "url" }, { mode: "arg" }])(
    "survives a 307, and is nothing that was read before, by $mode",
    async ({ mode }) => {
      const target = await listen();
      target.answer = routes({ "/kept": reply(307, { Location: "/made" }), "/made": reply(201) });
      const { origin, stop } = await project.start(runtime);
      await project.write("resent.mjs", RESENT(origin, mode, target.origin));
      const [program, ...args] = RUN[runtime];
      const said = await project.run(program, ...args, "resent.mjs");
      await Promise.all([stop(), target.close()]);
      const fields = ["content-type", "content-length"];
      const seen = target.requests.map((request) => [
        request.target,
        request.body.toString(),
        ...fields.map((name) => request.header(name)),
      ]);
      expect({ said, seen }).toEqual({
        said: "201 TypeError",
        seen: [["/kept", "tea", "text/x", "3"], ["/made", "tea", "text/x", "3"]],
      });
    },
  );
});
