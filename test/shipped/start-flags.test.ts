/**
 * `npm start` and its sisters hand flags on to the command, and do not start without those that npm kept for itself.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { call } from "../support/client.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/proxy.ts";
import { waitFor } from "../support/wait.ts";

const SCRIPTS = [
  { script: "start", runtime: "bun" },
  { script: "start:deno", runtime: "deno" },
  { script: "start:node", runtime: "node" },
];

/** Long enough for a build. */
const PATIENCE_MS = 60_000;

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "fetchvia-"));
});
afterAll(() => rmSync(home, { recursive: true }));

/** Runs npm as a user without settings does. */
function npm(...args: string[]) {
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: home, NO_COLOR: "1", DENO_DIR: join(home, "deno"), DENO_NO_UPDATE_CHECK: "1" };
  const child = spawn("npm", args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  return {
    child,
    ended: once(child, "close"),
    written: Promise.all([text(child.stdout), text(child.stderr)]),
  };
}

describe("npm run", () => {
  it.each(SCRIPTS)("$script hands --port and --proxy-token on", async ({ script, runtime }) => {
    const port = await freePort();
    const { child, ended, written } = npm("run", script, "--", `--port=${port}`, "--proxy-token", "sec-ret$");
    const ask = (fields: Record<string, string>) =>
      call(port, "GET /__proxy__/", { fields }).then(({ status }) => status, () => 0);
    await waitFor(async () => expect(await ask({})).not.toBe(0));
    const statuses = [
      await ask({}),
      await ask({ proxy_token: "wrong" }),
      await ask({ proxy_token: "sec-ret$" }),
    ];
    child.kill("SIGTERM");
    await ended;
    const [, stderr] = await written;
    expect(statuses).toEqual([401, 401, 200]);
    expect(stderr).toContain(`fetchvia listening on http://127.0.0.1:${port} (${runtime} `);
    expect(await ask({})).toBe(0);
  }, PATIENCE_MS);

  it("start:bun is start", () => expect(manifest.scripts["start:bun"]).toBe(manifest.scripts.start));

  // Each runs the same command, of its sources or as it is built.
  it.each(SCRIPTS.filter(({ runtime }) => runtime !== "deno"))(
    "$script does not start without the flags that npm kept",
    async ({ script }) => {
      const port = await freePort();
      const { ended, written } = npm("run", script, `--port=${port}`, "--proxy-token=secret");
      const [code] = await ended;
      const [stdout, stderr] = await written;
      expect(code).toBe(1);
      const command = script === "start" ? "npm start" : `npm run ${script}`;
      expect(stderr).toContain(
        "fetchvia cannot start: npm took --port, --proxy-token for its own, " +
          `expected -- in front of them: ${command} -- --port=${port} --proxy-token=…\n`,
      );
      expect(stdout + stderr).not.toContain("secret");
    },
    PATIENCE_MS,
  );
});
