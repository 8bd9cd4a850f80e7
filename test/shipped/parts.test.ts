/**
 * The parts of docs/parts.md, run as they stand, by each runtime.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { type ProgramRuntime, RUN } from "../support/package.ts";
import { ROOT } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const FILES = [
  ...readFileSync(join(ROOT, "docs/parts.md"), "utf8").matchAll(/^```js ([\w-]+\.js)\n(.*?)^```/gms),
];
const folder = mkdtempSync(join(ROOT, ".examples-"));
let target: Upstream;

beforeAll(async () => {
  target = await listen();
  target.answer = reply(200, {}, "hello");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules/fetchvia"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const [, name = "", code = ""] of FILES) writeFileSync(join(folder, name), code);
});
afterAll(async () => {
  await target.close();
  rmSync(folder, { recursive: true });
});

it("are three, each of at most 50 lines", () => {
  expect(FILES.map(([, name]) => name)).toEqual(["server-timing.js", "maintenance.js", "allow-list.js"]);
  expect(Math.max(...FILES.map(([, , code = ""]) => code.split("\n").length))).toBeLessThanOrEqual(50);
});

/** Asks a proxy of the core and the three parts, and prints what it answers: as usual, closed, open again, another host. */
const programOf = (runtime: ProgramRuntime, host: string) => `
  import { createProxy } from "fetchvia/core";
  import { runtime } from "fetchvia/${runtime}";
  import { rmSync, writeFileSync } from "node:fs";
  import { serverTiming } from "./server-timing.js";
  import { maintenance } from "./maintenance.js";
  import { allowList } from "./allow-list.js";
  const [down, hosts] = ["down-${runtime}", "hosts-${runtime}.txt"];
  writeFileSync(hosts, "api.example.com\\n${host}\\n");
  const proxy = createProxy({ privateTargets: true }, [serverTiming(), maintenance(down), allowList(hosts)]);
  const ask = async (path = "/") => {
    const request = new Request("http://localhost" + path, { headers: { proxy_host: "http://${host}" } });
    const response = await proxy.handle(request, { ...runtime, clientAddress: "127.0.0.1" });
    const timing = /^target;dur=\\d+$/.test(response.headers.get("server-timing"));
    return [response.status, timing, await response.text()];
  };
  const told = [await ask()];
  const pause = () => new Promise((resolve) => setTimeout(resolve, 150));
  writeFileSync(down, "");
  await pause();
  told.push(await ask(), await ask("/__proxy__/maintenance"));
  rmSync(down);
  await pause();
  told.push(await ask());
  writeFileSync(hosts, "api.example.com\\n");
  let last = await ask();
  for (let tries = 0; last[0] === 200 && tries < 100; tries += 1) {
    await pause();
    last = await ask();
  }
  told.push(last);
  proxy.close();
  console.log(JSON.stringify(told));
  process.exit();`;

describe.each(["bun", "deno", "node"] as const)("on %s", (runtime) => {
  it("do what the document says", async () => {
    writeFileSync(join(folder, `${runtime}.js`), programOf(runtime, target.host));
    const [program, ...args] = RUN[runtime];
    const { stdout } = await promisify(execFile)(program, [...args, `${runtime}.js`], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([
      [200, true, "hello"],
      [503, false, expect.stringContaining("back in a moment")],
      [200, false, "on"],
      [200, true, "hello"],
      [403, false, expect.stringContaining(`Cannot reach ${target.host}: the allow list does not name it`)],
    ]);
  });
});
