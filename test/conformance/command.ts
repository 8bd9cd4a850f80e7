/**
 * The command: what it reads and writes, and how it ends.
 * @module
 */
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatHelp } from "../../src/command/help.ts";
import { useUpstream } from "../support/link.ts";
import type { Pool } from "../support/pool.ts";
import { runCommandWith } from "../support/command.ts";
import { Child, runToExit } from "../support/proxy.ts";
import { GUARDED, KEY } from "./client.ts";

/** Declares the tests. */
export function describeCommand(pool: Pool): void {
  describe("the command", () => {
    const proxy = pool.with(GUARDED);
    const upstream = useUpstream();

    // What each command refuses and notes are units; here is what a runtime lends it: arguments, stdin, stdout and the exit code.
    it("writes what -- --help asks for", async () => {
      const { code, stdout, stderr } = await runToExit(pool.runtime, {}, ["--", "--help"]);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${formatHelp()}\n`, stderr: "" });
    });

    it("says that a full disk did not take what encode writes", async () => {
      const stdout = openSync("/dev/full", "w");
      const child = new Child(pool.runtime, {}, ["encode", "https://a.test"], stdout);
      closeSync(stdout);
      expect((await child.exit()).code).toBe(1);
      expect(child.stderr()).toBe("fetchvia: stdout fails (ENOSPC), so the result is not whole\n");
    });

    it.each([
      {
        words: ["encode", "-"],
        input: '{"url":"https://a.test/","body":"a"}\n',
        code: 0,
        stdout: "eyJ1cmwiOiJodHRwczovL2EudGVzdC8iLCJib2R5IjoiYSJ9\n",
        said: /^fetchvia: the request is a GET with a body[^\n]+\n$/,
      },
      {
        words: ["decode"],
        input: Buffer.from([0xff]),
        code: 1,
        stdout: "",
        said: /^fetchvia: Cannot decode: stdin is not UTF-8, expected text\n$/,
      },
    ])("reads $input on stdin for $words", async ({ words, input, code, stdout, said }) => {
      expect(await runCommandWith(pool.runtime, words, input))
        .toEqual({ code, stdout, stderr: expect.stringMatching(said) });
    });

    it("signs with the key in SIGNING_KEY_FILE, and a proxy with that key takes the link", async () => {
      const folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
      const settings = { SIGNING_KEY_FILE: join(folder, "key") };
      await writeFile(settings.SIGNING_KEY_FILE, `${KEY}\n`);
      const words = ["sign", "--expires", "1h", "--base", proxy.origin, `${upstream.origin}/p`];
      const { stdout } = await runCommandWith(pool.runtime, words, "", settings);
      const path = stdout.trim().slice(proxy.origin.length);
      const answers = [await proxy.call(`GET ${path}`), await proxy.call(`GET ${path.replace(/.$/, "!")}`)];
      await rm(folder, { recursive: true });
      expect(answers.map(({ status }) => status)).toEqual([200, 403]);
    });
  });
}
