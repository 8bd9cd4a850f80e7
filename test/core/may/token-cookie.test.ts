/** The cookie that keeps a browser's token. @module */
import { expect, it } from "vitest";
import { keepToken } from "../../../src/core/may/token-cookie.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { rowsOf } from "../../support/rows.ts";

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
