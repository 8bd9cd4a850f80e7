/**
 * The text of `--help`, built from the table of settings.
 * @module
 */

import { flagName } from "../../settings/config.ts";
import type { Setting } from "../../settings/setting.ts";
import { SETTINGS } from "../../settings/settings.ts";
import { VERSION } from "../../settings/version.ts";

/** Writes the help. */
export function formatHelp(): string {
  const flags = Object.entries(SETTINGS).map(([name, setting]) =>
    formatSetting(name, setting as Setting<unknown>)
  );
  return `fetchvia ${VERSION}: a forwarding proxy reached over plain HTTP

fetchvia [flags]              starts the proxy
fetchvia encode <what>        turns a base address into a host label, or JSON into an arg
fetchvia decode <what>        turns a host label or an arg back
fetchvia health [flags]       checks a running proxy with the same flags: exits with 0 or 1
fetchvia --help, -h           shows this help
fetchvia --version, -v        shows the version

Each flag is also an environment variable: --proxy-domain is PROXY_DOMAIN.

${flags.join("\n")}`;
}

function formatSetting(name: string, { fallback, unit, effect }: Setting<unknown>): string {
  const standard = typeof fallback === "object" || fallback === undefined || fallback === ""
    ? ""
    : ` (${String(fallback)})`;
  return `  --${flagName(name)} <${unit}>${standard}\n      ${effect.replaceAll("`", "")}`;
}
