import { expect, it } from "vitest";
import { setImmediate as yieldTurn } from "node:timers/promises";
import { Gate } from "../../../src/parts/gate/gate.ts";
import type { Outgoing } from "../../../src/core/runtime.ts";
import { createConfiguredProxy } from "../../../src/index.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { tableOf } from "../../support/table.ts";

const SWAPS = 100;
const AT_ONCE = 8;

/** A table that writes its version in every place that a request meets, one after the other. */
function versionOf(version: number) {
  const value = String(version);
  const entry = { set: { "x-one": value, "?v": value }, answerSet: { "x-two": value } };
  return tableOf({ "a.test": entry, "b.test": { ...entry, label: `v${value}` } });
}

it("a request sees one version of the table, however often it is swapped", async () => {
  const config = readOptions({ trustNames: true });
  const gate = new Gate(config, versionOf(0));
  const proxy = createConfiguredProxy(config, { settings: gate });
  const seen = new Map<string, Set<string>>();
  const send = async ({ origin, path, headers }: Outgoing) => {
    const versions = seen.get(headers.get("x-id") ?? "");
    versions?.add(headers.get("x-one") ?? "none").add(new URL(path, origin).searchParams.get("v") ?? "none");
    // The table is swapped meanwhile.
    await yieldTurn();
    const isFirst = origin.host === "a.test";
    const location = isFirst ? [["location", "https://b.test/next"] as [string, string]] : [];
    return { status: isFirst ? 302 : 200, statusText: "", headers: new Headers(location), body: null };
  };
  let asked = 0;
  let isOver = false;
  /** Asks on and on; each answer has seen one version on both hops. */
  const ask = async () => {
    while (!isOver) {
      const id = String(asked++);
      const versions = new Set<string>();
      seen.set(id, versions);
      const request = new Request("http://localhost/__proxy__/?url=https://a.test/first", {
        headers: { "x-id": id },
      });
      const answer = await proxy.handle(request, { send });
      seen.delete(id);
      versions.add(answer.headers.get("x-two") ?? "none");
      expect([answer.status, versions.size]).toEqual([200, 1]);
      expect(Number([...versions][0])).toBeLessThanOrEqual(SWAPS);
    }
  };
  // What the first request loads takes its time.
  await proxy.handle(new Request("http://localhost/__proxy__/?url=https://a.test/first"), { send });
  const asking = Promise.all(Array.from({ length: AT_ONCE }, ask));
  for (let version = 1; version <= SWAPS; version += 1) {
    gate.swap(versionOf(version));
    await yieldTurn();
  }
  isOver = true;
  await asking;
  expect(gate.reloads?.loaded).toBe(SWAPS + 1);
  expect(asked).toBeGreaterThan(SWAPS);
});
