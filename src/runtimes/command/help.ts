/**
 * The text of `--help`, made of the table of settings.
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

fetchvia [flags]              runs the proxy
fetchvia encode <what>        writes a base address as a host label, or JSON as an arg
fetchvia decode <what>        reads a host label or an arg
fetchvia health [flags]       asks the proxy of these flags whether it serves: exit 0, else 1
fetchvia --help, -h           writes this
fetchvia --version, -v        writes the version

Every flag is an environment variable too: --proxy-domain is PROXY_DOMAIN.

${flags.join("\n")}`;
}

function formatSetting(name: string, { fallback, unit, effect }: Setting<unknown>): string {
  const standard = typeof fallback === "object" || fallback === undefined || fallback === ""
    ? ""
    : ` (${String(fallback)})`;
  return `  --${flagName(name)} <${unit}>${standard}\n      ${effect.replaceAll("`", "")}`;
}
