/** The texts of `--help`. */
import { describe, expect, it } from "vitest";
import { environmentName, flagName } from "../../src/core/settings/config.ts";
import { SETTINGS } from "../../src/core/settings/settings.ts";
import { formatHelp } from "../../src/command/help.ts";
import { COMMANDS } from "../../src/command/parse-arguments.ts";

describe("the help", () => {
  it("has every setting once, under five headings", () => {
    const lines = formatHelp().split("\n");
    const headings = lines.filter((line) => /^(Where|Targets|Who|Limits|Output)\b/.test(line));
    const flags = lines.filter((line) => line.startsWith("  --"));
    expect([headings.length, flags.length]).toEqual([5, Object.keys(SETTINGS).length]);
    const start = lines.indexOf("Limits");
    expect(lines.slice(start, start + 3)).toEqual(["Limits", "", "  --max-concurrent <requests> (0)"]);
  });

  it.each(Object.keys(SETTINGS).map((name) => ({ name })))("tells of $name", ({ name }) => {
    expect(formatHelp()).toContain(`--${flagName(name)} <`);
    expect(environmentName(name)).toBe(flagName(name).toUpperCase().replaceAll("-", "_"));
  });

  it.each(COMMANDS.map((command) => ({ command })))(
    "has a page for $command, which the first page names",
    ({ command }) => {
      expect(formatHelp(command)).toMatch(new RegExp(`^fetchvia ${command} [[<-]`));
      expect(formatHelp()).toMatch(new RegExp(`\\nfetchvia ${command} [[<]`));
    },
  );

  it.each(["--help", "serve", "constructor", ""].map((command) => ({ command })))(
    "is that of the proxy for $command",
    ({ command }) => expect(formatHelp(command)).toBe(formatHelp()),
  );
});
