/** What the command line asks for, and the texts of `--help`. */
import fs from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { VERSION } from "../../src/index.ts";
import { runCommand } from "../../src/command/command.ts";
import { environmentName, flagName } from "../../src/core/settings/config.ts";
import { SETTINGS } from "../../src/core/settings/settings.ts";
import { formatHelp } from "../../src/command/help.ts";
import { COMMANDS } from "../../src/command/parse-arguments.ts";
import { stderr } from "../../src/runtimes/process/output.ts";
import { rowsOf } from "../support/rows.ts";

const ARG = "eyJ1cmwiOiJodHRwczovL2EudGVzdC8iLCJtZXRob2QiOiJQT1NUIn0";

it.each(rowsOf(["args", "written"], [
  [["-h"], formatHelp()],
  [["sign", "-h"], formatHelp("sign")],
  [["help"], formatHelp()],
  [["help", "sign"], formatHelp("sign")],
  [["--version"], VERSION],
  [["-v"], VERSION],
  [["encode", "https://my-site.example.com:8443"], "my--site-example-com-8443"],
  [["encode", '{"url":"https://a.test/","method":"POST"}'], ARG],
  [["decode", "my--site-example-com-8443"], "https://my-site.example.com:8443"],
]))("$args is written to stdout", async ({ args, written }) => {
  const { argv } = process;
  let text = "";
  // In two parts, after a pipe that was full.
  const write = vi.spyOn(fs, "writeSync").mockImplementationOnce(() => {
    throw Object.assign(new Error("full"), { code: "EAGAIN" });
  }).mockImplementation((_, bytes) => {
    const part = Buffer.from(bytes as unknown as Uint8Array).subarray(0, Math.max(1, bytes.length - 1));
    text += part.toString();
    return part.length;
  });
  onTestFinished(() => {
    process.argv = argv;
    write.mockRestore();
  });
  process.argv = ["node", "main.js", ...args];
  await runCommand("node 1", () => Promise.reject(new Error("Expected no server")));
  expect(text).toBe(`${written}\n`);
});

it.each(rowsOf(["args", "line"], [
  [["decode", "--nope"], /^fetchvia: Unknown option '--nope', expected .+ decode --help\)$/],
  [["help", "nope"], /^fetchvia: Cannot help with "nope", expected one of encode, .+$/],
  [["check", "-x"], /^fetchvia: Unknown option '-x', expected .+ check --help\)$/],
]))("$args is refused with one line on stderr and exit code 1", async ({ args, line }) => {
  const { argv, exitCode } = process;
  const push = vi.spyOn(stderr, "push").mockReturnValue();
  onTestFinished(() => {
    Object.assign(process, { argv, exitCode });
    push.mockRestore();
  });
  process.argv = ["node", "main.js", ...args];
  await runCommand("node 1", () => Promise.reject(new Error("Expected no server")));
  expect([push.mock.calls, process.exitCode]).toEqual([[[expect.stringMatching(line)]], 1]);
});

describe("the help", () => {
  it("has every setting once, under five headings", () => {
    const lines = formatHelp().split("\n");
    const headings = lines.filter((line) => /^(Where|Targets|Who|Limits|Output)\b/.test(line));
    const flags = lines.filter((line) => line.startsWith("  --"));
    expect([headings.length, flags.length]).toEqual([5, Object.keys(SETTINGS).length]);
    const start = lines.indexOf("Limits");
    expect(lines.slice(start, start + 3)).toEqual(["Limits", "", "  --max-concurrent <requests> (0)"]);
  });

  it.each(Object.keys(SETTINGS).map((name) => ({ name })))("tells of $name", ({ name }) => {
    expect(formatHelp()).toContain(`--${flagName(name)} <`);
    expect(environmentName(name)).toBe(flagName(name).toUpperCase().replaceAll("-", "_"));
  });

  it.each(COMMANDS.map((command) => ({ command })))(
    "has a page for $command, which the first page names",
    ({ command }) => {
      expect(formatHelp(command)).toMatch(new RegExp(`^fetchvia ${command} [[<-]`));
      expect(formatHelp()).toMatch(new RegExp(`\\nfetchvia ${command} [[<]`));
    },
  );

  it.each(["--help", "serve", "constructor", ""].map((command) => ({ command })))(
    "is that of the proxy for $command",
    ({ command }) => expect(formatHelp(command)).toBe(formatHelp()),
  );
});
