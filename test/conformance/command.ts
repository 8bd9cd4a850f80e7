/**
 * The command: what it writes and how it ends, and a preset target.
 * @module
 */
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatHelp } from "../../src/command/help.ts";
import { reply } from "../support/answers.ts";
import { rowsOnce } from "../support/capabilities.ts";
import type { Pool } from "../support/pool.ts";
import { runCommandWith } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { Child, runToExit, startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";

const ARG = "eyJ1cmwiOiJodHRwczovL2EudGVzdC8iLCJtZXRob2QiOiJQT1NUIn0";

/** The vector of docs/signed-links.md. */
const VECTOR =
  "http://localhost:8080/__proxy__/?url=https%3A%2F%2Fexample.com%2F&exp=4102444800&sig=QdIxow0TYBncbYsRoNHRKhHTW81PUMkLxo4P6Pxi4Cg";

/** Declares the tests. */
export function describeCommand(pool: Pool): void {
  describe.concurrent("the command", () => {
    it.each(rowsOnce(pool.runtime, [["--", "--help"], ["--help"]]))(
      "writes what %s %s asks for",
      async (...flags) => {
        const { code, stdout, stderr } = await runToExit(pool.runtime, {}, flags);
        expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${formatHelp()}\n`, stderr: "" });
      },
    );

    it.each(rowsOnce(pool.runtime, [["encode", "https://a.test"], ["--version"], ["--help"]]))(
      "says that a full disk did not take what %s writes",
      async (...flags) => {
        const stdout = openSync("/dev/full", "w");
        const child = new Child(pool.runtime, {}, flags, stdout);
        closeSync(stdout);
        expect((await child.exit()).code).toBe(1);
        expect(child.stderr()).toBe("fetchvia: stdout fails (ENOSPC), so the result is not whole\n");
      },
    );

    it.each(rowsOnce(pool.runtime, [
      { flags: ["explain", "http://127.0.0.1:9/"], code: 0, rule: "addresses" },
      {
        flags: ["explain", "http://127.0.0.1:9/", "--private-targets=false"],
        code: 1,
        rule: "address_prohibited",
      },
    ]))("tells the verdict by its exit code too: $flags", async ({ flags, code, rule }) => {
      const ended = await runToExit(pool.runtime, {}, flags);
      expect([ended.code, JSON.parse(ended.stdout).verdict.rule, ended.stderr]).toEqual([code, rule, ""]);
    });

    it.each(rowsOnce(pool.runtime, [
      { flags: ["encode"], line: /^fetchvia: Cannot encode: there is no input, expected .+\n$/ },
      {
        flags: ["encod", "x"],
        line: /^fetchvia cannot start: .*'encod', expected the command encode, or .+\n$/,
      },
      {
        flags: ["decode", "--nope"],
        line: /^fetchvia: Unknown option '--nope', expected .+ decode --help\)\n$/,
      },
      { flags: ["help", "nope"], line: /^fetchvia: Cannot help with "nope", expected one of encode, .+\n$/ },
      { flags: ["check", "-x"], line: /^fetchvia: Unknown option '-x', expected .+ check --help\)\n$/ },
    ]))("refuses $flags with one line", async ({ flags, line }) => {
      const { code, stdout, stderr } = await runToExit(pool.runtime, {}, flags);
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(line) });
    });

    it.each(rowsOnce(pool.runtime, [
      { words: ["encode"], input: '{ "url": "https://a.test/",\n  "method": "POST" }\n', written: ARG },
      {
        words: ["decode"],
        input: `${ARG.slice(0, 30)}\n${ARG.slice(30)}\n`,
        written: '{\n  "url": "https://a.test/",\n  "method": "POST"\n}',
      },
      {
        words: ["sign", "--expires=2100-01-01", "-"],
        input: "http://localhost:8080/__proxy__/?url=https://example.com/",
        written: VECTOR,
        said: expect.stringMatching(/^fetchvia: SIGNING_KEY has fewer than 32 characters[^\n]+\n$/),
      },
      {
        words: ["encode"],
        input: '{"url":"https://a.test/","body":"a"}',
        written: "eyJ1cmwiOiJodHRwczovL2EudGVzdC8iLCJib2R5IjoiYSJ9",
        said: expect.stringMatching(/^fetchvia: the request is a GET with a body[^\n]+\n$/),
      },
    ]))("reads stdin for $words", async ({ words, input, written, said = "" }) => {
      const ended = await runCommandWith(pool.runtime, words, input, { SIGNING_KEY: "test-key" });
      expect(ended).toEqual({ code: 0, stdout: `${written}\n`, stderr: said });
    });

    it.each(rowsOnce(pool.runtime, [
      {
        words: ["decode"],
        input: Buffer.from([0xff]),
        line: "Cannot decode: stdin is not UTF-8, expected text",
      },
    ]))("refuses what it cannot use on stdin, for $words: $line", async ({ words, input, line }) => {
      const ended = await runCommandWith(pool.runtime, words, input);
      expect(ended).toEqual({ code: 1, stdout: "", stderr: `fetchvia: ${line}\n` });
    });

    it("signs with the key in SIGNING_KEY_FILE, and a proxy with that file takes the link", async () => {
      const folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
      const settings = { SIGNING_KEY_FILE: join(folder, "key") };
      await writeFile(settings.SIGNING_KEY_FILE, "a key from a file\n");
      const upstream = await listen();
      const proxy = await startProxy(pool.runtime, { ...settings, PROXY_TOKEN: "secret" });
      const target = `${upstream.origin}/p`;
      const words = ["sign", "--expires", "1h", "--base", proxy.origin, target];
      const { stdout } = await runCommandWith(pool.runtime, words, "", settings);
      const said = await runCommandWith(pool.runtime, ["decode", stdout.trim()], "", settings);
      const path = stdout.trim().slice(proxy.origin.length);
      const answers = [await proxy.call(`GET ${path}`), await proxy.call(`GET ${path.replace(/.$/, "!")}`)];
      await Promise.all([proxy.stop("SIGKILL"), upstream.close(), rm(folder, { recursive: true })]);
      expect(answers.map(({ status }) => status)).toEqual([200, 403]);
      expect(JSON.parse(said.stdout)).toMatchObject({ expired: false, signature: "right", target });
    });

    it("forwards to --target what names no target", async () => {
      const [preset, named, port] = await Promise.all([listen(), listen(), freePort()]);
      preset.answer = reply(200, {}, "preset");
      named.answer = reply(200, {}, "named");
      const flags = [`--port=${port}`, "--target", `${preset.origin}/v1`];
      const proxy = await startProxy(pool.runtime, {}, { flags, port });
      const answers = [
        await proxy.call("GET /users?x=1"),
        await proxy.call("GET /users?x=1", { fields: { proxy_host: named.origin } }),
      ];
      await Promise.all([proxy.stop("SIGKILL"), preset.close(), named.close()]);
      expect(answers.map(({ text }) => text)).toEqual(["preset", "named"]);
      expect([preset.targets, named.targets]).toEqual([["/v1/users?x=1"], ["/users?x=1"]]);
    });
  });
}
