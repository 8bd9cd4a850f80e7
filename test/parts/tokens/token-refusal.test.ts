import { expect, it } from "vitest";
import { TokenRefusal } from "../../../src/parts/tokens/token-refusal.ts";

it("says what is wrong with a token, and challenges as RFC 6750 says", () => {
  const fault = { code: "token_expired", state: "it has expired", id: "ci" } as const;
  expect(new TokenRefusal(fault, "Use a new one")).toMatchObject({
    status: 401,
    code: "token_expired",
    id: "ci",
    message: "Cannot use this caller's token: it has expired. Use a new one",
    headers: { "www-authenticate": 'Bearer realm="fetchvia", error="invalid_token"' },
  });
});
