/**
 * Where a token may stand, and where one is needed.
 * @module
 */
import { describe, expect, it } from "vitest";
import { isPage, needsToken, PAGE_TOKEN_FIELDS, TOKEN_FIELDS } from "../../src/door/token-fields.ts";
import { readOptions } from "../../src/settings/config.ts";

describe("needsToken", () => {
  it.each([
    { options: {}, needs: false },
    { options: { proxyToken: "secret" }, needs: true },
    { options: { signingKey: "key" }, needs: true },
  ])("is $needs with $options", ({ options, needs }) => {
    expect(needsToken(readOptions(options))).toBe(needs);
  });
});

describe("the proxy's own pages", () => {
  it.each([
    { path: "/__proxy__/", isOwn: true },
    { path: "/__proxy__/metrics", isOwn: true },
    { path: "/__proxy__/?url=http://a.test", isOwn: false },
    { path: "/", isOwn: false },
  ])("$path: $isOwn", ({ path, isOwn }) => {
    expect(isPage(path)).toBe(isOwn);
  });

  it("take a token in Authorization too", () => {
    expect(PAGE_TOKEN_FIELDS).toBe(`${TOKEN_FIELDS}, Authorization`);
  });
});
