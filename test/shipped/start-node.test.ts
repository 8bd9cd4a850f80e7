/**
 * `npm run start:node`: builds what is not built, and nothing else, on a copy of the project.
 * @module
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { call } from "../support/client.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/proxy.ts";
import manifest from "../../package.json" with { type: "json" };
import { waitFor } from "../support/wait.ts";

const COPIED = ["src", "scripts", "package.json", "package-lock.json", "tsconfig.json", "README.md"];
const { PATH = "", HOME = "" } = process.env;
const ENVIRONMENT = { PATH, HOME, NO_COLOR: "1" };

/** A build that takes no time: its program says which build it is of, and what it was given. */
const BUILD = `
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
const count = existsSync("count") ? Number(readFileSync("count", "utf8")) + 1 : 1;
writeFileSync("count", String(count));
mkdirSync("dist/command", { recursive: true });
const program = "console.log(JSON.stringify({ build: " + count + ", args: process.argv.slice(2), file: process.argv[1] }))";
writeFileSync("dist/command/main.js", program);
console.log("noise of the build");
if (existsSync("fail")) process.exit(3);
`;

/** Writes down what a process has loaded by its end. */
const LIST_LOADED = `
process.once("exit", () => {
  const loaded = { own: process.moduleLoadList, files: Object.keys(require.cache) };
  require("node:fs").writeFileSync("loaded.json", JSON.stringify(loaded));
});
`;

/** What `npm start` says where the scripts of the installation were not run. */
const REBUILD = "npm rebuild --ignore-scripts=false bun && npm run console\n";

interface Loaded {
  /** Modules of Node. */
  own: string[];
  /** CommonJS files. */
  files: string[];
}

function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-start-"));
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

/** Runs the script of package.json to its end, as npm does. */
function start(folder: string, ...flags: string[]) {
  const args = ["-c", `${manifest.scripts["start:node"]} "$@"`, "npm", ...flags];
  const { status, stdout, stderr } = spawnSync("sh", args, {
    cwd: folder,
    env: ENVIRONMENT,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("a start on Node", () => {
  let folder: string;
  beforeAll(() => {
    folder = copyProject();
    writeFileSync(join(folder, "scripts/build.ts"), BUILD);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const begin = (...flags: string[]) => {
    const { status, stdout, stderr } = start(folder, ...flags);
    return { status, said: JSON.parse(stdout || "{}") as Record<string, unknown>, stderr };
  };
  const at = (path: string) => join(folder, path);

  it("builds where there is nothing, hands flags on, and says nothing of it on stdout", () => {
    const { status, said, stderr } = begin("--port=9000", "--log=off");
    expect(status).toBe(0);
    expect(said).toEqual({ build: 1, args: ["--port=9000", "--log=off"], file: at("dist/command/main.js") });
    expect(stderr).toContain("noise of the build");
  });

  it.each([
    { about: "a newer file", change: () => utimesSync(at("src/index.ts"), new Date(), new Date()) },
    { about: "an older file", change: () => utimesSync(at("src/core/settings/version.ts"), 1, 1) },
    { about: "a new file", change: () => writeFileSync(at("src/extra.ts"), "") },
    { about: "a file that is gone", change: () => rmSync(at("src/extra.ts")) },
    { about: "a new file in a folder", change: () => writeFileSync(at("src/console/extra.css"), "") },
    { about: "package.json", change: () => cpSync(join(ROOT, "package.json"), at("package.json")) },
    { about: "tsconfig.json", change: () => writeFileSync(at("tsconfig.json"), "{}") },
    { about: "what builds", change: () => utimesSync(at("scripts/build/declarations.ts"), 1, 1) },
    { about: "another build", change: () => writeFileSync(at("dist/command/main.js"), "") },
    { about: "no build", change: () => rmSync(at("dist"), { recursive: true }) },
  ])("builds once after $about", ({ change }) => {
    const before = Number(readFileSync(at("count"), "utf8"));
    change();
    const { said, stderr } = begin();
    expect([said.build, stderr !== ""]).toEqual([before + 1, true]);
  });

  it("builds nothing where nothing has changed", () => {
    const before = Number(readFileSync(at("count"), "utf8"));
    const { said, stderr } = begin();
    expect([said.build, stderr]).toEqual([before, ""]);
  });

  it("does not start where the build fails", () => {
    writeFileSync(at("fail"), "");
    utimesSync(at("src/index.ts"), 2, 2);
    expect(begin()).toMatchObject({ status: 3, said: {} });
    rmSync(at("fail"));
    expect(begin()).toMatchObject({ status: 0, said: { args: [] } });
  });
});

describe("a start where the installation lacks something", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "fetchvia-start-"));
    for (const place of ["scripts", "bin"]) mkdirSync(join(folder, place));
    cpSync(join(ROOT, "scripts/not-installed.mjs"), join(folder, "scripts/not-installed.mjs"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(
    [
      {
        about: "without any dependency",
        script: "start",
        bun: "exit 1",
        has: "bin",
        says: "Install them with: npm ci\n",
      },
      {
        about: "on Deno without any dependency",
        script: "start:deno",
        bun: "exit 1",
        has: "bin",
        says: "Install them with: npm ci\n",
      },
      { about: "without Bun", script: "start", bun: "exit 1", has: "node_modules", says: REBUILD },
      {
        about: "without the console's page",
        script: "start",
        bun: "exit 0",
        has: "node_modules",
        says: REBUILD,
      },
    ] as const,
  )("says what to do $about", ({ script, bun, has, says }) => {
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    mkdirSync(join(folder, has), { recursive: true });
    writeFileSync(join(folder, "bin/bun"), `#!/bin/sh\n${bun}\n`, { mode: 0o755 });
    const env = { ...ENVIRONMENT, PATH: `${join(folder, "bin")}:${PATH}` };
    const { status, stderr } = spawnSync("sh", ["-c", manifest.scripts[script]], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toContain(says);
  });
});

describe("a start on Node of what is built", () => {
  it("loads no more of Node than it needs, and no library on its own", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "fetchvia-start-")));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "list.cjs"), LIST_LOADED);
    const port = await freePort();
    const args = ["--require", "./list.cjs", join(ROOT, "dist/command/main.js"), `--port=${port}`];
    const child = spawn(process.execPath, args, { cwd: folder, env: ENVIRONMENT, stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const health = () => call(port, "GET /__proxy__/health").then(({ status }) => status, () => 0);
    await waitFor(async () => expect(await health()).toBe(200));
    child.kill("SIGTERM");
    await ended;
    const { own, files } = JSON.parse(readFileSync(join(folder, "loaded.json"), "utf8")) as Loaded;
    expect(own).toContain("NativeModule net");
    expect(own.filter((name) => /^NativeModule (?:_?http.*|https|zlib|_?tls.*|crypto)$/.test(name)))
      .toEqual([]);
    // To import it opens stdin; the global does not.
    expect(own).not.toContain("NativeModule process");
    expect(files).toEqual([join(folder, "list.cjs")]);
  }, 60_000);
});
