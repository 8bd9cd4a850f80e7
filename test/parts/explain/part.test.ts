/** Explain as a part: one path, and no other. */
import { expect, it } from "vitest";
import { EXPLAIN_PART } from "../../../src/parts/explain/part.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { openOf } from "../../support/part.ts";

it.each([
  { path: "/explain", status: 200 },
  { path: "/", status: undefined },
  { path: "/explains", status: undefined },
])("answers $path with $status", async ({ path, status }) => {
  const answer = await openOf(EXPLAIN_PART, path, exchangeOf({ path: `/__proxy__${path}?path=/` }));
  expect(answer?.status).toBe(status);
});
