/**
 * The projects in docs/examples, run as they stand.
 * @module
 */
import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createServer } from "vite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { App } from "../apps/vite.ts";
import { reply } from "../support/answers.ts";
import { makeAppFolder } from "../support/apps.ts";
import { call } from "../support/client.ts";
import { FOLDERS, readServers, ServedExamples } from "../support/embedded.ts";
import { ROOT, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const run = promisify(execFile);
const NAMES = readdirSync(FOLDERS).filter((name) => !name.endsWith(".md"));
const SERVERS = readServers();

let upstream: Upstream;
let folder: string;
beforeAll(async () => {
  upstream = await listen();
  folder = makeAppFolder();
});
beforeEach(() => {
  upstream.answer = reply(200, {}, "hello");
  upstream.requests.length = 0;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await upstream.close();
});

/** Copies a project, with what this machine has in place of what it shows; gives its folder. */
function copy(name: string, here: Readonly<Record<string, string>>): string {
  const place = join(folder, name);
  // Without a manifest of its own, it finds the package by the name of this project.
  cpSync(join(FOLDERS, name), place, { recursive: true, filter: (file) => !file.endsWith("package.json") });
  for (const file of readdirSync(place)) {
    const text = readFileSync(join(place, file), "utf8");
    const pattern = new RegExp(Object.keys(here).join("|"), "g");
    writeFileSync(join(place, file), text.replace(pattern, (shown) => here[shown]!));
  }
  return place;
}

it.each(NAMES)("%s has three files at most, and scripts for what is there", (name) => {
  const files = readdirSync(join(FOLDERS, name));
  const { scripts } = JSON.parse(readFileSync(join(FOLDERS, name, "package.json"), "utf8"));
  expect(files.length).toBeLessThanOrEqual(3);
  const named = Object.values<string>(scripts).flatMap((script) => script.match(/\S+\.\w+/g) ?? []);
  expect(files).toEqual(expect.arrayContaining(named));
  expect(readFileSync(join(FOLDERS, "README.md"), "utf8")).toContain(`[${name}](${name})`);
});

describe("servers", () => {
  let served: ServedExamples;
  beforeAll(() => {
    served = new ServedExamples(upstream);
  });
  afterAll(() => served.stop());

  it.each(SERVERS)("$title forwards, and answers by itself", async (example) => {
    const { ask } = await served.start(example);
    const fields = { proxy_host: upstream.origin };
    expect((await ask("GET /proxy/a?b", { fields })).text).toBe("hello");
    expect(upstream.targets).toEqual(["/a?b"]);
    expect((await ask("GET /")).text).toBe("the application");
  });
});

it("vite forwards /api, and serves its page", async () => {
  const root = copy("vite", { "http://localhost:3000": upstream.origin });
  const app = new App();
  const { port } = await app.serve(createServer, { root, configFile: join(root, "vite.config.ts") });
  const page = await call(port, "GET /", { fields: { Accept: "text/html" } });
  expect(page.text).toContain("<title>fetchvia with Vite</title>");
  expect((await call(port, "GET /api/me")).text).toBe("hello");
  expect(upstream.targets).toEqual(["/api/me"]);
  await app.close();
});

it("agent uses the API without its key", async () => {
  const place = copy("agent", {
    "https://api.openai.com": upstream.origin,
    '"api.openai.com"': '"127.0.0.1"',
  });
  const env = { TARGETS: join(place, "targets.json"), OPENAI_API_KEY: "sk-1234" };
  const proxy = await startProxy("node", env);
  upstream.answer = reply(200, {}, JSON.stringify({ choices: [{ message: { content: "hello" } }] }));
  const agent = join(place, "agent.js");
  writeFileSync(agent, readFileSync(agent, "utf8").replace("8080", String(proxy.port)));
  const ask = async () => (await run(process.execPath, [agent], { cwd: ROOT })).stdout.trim();
  expect(await ask()).toBe("hello");
  expect([upstream.request.method, upstream.targets]).toEqual(["POST", ["/v1/chat/completions"]]);
  expect(upstream.request.header("authorization")).toBe("Bearer sk-1234");
  writeFileSync(agent, readFileSync(agent, "utf8").replace("chat/completions", "files"));
  expect(await ask()).toContain("this path is not allowed");
  await proxy.stop();
});
