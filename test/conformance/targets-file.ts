/**
 * The file of the table: watched, swapped whole, and kept as it was where it turns bad.
 * @module
 */
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pool, Proxy, Upstream } from "../support/topic.ts";
import { START_MS } from "../support/turns.ts";
import { alike, declareOnce, listen, rowsOnce, runToExit, startProxy, waitFor } from "../support/topic.ts";

/** A table that sets one field. */
function tableOf(value: string): string {
  return JSON.stringify({ "127.0.0.1": { set: { "x-version": value } } });
}

/** A table with a label for this target. */
function labelled(label: string, { host }: Upstream): string {
  return JSON.stringify({ [host]: { label, set: { "x-version": label } } });
}

export function describeTargetsFile(pool: Pool): void {
  declareOnce(pool.runtime, () => describeBadFile(pool));

  describe.each(rowsOnce(pool.runtime, alike("workers")`2 1`))(
    "the file of targets, with $workers processes",
    ({ workers }) => {
      let folder: string;
      let file: string;
      let keyFile: string;
      let upstream: Upstream;
      let proxy: Proxy;
      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
        file = join(folder, "targets.json");
        await writeFile(file, tableOf("one"));
        upstream = await listen();
        keyFile = join(folder, "key");
        await writeFile(keyFile, "first key\n");
        const settings = { TARGETS: file, VERSION_KEY_FILE: keyFile, WORKERS: workers, METRICS: "true" };
        proxy = await startProxy(pool.runtime, settings);
      }, START_MS);
      afterAll(async () => {
        await proxy.stop("SIGKILL");
        await upstream.close();
        await rm(folder, { recursive: true });
      });

      /** What a few requests meet, over connections of their own: enough for each process to get some. */
      async function versions(many = workers === "1" ? 1 : 8): Promise<string[]> {
        const calls = Array.from(
          { length: many },
          () => proxy.call("GET /", { fields: { proxy_host: upstream.origin } }),
        );
        await Promise.all(calls);
        return [
          ...new Set(upstream.requests.splice(0).map((request) => request.header("x-version") ?? "none")),
        ];
      }

      /** Waits until all meet this version; while the first does not, one asks. */
      const until = (version: string) =>
        waitFor(async () => {
          expect(await versions(1)).toEqual([version]);
          expect(await versions()).toEqual([version]);
        });

      it("is read again when it changes, and kept when it turns bad", async () => {
        expect(await versions()).toEqual(["one"]);
        await writeFile(`${file}.next`, tableOf("two"));
        await rename(`${file}.next`, file);
        await until("two");
        await writeFile(file, "{");
        await waitFor(() => expect(proxy.stderr()).toContain("fetchvia keeps the targets as they were"));
        expect(await versions()).toEqual(["two"]);
        expect((await proxy.call("GET /__proxy__/metrics")).text)
          .toMatch(/fetchvia_targets_loads_total\{result="refused"\} [1-9]/);
        proxy.process.kill("SIGHUP");
        await waitFor(() => expect(proxy.stderr()).toContain("fetchvia: cannot read again: "));
        await writeFile(file, tableOf("three"));
        await until("three");
      });

      it("is read again when the file of a key changes, and kept when that turns bad", async () => {
        await writeFile(file, tableOf("{{VERSION_KEY}}"));
        await until("first key");
        await writeFile(keyFile, "second key");
        await until("second key");
        await writeFile(keyFile, "");
        const kept =
          /fetchvia keeps the targets as they were: .*entry "127\.0\.0\.1" needs a key: VERSION_KEY is not/;
        await waitFor(() => expect(proxy.stderr()).toMatch(kept));
        expect(proxy.stderr()).not.toContain("second");
        expect(await versions()).toEqual(["second key"]);
      });

      it("brings its labels, and takes them away", async () => {
        const ask = async (label: string) => {
          const { status } = await proxy.call("GET /p", { fields: { Host: `${label}.w.localhost` } });
          return [status, upstream.requests.at(-1)?.header("x-version")];
        };
        // Without the table they spell no host, so nothing is looked up.
        const [before, after] = ["first---label", "second---label"];
        await writeFile(file, labelled(before, upstream));
        await waitFor(async () => expect(await ask(before)).toEqual([200, before]));
        await writeFile(file, labelled(after, upstream));
        await waitFor(async () => expect(await ask(after)).toEqual([200, after]));
        // Each process takes the new table in its own time.
        await waitFor(async () => {
          expect((await ask(before))[0]).toBe(400);
          const statuses = await Promise.all(Array.from({ length: 8 }, () => ask(before)));
          expect(new Set(statuses.map(([status]) => status))).toEqual(new Set([400]));
        });
      });
    },
  );
}

/** Declares the tests of a table that stops the start, and `fetchvia check`. */
function describeBadFile(pool: Pool): void {
  describe.concurrent("a bad file of targets stops the start", () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
      return () => rm(folder, { recursive: true });
    });

    /** Writes a table into a file of its own. */
    async function write(text: string): Promise<string> {
      const file = join(await mkdtemp(join(folder, "table-")), "targets.json");
      await writeFile(file, text);
      return file;
    }

    it("with a missing certificate, and so does fetchvia check", async () => {
      const file = await write('{"a.test":{"ca":"./no.pem"}}');
      const ends = await Promise.all([
        runToExit(pool.runtime, { PORT: "0", TARGETS: file }),
        runToExit(pool.runtime, {}, ["check", file]),
      ]);
      const line =
        /^[^\n]+targets\.json at line 1, column 12: entry "a\.test" has a bad ca, expected [^\n]+\n$/;
      const end = { code: 1, stderr: expect.stringMatching(line) };
      expect(ends).toMatchObject([end, end]);
    });

    it.each(["the start", "check"])(
      "with a key that anyone could spend: %s",
      async (way) => {
        const file = await write('{"a.test":{"set":{"x":"{{FIRST_KEY}}"}}}');
        const open = { PORT: "0", HOST: "0.0.0.0", TARGETS: file, FIRST_KEY: "s3cret" };
        const { code, stderr } = await runToExit(pool.runtime, open, way === "check" ? [way, file] : []);
        expect(code).toBe(1);
        expect(stderr).toMatch(/TARGETS holds keys, and other machines can reach the proxy: set PROXY_TOKEN/);
        expect(stderr).not.toContain("s3cret");
      },
    );
  });
}
