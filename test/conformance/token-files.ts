/**
 * How a proxy that asks for callers' tokens starts, and the file of revoked ones.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { request } from "../support/client.ts";
import type { Pool } from "../support/pool.ts";
import { startProxy } from "../support/proxy.ts";
import { waitUntil } from "../support/wait.ts";
import { connectEach, startTwo, untilReplaced, workersOf } from "../support/workers.ts";

const SIGNING_KEY = "the key of the tests, long enough";
const KEYED = JSON.stringify({ "a.test": { set: { "x-api-key": "{{KEY}}" } } });
const mint = (id: string, rate?: string) =>
  mintToken({ id, rate, expires: Math.floor(Date.now() / 1_000) + 600 }, SIGNING_KEY);

/** Declares the tests. */
export function describeTokenFiles(pool: Pool): void {
  describe("a proxy of callers' tokens", () => {
    let folder: string;
    beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "fetchvia-tokens-"))));
    afterAll(() => rmSync(folder, { recursive: true }));

    it("shares the rate of a token between its workers, and takes the same ones in a worker that replaces another when the file of the key is another one", async () => {
      const file = join(folder, `key-${pool.runtime}`);
      writeFileSync(file, SIGNING_KEY);
      const proxy = await startTwo(pool, { SIGNING_KEY_FILE: file });
      const rated = { fields: { proxy_token: await mint("rated", "3/60s") } };
      const answers = await Promise.all(Array.from({ length: 12 }, () => proxy.call("GET /", rated)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      writeFileSync(file, "the key after the next start, long enough");
      const [first] = workersOf(proxy);
      process.kill(first!, "SIGKILL");
      await untilReplaced(proxy, first!);
      const ask = request("GET", "/", { Host: "localhost", proxy_token: await mint("ci") });
      for (const connection of await connectEach(proxy, 1)) {
        connection.write(ask);
        expect((await connection.answer()).status).toBe(200);
      }
      await proxy.stop();
    });

    it("asks for one where others reach it and it holds keys; reads the revoked ones again when their file changes, and keeps them where it turns bad", async () => {
      const file = join(folder, `revoked-${pool.runtime}`);
      writeFileSync(file, "# laptops\n\nold\n");
      const asking = { HOST: "0.0.0.0", TARGETS: KEYED, KEY: "k", CALLER_TOKENS: "true" };
      const settings = { ...asking, SIGNING_KEY, REVOKED_TOKENS: `lost,@${file}` };
      const proxy = await startProxy(pool.runtime, settings);
      expect(proxy.stderr()).toContain(", token required");
      expect((await proxy.call("GET /")).status).toBe(401);
      const ask = async (id: string) =>
        (await proxy.call("GET /", { fields: { proxy_token: await mint(id) } })).status;
      expect([await ask("lost"), await ask("old"), await ask("new")]).toEqual([401, 401, 200]);
      writeFileSync(file, "new\r\n");
      await waitUntil(async () => await ask("new") === 401);
      expect([await ask("lost"), await ask("old")]).toEqual([401, 200]);
      writeFileSync(file, "no id\n");
      await waitUntil(() => proxy.stderr().includes("fetchvia keeps the revoked tokens as they were"));
      expect(proxy.stderr()).toContain(`${file} has the line "no id", expected the id of a token such as ci`);
      expect([await ask("lost"), await ask("new"), await ask("old")]).toEqual([401, 401, 200]);
      await proxy.stop("SIGKILL");
    });
  });
}
