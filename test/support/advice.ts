/**
 * Does what a refusal says.
 * @module
 */
import type { Options } from "../../src/core/settings/config.ts";
import type { Settings } from "./proxy.ts";

const OPTIONS = {
  PRIVATE_TARGETS: "privateTargets",
  HOSTS: "hosts",
  CORS_ORIGINS: "corsOrigins",
  ALLOW_TARGETS: "allowTargets",
} as const;
type Name = keyof typeof OPTIONS;

/** The settings that the advice of a message names, with values exactly as it says. */
export function listSettings(message: string): [name: Name, value: string, isAddition: boolean][] {
  const [, advice = ""] = /\. (?:To allow it, )?((?:set [A-Z_]+=|add ).+)$/i.exec(message) ?? [];
  return advice.replace(/ \(ALLOW_TARGETS closes all other targets\)$/, "").split(" and ").map((part) => {
    const [, set, value = ""] = /^[Ss]et ([A-Z_]+)=(\S+)$/.exec(part) ?? [];
    const [, added = "", to] = /^[Aa]dd (\S+) to ([A-Z_]+)$/.exec(part) ?? [];
    const name = set ?? to;
    if (name === undefined || !(name in OPTIONS)) throw new Error(`Cannot read the advice: ${message}`);
    return [name as Name, set ? value : added, set === undefined];
  });
}

/** The same as options of `createProxy`, on top of those that are set. */
export function readAdvice(message: string, options: Options): Options {
  return Object.fromEntries(
    listSettings(message).map(([name, value, isAddition]) => {
      const option = OPTIONS[name];
      const before = isAddition ? options[option] : undefined;
      return [option, before === undefined ? value : `${String(before)},${value}`];
    }),
  );
}

/** The same as environment variables, on top of those that are set. */
export function followAdvice(message: string, settings: Settings): Settings {
  const changed = listSettings(message).map(([name, value, isAddition]) => {
    const before = isAddition ? settings[name] : undefined;
    return [name, before === undefined ? value : `${before},${value}`];
  });
  return { ...settings, ...Object.fromEntries(changed) };
}
