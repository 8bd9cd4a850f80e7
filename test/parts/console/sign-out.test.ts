/** Signing out: only the console may ask. @module */
import { expect, it } from "vitest";
import { answerSignOut } from "../../../src/parts/console/pages.ts";
import { exchangeOf, TICKET } from "../../support/exchange.ts";

const PATH = "/__proxy__/sign-out";

it("forgets the token and leads to the console", async () => {
  const exchange = exchangeOf({ method: "POST", path: PATH, fields: { "x-fetchvia-ticket": TICKET } });
  const { status, headers } = await answerSignOut(exchange);
  expect([status, headers.get("location")]).toEqual([303, "/__proxy__/"]);
  expect(headers.get("set-cookie")).toMatch(/^proxy_token=; .*Max-Age=0$/);
});

it.each([
  { about: "without the proof", method: "POST", path: PATH, code: "forbidden" },
  { about: "with another", method: "POST", path: `${PATH}?proof=x`, code: "forbidden" },
  { about: "by GET", method: "GET", path: PATH, code: "method_not_allowed" },
])("is refused $about", async ({ method, path, code }) => {
  await expect(answerSignOut(exchangeOf({ method, path }))).rejects.toMatchObject({ code });
});
