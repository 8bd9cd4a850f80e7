/**
 * Runs what the recipes show, line by line, and compares what it writes with what they say.
 * @module
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { encodeLabel } from "../../src/address/label.ts";
import { reply } from "../support/answers.ts";
import { freePort, ROOT } from "../support/proxy.ts";
import { type Handler, listen, type Upstream } from "../support/upstream.ts";

const run = promisify(execFile);

/** A code block, and the text block after it. */
interface Step {
  language: string;
  code: string;
  expected: string | undefined;
}

/** @param login where `/login` leads */
const answerAs = (version: string, login = ""): Handler => (request, socket) => {
  const answers: Record<string, Handler> = {
    GET: request.target === "/login" ? reply(302, { Location: login }) : reply(200, {}, `${version}\n`),
    DELETE: reply(204),
  };
  return (answers[request.method] ?? reply(201, {}, "201 made\n"))(request, socket);
};

let folder: string;
let environment: NodeJS.ProcessEnv;
let port: number;
let staging: Upstream;
let live: Upstream;
let proxy: ChildProcess | undefined;

beforeEach(async () => {
  [folder, port, staging, live] = await Promise.all([
    mkdtemp(join(tmpdir(), "fetchvia-")),
    freePort(),
    listen(),
    listen(),
  ]);
  staging.answer = answerAs("staging 2.4.0");
  live.answer = answerAs("live 2.3.9", `${staging.origin}/auth`);
  // `npx fetchvia` is the built command, and `fetchvia/client` the built module.
  await writeFile(
    join(folder, "npx"),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${ROOT}/dist/runtimes/command/main.js" "$@"\n`,
  );
  await chmod(join(folder, "npx"), 0o755);
  environment = { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder, LOG: "off" };
});

afterEach(async () => {
  proxy?.kill("SIGKILL");
  await Promise.all([staging.close(), live.close(), rm(folder, { recursive: true })]);
});

/** The steps of a recipe, with this machine's addresses in place of those that it shows. */
async function readSteps(recipe: string): Promise<Step[]> {
  const text = (await readFile(`${ROOT}/docs/recipes/${recipe}.md`, "utf8"))
    .replaceAll("https://staging.example.com", staging.origin)
    .replaceAll("https://api.example.com", live.origin)
    .replaceAll("https://app.example.com", live.origin)
    .replaceAll("https://login.example.com", staging.origin)
    .replaceAll("app-example-com", encodeLabel(live.origin))
    .replaceAll("login-example-com", encodeLabel(staging.origin))
    .replaceAll("api.example.com", live.host)
    .replaceAll("8080", String(port));
  return [...text.matchAll(/^```(sh|js)\n(.*?)^```(?:\n\n```text\n(.*?)^```)?/gms)]
    .map(([, language = "", code = "", expected]) => ({ language, code, expected }));
}

/** Starts the proxy as the first block of a recipe does. */
async function start({ code }: Step): Promise<void> {
  const exports = [...code.matchAll(/(\w+)=([\w-]+)/g)].map(([, name = "", value = ""]) => [name, value]);
  Object.assign(environment, /^export/.test(code) ? Object.fromEntries(exports) : {});
  // `exec`, so that what is killed in the end is the proxy.
  const script = code.replace(/^npx/m, "exec npx");
  proxy = spawn("bash", ["-ec", script], { cwd: folder, env: environment, stdio: "ignore" });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/__proxy__/health`).then((answer) => answer.ok, () => false);
  await vi.waitUntil(isUp, { timeout: 10_000, interval: 50 });
}

async function write({ language, code }: Step): Promise<string> {
  const { stdout } = language === "js"
    ? await run(process.execPath, ["--input-type=module", "-e", code], { cwd: ROOT, env: environment })
    : await run("bash", ["-c", code], { cwd: folder, env: environment });
  return stdout;
}

describe("the recipe", () => {
  it.each([
    { recipe: "environments", count: 4 },
    { recipe: "cors", count: 3 },
    { recipe: "get-only", count: 3 },
    { recipe: "public", count: 4 },
    { recipe: "logins", count: 2 },
  ])("$recipe does what it says", async ({ recipe, count }) => {
    const [first, ...steps] = await readSteps(recipe);
    await start(first!);
    const written = [];
    for (const step of steps) written.push((await write(step)).trim());
    expect(written).toEqual(steps.map(({ expected }) => expected?.trim()));
    expect(written).toHaveLength(count);
  });
});
