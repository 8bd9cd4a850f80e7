/** The token in the address: kept in a cookie, gone from the address. @module */
import { describe, expect, it } from "vitest";
import { answerSignIn } from "../../../src/core/door/sign-in.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { rowsOf, textRows } from "../../support/rows.ts";
import { tokenOf } from "../../support/token.ts";

const options = { proxyToken: "s3cret%" };
const OPENED = { "sec-fetch-mode": "navigate" };

describe("answerSignIn", () => {
  it.each(textRows(["path", "location"])`
    /__proxy__/?token=s3cret%25 | /__proxy__/
    /__proxy__/?x=1&token=s3cret%25&y&z= | /__proxy__/?x=1&y&z=
    /__proxy__/?token=s3cret%25&url=http://a.test/?token=x&b=2 | /__proxy__/?url=http://a.test/?token=x&b=2
    /__proxy__/fetch?arg=e30%3D&token=s3cret%25 | /__proxy__/fetch?arg=e30%3D`)(
    "leads from $path to $location",
    ({ path, location }) => {
      const response = answerSignIn(exchangeOf({ path, options, fields: OPENED }));
      expect(response?.status).toBe(303);
      expect(response?.headers.get("location")).toBe(location);
      expect(response?.headers.get("set-cookie")).toBe("proxy_token=s3cret%; Path=/; HttpOnly; SameSite=Lax");
    },
  );

  it("keeps the caller's own token, never the proxy's in its place", () => {
    const exchange = exchangeOf({ path: "/__proxy__/?token=fv1.a.b", options, fields: OPENED });
    const token = tokenOf({}, { text: "fv1.a.b", isInAddress: true });
    const cookie = answerSignIn({ ...exchange, token })?.headers.get("set-cookie");
    expect(cookie).toMatch(/^proxy_token=fv1\.a\.b; /);
  });

  it("keeps it Secure over https", () => {
    const exchange = exchangeOf({ path: "/__proxy__/?token=s3cret%25", options, fields: OPENED });
    const caller = { ...exchange.caller, isSecure: true };
    expect(answerSignIn({ ...exchange, caller })?.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  it.each(rowsOf(["about", "path", "fields", "is", "method"], [
    ["a window", "/__proxy__/?token=t&url=x", OPENED, true],
    ["a window over plain http", "/__proxy__/?token=t&url=x", { "upgrade-insecure-requests": "1" }, true],
    ["who prefers HTML", "/__proxy__/?token=t", { accept: "text/html" }, true],
    ["a program that does", "/__proxy__/?token=t&url=x", { accept: "text/html" }, false],
    ["a script", "/__proxy__/?token=t", { "sec-fetch-mode": "cors" }, false],
    ["a program", "/__proxy__/?token=t", {}, false],
    ["a form", "/__proxy__/?token=t", OPENED, false, "POST"],
  ]))("does so for $about: $is", ({ path, fields, method, is }) => {
    expect(answerSignIn(exchangeOf({ path, options, method, fields })) !== undefined).toBe(is);
  });
});
