/**
 * The whole proxy as one executable file: it starts, answers, and stops like every other.
 * @module
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../src/core/settings/version.ts";
import { argOf } from "../support/arg.ts";
import { call } from "../support/client.ts";
import { freePort } from "../support/free-port.ts";
import { ROOT } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";
import { waitFor } from "../support/wait.ts";

const FILE = join(ROOT, "bin/fetchvia");
/** Nothing of Bun, Node or the project is in reach: an empty PATH, and a folder of its own. */
const OPTIONS = { cwd: tmpdir(), env: {} };

/** `fetchvia health`, as a container asks. */
async function ask(port: number): Promise<{ code: number | null; stdout: string }> {
  const asked = spawn(FILE, ["health", "--port", String(port)], OPTIONS);
  let stdout = "";
  asked.stdout.on("data", (text) => (stdout += text));
  const [code] = (await once(asked, "close")) as [number | null];
  return { code, stdout };
}

describe("the executable file", () => {
  beforeAll(() => void execFileSync("node_modules/.bin/bun", ["scripts/compile.ts"], { cwd: ROOT }), 60_000);

  it("tells its version", () =>
    expect(execFileSync(FILE, ["--version"], OPTIONS).toString()).toBe(`${VERSION}\n`));

  it.each([{ flags: [] }, { flags: ["--workers", "2"] }])(
    "starts, answers and ends with 0: $flags",
    async ({ flags }) => {
      const [port, upstream] = [await freePort(), await listen()];
      const proxy = spawn(FILE, ["--port", String(port), ...flags], OPTIONS);
      let stderr = "";
      proxy.stderr.on("data", (text) => (stderr += text));
      await waitFor(() => expect(stderr).toContain(`listening on http://127.0.0.1:${port}`));
      const fields = { proxy_host: upstream.origin };
      expect((await call(port, "GET /p", { fields })).text).toBe("ok");
      // An address of 60 KB, for which the runtime's own limit would be too small.
      const arg = argOf({ url: `${upstream.origin}/p`, headers: { "x-long": "x".repeat(44_000) } });
      expect((await call(port, `GET /__proxy__/fetch?arg=${arg}`)).status).toBe(200);
      expect(await ask(port)).toEqual({ code: 0, stdout: "healthy\n" });
      proxy.kill("SIGTERM");
      expect(await once(proxy, "exit")).toEqual([0, null]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      const fault = `not healthy: http://127.0.0.1:${port} refused the connection\n`;
      expect(await ask(port)).toEqual({ code: 1, stdout: fault });
      await upstream.close();
    },
  );
});
