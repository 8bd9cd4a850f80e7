/** Where a token may stand, and where one is needed. @module */
import { describe, expect, it } from "vitest";
import { isPage } from "../../../src/core/address/reserved-paths.ts";
import { needsToken, PAGE_TOKEN_FIELDS, TOKEN_FIELDS } from "../../../src/core/door/token-fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { alike } from "../../support/rows.ts";

it.each([
  { options: {}, needs: false },
  { options: { proxyToken: "secret" }, needs: true },
  { options: { signingKey: "key" }, needs: true },
])(
  "needsToken is $needs with $options",
  ({ options, needs }) => expect(needsToken(exchangeOf({ options }))).toBe(needs),
);

describe("the proxy's own pages", () => {
  it.each([
    ...alike("path", { isOwn: true })`/__proxy__/ /__proxy__/metrics`,
    ...alike("path", { isOwn: false })`/__proxy__/?url=http://a.test /`,
  ])("$path: $isOwn", ({ path, isOwn }) => expect(isPage(path)).toBe(isOwn));

  it("take a token in Authorization too", () => {
    expect(PAGE_TOKEN_FIELDS).toBe(`${TOKEN_FIELDS}, Authorization`);
  });
});
