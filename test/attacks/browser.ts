/**
 * Chromium inside a network namespace: what it looks up, and whom it reaches, is all in there.
 * @module
 */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM, QUIET_ARGUMENTS } from "../console-e2e/browser.ts";
import type { NamespaceNetwork } from "../support/namespace.ts";

const ARGUMENTS = [
  ...QUIET_ARGUMENTS,
  // Browsers that don't keep public pages from private addresses are the ones to protect.
  "--disable-features=LocalNetworkAccessChecks,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,Translate",
];

/** Starts the browser. */
export function launchInside(network: NamespaceNetwork): Promise<Browser> {
  const executablePath = join(network.folder, "chromium");
  writeFileSync(executablePath, `#!/bin/sh\nexec ${network.entering.join(" ")} ${CHROMIUM} "$@"\n`);
  chmodSync(executablePath, 0o755);
  return chromium.launch({ executablePath, args: ARGUMENTS });
}
