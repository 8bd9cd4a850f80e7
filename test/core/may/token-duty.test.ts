/** Where a token may stand, and where one is needed. @module */
import { describe, expect, it } from "vitest";
import { isPage } from "../../../src/core/address/reserved-paths.ts";
import {
  asksToken,
  hasToken,
  keepToken,
  needsToken,
  PAGE_TOKEN_FIELDS,
  TOKEN_FIELDS,
} from "../../../src/core/may/token-duty.ts";
import { exchangeOf } from "../../support/parts-exchange.ts";
import { alike, rowsOf } from "../../support/rows.ts";
import { tokenOf } from "../../support/token.ts";

it.each([
  { options: {}, needs: false },
  { options: { proxyToken: "secret" }, needs: true },
  { options: { signingKey: "key" }, needs: true },
])(
  "needsToken is $needs with $options",
  ({ options, needs }) => expect(needsToken(exchangeOf({ options }))).toBe(needs),
);

describe("a caller who showed a token", () => {
  const token = tokenOf();

  it.each([
    { options: {}, asks: false },
    { options: { proxyToken: "t" }, asks: true },
    { options: { signingKey: "k" }, asks: false },
    { options: { signingKey: "k", callerTokens: true }, asks: true },
  ])("is every one with $options: $asks", ({ options, asks }) => {
    const exchange = exchangeOf({ options });
    expect(asksToken(exchange.config)).toBe(asks);
    expect(hasToken(exchange)).toBe(asks);
    expect(hasToken({ ...exchange, token })).toBe(true);
  });
});

describe("the proxy's own pages", () => {
  it.each([
    ...alike("path", { isOwn: true })`/__proxy__/ /__proxy__/metrics`,
    ...alike("path", { isOwn: false })`/__proxy__/?url=http://a.test /`,
  ])("$path: $isOwn", ({ path, isOwn }) => expect(isPage(path)).toBe(isOwn));

  it("take a token in Authorization too", () =>
    expect(PAGE_TOKEN_FIELDS).toBe(`${TOKEN_FIELDS}, Authorization`));
});

it.each(rowsOf(["about", "shown", "mount", "cookie", "to"], [
  ["kept", "t", "", "proxy_token=t; Path=/; HttpOnly; SameSite=Lax", "/a?b"],
  ["forgotten", "", "", "proxy_token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0", "/a?b"],
  ["kept under a mount path", "t", "/m", "proxy_token=t; Path=/m; HttpOnly; SameSite=Lax", "/m/a?b"],
]))("is $about", ({ shown, mount, cookie, to }) => {
  const { status, headers } = keepToken(
    exchangeOf({ options: mount ? { mountPath: mount } : {} }),
    shown,
    "/a?b",
  );
  expect([status, headers.get("location"), headers.get("set-cookie")]).toEqual([303, to, cookie]);
});
