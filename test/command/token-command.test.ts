/** What `fetchvia token` refuses. @module */
import { expect, it, onTestFinished, vi } from "vitest";
import { runToken } from "../../src/command/token-command.ts";

const KEY = { SIGNING_KEY: "the key of the tests, long enough" };
const ASKED = ["--id", "ci", "--ttl", "1h"];

it.each([
  { flags: ["--ttl", "1h"], settings: KEY, says: "it has no id, expected --id such as --id ci" },
  { flags: ["--id", "ci"], settings: KEY, says: "it never ends, expected --ttl with a time such as 30m" },
  { flags: ["--id", "ci", "--ttl", "1"], settings: KEY, says: '--ttl is "1", expected' },
  {
    flags: [...ASKED, "--rate", "much"],
    settings: KEY,
    says: 'rate is "much", expected requests per time window',
  },
  {
    flags: [...ASKED, "--signing-key", "x"],
    settings: KEY,
    says: "Unknown option '--signing-key', expected --id, --ttl",
  },
  {
    flags: [...ASKED, "--target", "a.test"],
    settings: KEY,
    says: "Unknown option '--target', expected --targets (see",
  },
  {
    flags: ASKED,
    settings: {},
    says:
      "Cannot make a token: there is no key, expected that of the proxy in SIGNING_KEY or SIGNING_KEY_FILE",
  },
  {
    flags: ASKED,
    settings: { SIGNING_KEY_FILE: "/nowhere" },
    says: 'SIGNING_KEY_FILE is "/nowhere", expected a readable file with the key in UTF-8',
  },
])("$flags with $settings", async ({ flags, settings, says }) => {
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const refusal = await runToken(flags, Date.now(), () => {}).catch(({ message }: Error) => message);
  expect(refusal).toContain(says);
  expect(refusal).not.toContain("\n");
});

it("warns of a key of 31 characters", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("SIGNING_KEY", KEY.SIGNING_KEY.slice(0, 31));
  const notes: string[] = [];
  await runToken([...ASKED, "--targets", "a.test"], Date.now(), (note) => void notes.push(note));
  expect(notes).toEqual([expect.stringMatching(/^SIGNING_KEY has fewer than 32 characters: [^\n]+$/)]);
});
