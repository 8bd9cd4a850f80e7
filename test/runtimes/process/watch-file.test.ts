/** Files that are watched, until the proxy stops. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createParts } from "../../../src/runtimes/process/lent.ts";
import { readConfig } from "../../../src/core/settings/config.ts";

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

it("are left alone once the proxy has stopped", async () => {
  const stopped = new AbortController();
  const { live, write } = await change(stopped);
  stopped.abort();
  write();
  expect([live.reloads?.loaded, [...live.revoked], vi.getTimerCount()]).toEqual([1, ["one"], 0]);
});
