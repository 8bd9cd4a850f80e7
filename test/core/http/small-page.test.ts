/** The proxy's small pages. */
import { expect, it } from "vitest";
import { answerPage } from "../../../src/core/http/small-page.ts";

it("is a page that runs nothing, loads nothing and stands in no frame", () => {
  const { status, headers, body } = answerPage(401, "<Sign in>", "<p>Text</p>", { "x-more": "1" });
  const text = new TextDecoder().decode(body as Uint8Array);
  const nonce = /<style nonce="([^"]+)">/.exec(text)?.[1];
  expect(status).toBe(401);
  expect(text).toContain("<title>&#60;Sign in&#62;</title>");
  expect(text).toContain("<p>Text</p>");
  expect(headers.get("content-security-policy")).toBe(
    `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(headers.get("cross-origin-opener-policy")).toBe("noopener-allow-popups");
  expect([headers.get("cache-control"), headers.get("x-more")]).toEqual(["no-store", "1"]);
});
