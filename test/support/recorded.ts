/**
 * Records of decisions in memory, by the name in `AUDIT`: for proxies of this process.
 * @module
 */
import { readConfig } from "../../src/core/settings/config.ts";
import type { Settings } from "./proxy.ts";

/** The members of a line, as they come. */
export interface Decision {
  time: string;
  id: string;
  caller: string;
  caller_id?: string;
  selector?: string;
  method: string;
  scheme?: string;
  host?: string;
  path?: string;
  entry?: string;
  rule: string;
  verdict: "allowed" | "refused" | "would_refuse";
  reason?: string;
}

const records = new Map<string, string[]>();

/** The lines of the proxies with this name. */
export function recordOf(name: string): string[] {
  const lines = records.get(name) ?? [];
  records.set(name, lines);
  return lines;
}

/** Takes the lines of a proxy with these settings. */
export function takeLines(settings: Settings): { audit?: (line: string) => void } {
  const { audit } = readConfig(settings);
  if (typeof audit?.to !== "string") return {};
  const lines = recordOf(audit.to);
  return { audit: (line) => void lines.push(line) };
}

/** The lines as decisions; throws if one is not a line of JSON by itself. */
export function readDecisions(lines: readonly string[]): Decision[] {
  return lines.map((line) => {
    if (!/^[ -~…]*$/.test(line)) throw new Error(`Expected a printable line: ${JSON.stringify(line)}`);
    return JSON.parse(line) as Decision;
  });
}
