/** What `fetchvia token` makes and refuses. @module */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { runToken } from "../../src/command/token-command.ts";
import { verifyToken } from "../../src/parts/tokens/token.ts";
import { rowsOf } from "../support/rows.ts";

const KEY = { SIGNING_KEY: "the key of the tests, long enough" };
const ASKED = ["--id", "ci", "--ttl", "1h"];

it.each(rowsOf(["flags", "settings", "says"], [
  [["--ttl", "1h"], KEY, "it has no id, expected --id such as --id ci"],
  [["--id", "ci"], KEY, "it never ends, expected --ttl with a time such as 30m"],
  [["--id", "ci", "--ttl", "1"], KEY, '--ttl is "1", expected'],
  [[...ASKED, "--rate", "much"], KEY, 'rate is "much", expected requests per time window'],
  [[...ASKED, "--signing-key", "x"], KEY, "Unknown option '--signing-key', expected --id, --ttl"],
  [[...ASKED, "--target", "a.test"], KEY, "Unknown option '--target', expected --targets (see"],
  [
    ASKED,
    {},
    "Cannot make a token: there is no key, expected that of the proxy in SIGNING_KEY or SIGNING_KEY_FILE",
  ],
  [
    ASKED,
    { SIGNING_KEY_FILE: "/nowhere" },
    'SIGNING_KEY_FILE is "/nowhere", expected a readable file with the key in UTF-8',
  ],
]))("$flags with $settings", async ({ flags, settings, says }) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const refusal = await runToken(flags, Date.now(), () => {}).catch(({ message }: Error) => message);
  expect(refusal).toContain(says);
  expect(refusal).not.toContain("\n");
});

it.each([
  {
    about: "a key of 31 characters",
    key: KEY.SIGNING_KEY.slice(0, 31),
    flags: ["--targets", "a.test"],
    line: /^SIGNING_KEY has fewer than 32 characters: [^\n]+$/,
  },
  {
    about: "a token without targets",
    key: KEY.SIGNING_KEY,
    flags: [],
    line: /^no --targets: the token reaches everything that the settings allow$/,
  },
])("warns of $about", async ({ key, flags, line }) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("SIGNING_KEY", key);
  const notes: string[] = [];
  await runToken([...ASKED, ...flags], Date.now(), (note) => void notes.push(note));
  expect(notes).toEqual([expect.stringMatching(line)]);
});

it("makes a token with the key of a file, which has all that the flags say", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-token-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, "key"), `${KEY.SIGNING_KEY}\n`);
  vi.stubEnv("SIGNING_KEY_FILE", join(folder, "key"));
  const flags = "--targets a.test,*.b.test --methods GET,POST --paths /v1/ --rate 9/1m".split(" ");
  const token = await runToken([...ASKED, ...flags], 1_000_999, () => {});
  expect(await verifyToken(token, KEY.SIGNING_KEY, 1_000, new Set())).toMatchObject({
    id: "ci",
    exp: 4_600,
    targets: [{ host: "a.test" }, { suffix: ".b.test" }],
    methods: ["GET", "POST"],
    paths: ["/v1/"],
    rate: { requests: 9, seconds: 60 },
  });
});
