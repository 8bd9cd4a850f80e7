/** Settings that never change. @module */
import { expect, it } from "vitest";
import { fixSettings, readOptions, readRevoked } from "../../../src/core/settings/config.ts";

it("are the settings themselves", () => {
  const config = readOptions({ revokedTokens: ["a", "b"] });
  expect(fixSettings(config)).toEqual({ config, revoked: new Set(["a", "b"]), version: 0 });
});

it("hold no table of targets, which nothing would apply", () =>
  expect(() => fixSettings(readOptions({ targets: "{}" }))).toThrow("TARGETS is set, expected a part"));

it("name no file of revoked ids", () =>
  expect(() => readRevoked(readOptions({ revokedTokens: "a,@ids.txt" })))
    .toThrow('REVOKED_TOKENS names "@ids.txt", expected ids: files can\'t be read here'));
