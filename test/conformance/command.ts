/**
 * The command: what it writes and how it ends, and a preset target.
 * @module
 */
import { describe, expect, it } from "vitest";
import { VERSION } from "../../src/index.ts";
import { formatHelp } from "../../src/runtimes/command/help.ts";
import { reply } from "../support/answers.ts";
import type { Pool } from "../support/pool.ts";
import { freePort, runToExit, startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";

const ARG = "eyJ1cmwiOiJodHRwczovL2EudGVzdC8iLCJtZXRob2QiOiJQT1NUIn0";

/** Declares the tests. */
export function describeCommand(pool: Pool): void {
  describe.concurrent("the command", () => {
    it.each([
      { flags: ["--help"], written: formatHelp() },
      { flags: ["-h"], written: formatHelp() },
      { flags: ["--version"], written: VERSION },
      { flags: ["-v"], written: VERSION },
      { flags: ["encode", "https://my-site.example.com:8443"], written: "my--site-example-com-8443" },
      { flags: ["encode", '{"url":"https://a.test/","method":"POST"}'], written: ARG },
      { flags: ["decode", "my--site-example-com-8443"], written: "https://my-site.example.com:8443" },
      { flags: ["decode", ARG], written: '{\n  "url": "https://a.test/",\n  "method": "POST"\n}' },
    ])("writes what $flags asks for", async ({ flags, written }) => {
      const { code, stdout, stderr } = await runToExit(pool.runtime, {}, flags);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${written}\n`, stderr: "" });
    });

    it.each([
      { flags: ["decode", "!!"], line: /^fetchvia: Cannot decode this: expected .+\n$/ },
      { flags: ["encode"], line: /^fetchvia: Cannot encode: expected exactly one argument, in quotes\n$/ },
      { flags: ["serve"], line: /^fetchvia cannot start: .*'serve', expected flags .+\n$/ },
      { flags: ["--prot", "1"], line: /^fetchvia cannot start: .*'--prot', expected flags .+\n$/ },
      {
        flags: ["--target", "a.test"],
        line: /^fetchvia cannot start: --target is "a\.test", expected .+\n$/,
      },
    ])("refuses $flags with one line", async ({ flags, line }) => {
      const { code, stdout, stderr } = await runToExit(pool.runtime, {}, flags);
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(line) });
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
