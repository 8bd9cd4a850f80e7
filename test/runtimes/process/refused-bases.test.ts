/**
 * Targets in the settings that no caller can reach: the start names exactly those that the rules refuse.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Resolver } from "../../../src/core/address/dns-cache.ts";
import { listRefusedBases } from "../../../src/runtimes/process/refused-bases.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";
import { checkAccess } from "../../../src/core/steps/access.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { typedRows } from "../../support/rows.ts";

const PUBLIC = "93.184.216.34";
/** What names resolve to; all others are public. */
const NAMES: Readonly<Record<string, string>> = {
  "localhost": "127.0.0.1",
  "a.localhost": "127.0.0.1",
  "backend": "10.1.2.3",
  "nas.local": "10.1.2.3",
};

interface Row {
  target: string;
  options?: Options;
  /** Where the proxy does not listen on loopback. */
  isOpen?: boolean;
  /** What is said of it; nothing unless given. */
  says?: string;
}

const CLOSED = "it is private, and PRIVATE_TARGETS is false. Set PRIVATE_TARGETS=";
const FAR = "it is private, and PRIVATE_TARGETS=auto allows that only while it listens on loopback. " +
  "Set PRIVATE_TARGETS=true, or name ";
const UNLISTED = "ALLOW_TARGETS does not name it. Add it there";
const DENIED = "DENY_TARGETS refuses it. Remove it there";
const NEVER = "no setting allows its address. Use a public or private one";

const ROWS: Row[] = typedRows(["target", "options", "says", "isOpen"], [
  ["http://localhost:3000"],
  ["https://api.test"],
  [`http://${PUBLIC}`, { privateTargets: false }, undefined, true],
  ["https://api.test", { privateTargets: false }, undefined, true],
  ["http://localhost:3000", { privateTargets: true }, undefined, true],
  ["http://localhost:3000", { privateTargets: "auto,a.test" }],
  ["http://localhost:3000", { privateTargets: false, allowTargets: "localhost:3000" }, undefined, true],
  ["http://10.1.2.3", { allowTargets: "10.0.0.0/8" }, undefined, true],
  ["http://localhost:3000", { allowTargets: "127.0.0.0/8" }, undefined, true],
  [
    "http://localhost:3000",
    { privateTargets: false },
    `${CLOSED}auto, or name localhost:3000 in ALLOW_TARGETS`,
  ],
  [
    "http://127.0.0.1:3000",
    { privateTargets: false },
    `${CLOSED}true, or name 127.0.0.1:3000 in ALLOW_TARGETS`,
    true,
  ],
  ["http://a.localhost", undefined, `${FAR}a.localhost in ALLOW_TARGETS`, true],
  ["http://[fd00::1]:81", undefined, `${FAR}[fd00::1]:81 in ALLOW_TARGETS`, true],
  ["http://backend:3000", undefined, `${FAR}backend:3000 in ALLOW_TARGETS`, true],
  ["http://nas.local", { privateTargets: "auto,nas.local" }, `${FAR}nas.local in ALLOW_TARGETS`, true],
  ["http://localhost:3000", { allowTargets: "api.test" }, UNLISTED],
  ["https://api.test", { allowTargets: "api.test:81" }, UNLISTED],
  ["http://10.1.2.3", { allowTargets: "10.2.0.0/16" }, UNLISTED],
  ["https://api.test", { denyTargets: "*.test" }, DENIED],
  ["http://localhost:3000", { denyTargets: "127.0.0.0/8" }, DENIED],
  ["https://api.test", { allowTargets: "api.test", denyTargets: "api.test" }, DENIED],
  ["http://169.254.169.254", undefined, NEVER],
]);

describe("a target in the settings", () => {
  it.each(ROWS)("$target with $options, open $isOpen: $says", ({ target, options, isOpen, says }) => {
    const lines = listRefusedBases(readOptions({ ...options, target }), !isOpen);
    expect(lines).toEqual(says === undefined ? [] : [`TARGET ${target} is refused: ${says}`]);
  });

  it.each(ROWS)("$target with $options, open $isOpen, is what the rules make of it", async (row) => {
    const { target, options = {}, isOpen, says } = row;
    const resolve = (name: string) => Promise.resolve([NAMES[name] ?? PUBLIC]);
    const runtime = { resolve, listensOnLoopback: !isOpen };
    const exchange = { ...exchangeOf({ options, runtime }), resolver: new Resolver(1000) };
    const address = { origin: new URL(target), path: "/", basePath: "", selector: "preset" as const };
    const check = async () => await checkAccess(address, exchange, address);
    expect(await check().then(() => true, () => false)).toBe(says === undefined);
  });

  it("may be behind a label; all are named", () => {
    const proxyLabels = { a: "http://localhost:3000", b: "https://api.test", c: "http://10.1.2.3/v1" };
    const config = readOptions({ target: "http://localhost:1", proxyLabels, privateTargets: false });
    expect(listRefusedBases(config, true).map((line) => line.split(" is refused")[0])).toEqual([
      "TARGET http://localhost:1",
      "label a of PROXY_LABELS, http://localhost:3000",
      "label c of PROXY_LABELS, http://10.1.2.3",
    ]);
  });
});
