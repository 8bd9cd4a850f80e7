import { describe, expect, it } from "vitest";
import { readConfig, readOptions } from "../../../src/core/settings/config.ts";
import { revokedFileOf } from "../../../src/core/settings/values.ts";

describe("the settings about tokens", () => {
  it("are off by default", () =>
    expect(readOptions({})).toMatchObject({ callerTokens: false, revokedTokens: [] }));

  it.each([
    { text: "ci, old-laptop", read: ["ci", "old-laptop"] },
    { text: "@revoked.txt", read: ["@revoked.txt"] },
    { text: "ci,@/etc/revoked", read: ["ci", "@/etc/revoked"] },
  ])("read REVOKED_TOKENS=$text", ({ text, read }) => {
    expect(readConfig({ REVOKED_TOKENS: text }).revokedTokens).toEqual(read);
  });

  it.each(["ci,", "a b", "@", "ci;x"])("refuse REVOKED_TOKENS=%s", (text) => {
    expect(() => readConfig({ REVOKED_TOKENS: text })).toThrow(
      "expected a list of ids such as ci,old-laptop",
    );
  });

  it.each([
    { entry: "@revoked.txt", file: "revoked.txt" },
    { entry: "ci", file: undefined },
    { entry: "@", file: undefined },
  ])("name the file of $entry: $file", ({ entry, file }) => expect(revokedFileOf(entry)).toBe(file));
});
