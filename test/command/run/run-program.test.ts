/** How a run ends, and what starts none. @module */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { run } from "../../../src/command/run/run-program.ts";
import { formatTargets } from "../../../src/core/address/target-lists.ts";
import type { Config } from "../../../src/core/settings/config.ts";
import { stderr } from "../../../src/runtimes/process/output.ts";
import { LEAF, LEAF_KEY } from "../../support/certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "fetchvia-run-"));
/** A pipe that nobody writes to. */
const PIPE = join(folder, "pipe");
const KEY = "sk-real-0123456789abcdef";

/** What the process does, as it does it. */
let order: string[];

beforeAll(() => void execFileSync("mkfifo", [PIPE]));
beforeEach(() => {
  order = [];
  vi.spyOn(process, "exit").mockImplementation((code) => void order.push(`exit ${code}`) as never);
  vi.spyOn(stderr, "push").mockImplementation((line) => void order.push(line));
  return () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

it("ends with the code of its program, once its lines are written", async () => {
  let written = () => {};
  const finish = vi.spyOn(stderr, "finish").mockReturnValue(new Promise((resolve) => (written = resolve)));
  vi.stubEnv("OPENAI_API_KEY", KEY);
  const listener = { port: 9 } as never;
  const ended = run(
    ["--", "sh", "-c", "exit 7"],
    () => Promise.resolve({ listen: () => Promise.resolve(listener) }),
  );
  await expect.poll(() => finish.mock.calls.length + order.filter((one) => one.startsWith("exit")).length)
    .toBe(1);
  order.push("written");
  written();
  await ended;
  expect(order).toEqual([expect.stringContaining("in place of OPENAI_API_KEY"), "written", "exit 7"]);
});

it("passes over what it can't read of NO_PROXY", async () => {
  vi.stubEnv("OPENAI_API_KEY", KEY);
  vi.stubEnv("HTTPS_PROXY", "http://proxy.test:3128");
  vi.stubEnv("NO_PROXY", "10.*, .a.test,b.test 169.254/16");
  const listen = vi.fn((_: Config) => Promise.resolve({ port: 9 } as never));
  await run(["--", "true"], () => Promise.resolve({ listen }));
  expect(formatTargets(listen.mock.calls[0]![0].noUpstream)).toBe("*.a.test,b.test,*.b.test");
});

/** Command lines that start no program, and what they are told; what flags and presets say wrongly is beside them. */
const REFUSED: { words: string[]; settings?: Record<string, string>; says: string }[] = [
  { words: ["--", "echo", `--key=${KEY}`], says: "argument 1 of the program holds a key" },
  ...[
    { set: { "x-key": "a key that stands here" } },
    { set: { "?version": KEY } },
    { upstream: "http://me:secret@127.0.0.1:9" },
    { cert: LEAF, key: LEAF_KEY },
    { set: { "x-version": "sk_live_0123456789" } },
    { sign: { aws: { region: "a", service: "b", key: "AKIA", secret: "a secret that stands here" } } },
  ].map((members) => ({
    words: ["--targets", JSON.stringify({ "a.test": members }), "--", "true"],
    says: "--targets holds a key, which the program can read in a flag, expected {{NAME}}",
  })),
  ...["OPENAI_API_KEY_FILE", "GH_TOKEN_FILE"].map((name) => ({
    words: ["--", "true", name],
    settings: { OPENAI_API_KEY: "", [name]: PIPE },
    says: `the file of ${name.replace("_FILE", "")} can't be read, expected one with the key, and no pipe`,
  })),
  { words: ["--", "true"], settings: { OPENAI_API_KEY: "" }, says: "there is no key, expected one such as" },
  {
    words: ["--pass", "COPY", "--", "true"],
    settings: { COPY: `[${KEY}]` },
    says: "--pass names COPY, which holds a key of the proxy",
  },
  {
    words: ["--pass", "NOT_SET", "--", "true"],
    says: "--pass names NOT_SET, expected a variable that is set",
  },
  {
    words: ["--targets", "no.json", "--", "true"],
    says: 'TARGETS is "no.json", expected a readable JSON file',
  },
];

it.each(REFUSED.map((row) => ({ ...row, line: row.words.join(" ") })))(
  "nothing is started by: run $line",
  async ({ words, settings, says }) => {
    for (const name of Object.keys(process.env)) vi.stubEnv(name, undefined);
    for (const [name, value] of Object.entries({ OPENAI_API_KEY: KEY, ...settings })) vi.stubEnv(name, value);
    vi.spyOn(stderr, "finish").mockResolvedValue(undefined as never);
    await run(words, () => Promise.resolve({ listen: () => Promise.reject(new Error("it listens")) }));
    expect(order).toEqual([expect.stringMatching(/^fetchvia run: .*$/), "exit 1"]);
    expect(order[0]).toContain(says);
    expect(order[0]).not.toContain(KEY);
  },
);
