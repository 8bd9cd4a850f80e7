/** Files that are watched, until the proxy stops. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createParts } from "../../../src/runtimes/process/lent.ts";
import type { Gate } from "../../../src/parts/gate/gate.ts";
import { readConfig } from "../../../src/core/settings/config.ts";
import { openRevoked } from "../../../src/runtimes/process/revoked-file.ts";
import { openTargets } from "../../../src/runtimes/process/targets-file.ts";
import { WatchedFiles } from "../../../src/runtimes/process/watch-file.ts";
import { stderr } from "../../../src/runtimes/process/output.ts";
import { rowsOf } from "../../support/rows.ts";

const SEEN_MS = 2_000;
let folder: string;
let targets: string;
let revoked: string;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
  [targets, revoked] = [join(folder, "targets.json"), join(folder, "revoked.txt")];
  writeFileSync(targets, "{}");
  writeFileSync(revoked, "one");
  return () => rmSync(folder, { recursive: true });
});
afterEach(() => void vi.useRealTimers());

/** The parts of a proxy with both files, which then change. */
async function change(stopped: AbortController) {
  const settings = { TARGETS: targets, REVOKED_TOKENS: `@${revoked}`, SIGNING_KEY: "k" };
  const { settings: live } = await createParts(readConfig(settings), undefined, false, stopped.signal);
  return {
    live: live!,
    write() {
      writeFileSync(targets, '{"a.test":{}}');
      writeFileSync(revoked, "one\ntwo");
      vi.advanceTimersByTime(SEEN_MS);
    },
  };
}

it("are read again when they change", async () => {
  const { live, write } = await change(new AbortController());
  write();
  expect([live.reloads?.loaded, [...live.revoked]]).toEqual([2, ["one", "two"]]);
});

it("are not read again where a pipe has taken their place, which nobody writes to", async () => {
  const { live } = await change(new AbortController());
  for (const file of [targets, revoked]) {
    rmSync(file);
    execFileSync("mkfifo", [file]);
  }
  vi.advanceTimersByTime(SEEN_MS);
  expect([live.reloads, [...live.revoked]]).toEqual([{ loaded: 1, refused: 1 }, ["one"]]);
});

it("are refused where the table is a pipe, which can be read once", async () => {
  rmSync(targets);
  execFileSync("mkfifo", [targets]);
  await expect(change(new AbortController()))
    .rejects.toThrow(`${JSON.stringify(targets)} is a pipe, expected a file`);
});

it("are read again where they were swapped back just after SIGHUP had read them, once each time, which stderr tells", async () => {
  const says = vi.spyOn(stderr, "push").mockReturnValue();
  const link = (name: string) => {
    symlinkSync(name, `${targets}.next`);
    renameSync(`${targets}.next`, targets);
  };
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  writeFileSync(first, '{"first.test":{}}');
  writeFileSync(second, '{"second.test":{}}');
  link(first);
  const stopped = new AbortController();
  const { settings, rereads } = await createParts(
    readConfig({ TARGETS: targets }),
    undefined,
    false,
    stopped.signal,
  );
  const gate = settings as Gate;
  const name = () => gate.table?.entries[0]?.name;
  link(second);
  expect([await rereads[0]!(), name()]).toEqual(["the targets", "second.test"]);
  vi.advanceTimersByTime(SEEN_MS);
  expect([gate.reloads?.loaded, says.mock.calls]).toEqual([2, []]);
  link(first);
  await rereads[0]!();
  link(second);
  vi.advanceTimersByTime(SEEN_MS);
  expect([name(), gate.reloads?.loaded, says.mock.calls])
    .toEqual(["second.test", 4, [["fetchvia: read again: the targets"]]]);
  stopped.abort();
  says.mockRestore();
});

it.each([
  { isEmbedded: false, name: "TARGETS", other: "REVOKED_TOKENS" },
  { isEmbedded: true, name: "targets", other: "revokedTokens" },
])("are told with $name and $other where they are gone", ({ isEmbedded, name, other }) => {
  const says = vi.spyOn(stderr, "push").mockReturnValue();
  const stopped = new AbortController();
  const config = readConfig({ TARGETS: targets, REVOKED_TOKENS: `@${revoked}`, SIGNING_KEY: "k" });
  const { gate } = openTargets(config, false, stopped.signal, isEmbedded);
  openRevoked(config, gate, stopped.signal, isEmbedded);
  for (const file of [targets, revoked]) rmSync(file);
  vi.advanceTimersByTime(SEEN_MS);
  expect(says.mock.calls.flat()).toEqual([
    `fetchvia keeps the targets as they were: ${name} is ${
      JSON.stringify(targets)
    }, expected a readable JSON file`,
    `fetchvia keeps the revoked tokens as they were: ${other} names ${
      JSON.stringify(revoked)
    }, expected a readable file of ids`,
  ]);
  stopped.abort();
  says.mockRestore();
});

it.each(rowsOf(["about", "texts", "outcome"], [
  ["once", ["new"], "new new"],
  ["all the time", ["second", "third", "fourth"], "the files change while they are read"],
]))("are never read half old and half new: they change $about", ({ texts, outcome }) => {
  const left = [...texts];
  const files = new WatchedFiles("both", (note) => {
    note(targets);
    const half = readFileSync(targets, "utf8");
    for (const text of left.splice(0, 1)) [targets, revoked].forEach((file) => writeFileSync(file, text));
    note(revoked);
    return `${half} ${readFileSync(revoked, "utf8")}`;
  });
  const read = () => {
    try {
      return files.read();
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect([read(), left]).toEqual([outcome, []]);
});

it("are left alone once the proxy has stopped", async () => {
  const stopped = new AbortController();
  const { live, write } = await change(stopped);
  stopped.abort();
  write();
  expect([live.reloads?.loaded, [...live.revoked], vi.getTimerCount()]).toEqual([1, ["one"], 0]);
});

it.each([{ about: "a file", isFile: true }, { about: "the value itself", isFile: false }])(
  "are read again when the file of a key of the table changes, which is $about",
  async ({ isFile }) => {
    const [table, key, other] = [
      '{"a.test":{"set":{"x":"{{WATCHED}}"}}}',
      join(folder, "key"),
      join(folder, "other"),
    ];
    writeFileSync(targets, table);
    writeFileSync(key, "old");
    vi.stubEnv("WATCHED_FILE", key);
    const config = readConfig({ TARGETS: isFile ? targets : table });
    const { settings } = await createParts(config, undefined, false, new AbortController().signal);
    const gate = settings as Gate;
    writeFileSync(other, "not named by the table");
    writeFileSync(key, "newer");
    vi.advanceTimersByTime(SEEN_MS);
    expect([gate.reloads?.loaded, gate.table?.keys.get("WATCHED")]).toEqual([2, "newer"]);
    rmSync(key);
    vi.advanceTimersByTime(SEEN_MS);
    expect([gate.reloads, gate.table?.keys.get("WATCHED")]).toEqual([{ loaded: 2, refused: 1 }, "newer"]);
    writeFileSync(key, "newest");
    vi.advanceTimersByTime(SEEN_MS);
    expect([gate.reloads?.loaded, gate.table?.keys.get("WATCHED")]).toEqual([3, "newest"]);
    vi.unstubAllEnvs();
  },
);
