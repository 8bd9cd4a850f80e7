/**
 * The token in the address: kept in a cookie, gone from the address.
 * @module
 */
import { describe, expect, it } from "vitest";
import { answerSignIn } from "../../src/console/sign-in.ts";
import { exchangeOf } from "./exchange.ts";

const options = { proxyToken: "s3cret%" };

describe("answerSignIn", () => {
  it.each([
    { isSecure: false, flags: "" },
    { isSecure: true, flags: "; Secure" },
  ])("keeps the right token (secure: $isSecure)", ({ isSecure, flags }) => {
    const response = answerSignIn(exchangeOf({ path: "/__proxy__/?token=s3cret%25", options, isSecure }));
    expect(response?.status).toBe(303);
    expect(response?.headers.get("location")).toBe("/__proxy__/");
    expect(response?.headers.getSetCookie()).toEqual([
      `proxy_token=s3cret%; Path=/; HttpOnly; SameSite=Lax${flags}`,
    ]);
  });

  it.each([
    { about: "another token", path: "/__proxy__/?token=other", options },
    { about: "no token", path: "/__proxy__/", options },
    { about: "an empty one", path: "/__proxy__/?token=", options: {} },
    { about: "a proxy without one", path: "/__proxy__/?token=undefined", options: {} },
  ])("does nothing with $about", ({ path, options }) => {
    expect(answerSignIn(exchangeOf({ path, options }))).toBeUndefined();
  });
});
