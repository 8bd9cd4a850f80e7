import { expect, it } from "vitest";
import { refuseToken } from "../../../src/exchange/tokens/refusal.ts";

it("says what is wrong with a token, and challenges as RFC 6750 says", () => {
  expect(refuseToken("it has expired", "Use a new one")).toMatchObject({
    status: 401,
    message: "Cannot use this caller's token: it has expired. Use a new one",
    headers: { "www-authenticate": 'Bearer realm="fetchvia", error="invalid_token"' },
  });
});
