/** The texts of `--help`. */
import { describe, expect, it } from "vitest";
import { environmentName, flagName } from "../../src/core/settings/config.ts";
import { SETTINGS } from "../../src/core/settings/settings.ts";
import { formatHelp } from "../../src/command/help.ts";

describe("the help", () => {
  it.each(Object.keys(SETTINGS).map((name) => ({ name })))("tells of $name", ({ name }) => {
    expect(formatHelp()).toContain(`--${flagName(name)} <`);
    expect(environmentName(name)).toBe(flagName(name).toUpperCase().replaceAll("-", "_"));
  });

  it.each(["encode", "decode", "sign", "health"].map((command) => ({ command })))(
    "has a page for $command, which the first page names",
    ({ command }) => {
      expect(formatHelp(command)).toMatch(new RegExp(`^fetchvia ${command} \\[`));
      expect(formatHelp()).toContain(`\nfetchvia ${command} [`);
    },
  );

  it.each(["--help", "serve", "constructor", ""].map((command) => ({ command })))(
    "is that of the proxy for $command",
    ({ command }) => expect(formatHelp(command)).toBe(formatHelp()),
  );
});
