/** Which request goes out: the one that came in, or the one that an `arg` describes. @module */
import { expect, it } from "vitest";
import { requestOf } from "../../../src/core/exchange/exchange.ts";
import { incomingOf } from "../../support/exchange.ts";

it("the incoming request goes out", () => {
  const incoming = incomingOf({ path: "/p" });
  expect(requestOf({ incoming })).toBe(incoming);
});

it("what an arg describes goes out instead", () => {
  const described = incomingOf({ method: "POST" });
  expect(requestOf({ incoming: incomingOf({ path: "/__proxy__/fetch" }), described })).toBe(described);
});
