/**
 * Names settings as options in code, for the messages of a proxy whose settings are that (rule 21.3).
 * @module
 */

import { ProxyError } from "../http/error.ts";
import { environmentName } from "./config.ts";
import { SETTINGS } from "./settings.ts";

const OPTIONS: ReadonlyMap<string, string> = new Map(
  Object.keys(SETTINGS).map((name) => [environmentName(name), name]),
);

/**
 * The text with `allowTargets: "a.test"` for `ALLOW_TARGETS=a.test`, and the like.
 *
 * @param isEmbedded true where the settings are options in code; otherwise the text stays
 */
export function nameOptions(text: string, isEmbedded: boolean | undefined): string {
  if (!isEmbedded) return text;
  return text.replace(/\b([A-Z]+(?:_[A-Z]+)*)\b(?:=(\S+))?/g, (written, name: string, value?: string) => {
    const option = OPTIONS.get(name);
    if (option === undefined) return written;
    return value === undefined ? option : `${option}: ${JSON.stringify(value)}`;
  });
}

/** The error with options in its texts. */
export function nameOptionsOf(error: ProxyError, isEmbedded: boolean | undefined): ProxyError {
  if (!isEmbedded) return error;
  const { code, message, cause, headers, setting, reason } = error;
  const name = (text: string | undefined) => text && nameOptions(text, true);
  return new ProxyError(code, nameOptions(message, true), {
    cause,
    headers,
    setting: name(setting),
    reason: name(reason),
  });
}
