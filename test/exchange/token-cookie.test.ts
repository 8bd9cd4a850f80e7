/**
 * The cookie that keeps a browser's token.
 * @module
 */
import { expect, it } from "vitest";
import { keepToken } from "../../src/exchange/token-cookie.ts";
import { exchangeOf } from "../support/exchange.ts";

it.each([
  {
    about: "kept",
    shown: "t",
    mount: "",
    cookie: "proxy_token=t; Path=/; HttpOnly; SameSite=Lax",
    to: "/a?b",
  },
  {
    about: "forgotten",
    shown: "",
    mount: "",
    cookie: "proxy_token=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
    to: "/a?b",
  },
  {
    about: "kept under a mount path",
    shown: "t",
    mount: "/m",
    cookie: "proxy_token=t; Path=/m; HttpOnly; SameSite=Lax",
    to: "/m/a?b",
  },
])("is $about", ({ shown, mount, cookie, to }) => {
  const { status, headers } = keepToken(
    exchangeOf({ options: mount ? { mountPath: mount } : {} }),
    shown,
    "/a?b",
  );
  expect([status, headers.get("location"), headers.get("set-cookie")]).toEqual([303, to, cookie]);
});
