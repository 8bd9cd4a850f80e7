/**
 * Apps with absolute links, behind a label: each with the switch that docs/recipes/logins.md names, and without.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { encodeLabel } from "../../src/address/label.ts";
import { call } from "../support/client.ts";
import { NEXT_ENVIRONMENT, PATIENCE_MS, serveNext, writeNext } from "../support/next.ts";
import { freePort, type Proxy, ROOT, startProxy } from "../support/proxy.ts";
import { readSwitch, TRUSTING } from "../support/trusting.ts";

/** A route handler that does as the recipe says of Next.js. */
const NEXT_ROUTE = `import { headers } from "next/headers";
export async function GET(request) {
  const fields = await headers();
  const here = \`\${fields.get("x-forwarded-proto")}://\${fields.get("x-forwarded-host")}\`;
  return new Response(\`\${here}/next \${new URL(request.url).origin}/own\`);
}
`;

let folder: string;
let proxy: Proxy;
const children: ChildProcess[] = [];

// In the project's own folder, so that packages are found.
beforeAll(async () => {
  folder = mkdtempSync(join(ROOT, ".examples-"));
  proxy = await startProxy("node", { LOG: "off", FORWARD_CLIENT: "true" });
});
afterAll(async () => {
  for (const { pid } of children) process.kill(-pid!, "SIGKILL");
  await proxy.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs an app in a folder, and asks it by its label once it listens; gives what it said and that label's origin. */
async function ask(
  port: number,
  path: string,
  cwd: string,
  [program, ...args]: readonly [string, ...string[]],
) {
  const env = { ...process.env, ...NEXT_ENVIRONMENT, NODE_ENV: "development" };
  children.push(spawn(program, args, { cwd, env, stdio: "ignore", detached: true }));
  const Host = `${encodeLabel(`http://127.0.0.1:${port}`)}.w.localhost:${proxy.port}`;
  const { text } = await vi.waitFor(async () => {
    const answer = await call(proxy.port, `GET ${path}`, { fields: { Host }, timeout: PATIENCE_MS });
    expect(answer.status).toBe(200);
    return answer;
  }, { timeout: PATIENCE_MS, interval: 100 });
  return { text, label: `http://${Host}` };
}

/** Runs a program of an app, with these words for its switch. */
async function askProgram(program: string, path: string, words: string) {
  const port = await freePort();
  const file = join(folder, `${port}.mjs`);
  writeFileSync(file, program.replaceAll("PORT", `${port}`).replace("SWITCH", () => words));
  const { text, label } = await ask(port, path, folder, [process.execPath, file]);
  return { text, label, own: `http://127.0.0.1:${port}` };
}

describe("an app with absolute links, behind a label", () => {
  it.each(TRUSTING)("is $app: it names the label, as its switch says", async ({ app, path, program }) => {
    const { text, label, own } = await askProgram(program, path, readSwitch(app));
    expect(text).toContain(`${label}/next`);
    expect(text).not.toContain(`${own}/next`);
  });

  it.each(TRUSTING)("is $app: it names itself without its switch", async ({ path, program, without }) => {
    const { text, label, own } = await askProgram(program, path, without);
    expect(text).toContain(`${own}/next`);
    expect(text).not.toContain(label);
  });

  it("is Next.js: it reads the label from the fields, and its own address from the request", async () => {
    const [port, place] = [await freePort(), join(folder, "next")];
    mkdirSync(place);
    writeNext(place);
    mkdirSync(join(place, "app/links"));
    writeFileSync(join(place, "app/links/route.js"), NEXT_ROUTE);
    const { text, label } = await ask(port, "/links", place, serveNext(port));
    expect(text).toBe(`${label}/next http://localhost:${port}/own`);
  }, PATIENCE_MS);

  it("is tested as far as the recipe says", () => {
    const recipe = readFileSync(join(ROOT, "docs/recipes/logins.md"), "utf8");
    const rows = [...recipe.split("| app | its switch |")[1]!.matchAll(/^\| ([\w.-]+) \| /gm)];
    const tested = [...TRUSTING.map(({ app }) => app), "Next.js"];
    expect(rows.map(([, app]) => app).slice(1, tested.length + 1)).toEqual(tested);
  });
});
