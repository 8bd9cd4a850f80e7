/** The routes through another proxy. */
import { expect, it } from "vitest";
import { decodeRoutes } from "../../../src/core/address/route.ts";

it("is one object for both schemes, so that they share no more and no less than it", () => {
  const routes = decodeRoutes("socks5://a.test");
  expect(routes?.http).toMatchObject({ upstream: { kind: "socks5", host: "a.test:1080" } });
  expect(routes?.https).toBe(routes?.http);
});

it("is none for what is no proxy", () => expect(decodeRoutes("env")).toBeUndefined());
