/**
 * Which request targets are refused, whatever the server in front lets through.
 * @module
 */
import { describe, expect, it } from "vitest";
import { checkRequestTarget } from "../src/request-target.ts";

describe("checkRequestTarget", () => {
  it.each([
    { method: "GET", url: "/p" },
    { method: "GET", url: "//p" },
    { method: "GET", url: "http://a.test" },
    { method: "GET", url: "HTTPS://a.test/p" },
    { method: "GET", url: "http:///p" },
    { method: "OPTIONS", url: "*" },
  ])("takes $method $url", ({ method, url }) => {
    expect(() => checkRequestTarget({ method, url })).not.toThrow();
  });

  it.each([
    { method: "GET", url: "*" },
    { method: "options", url: "*" },
    { method: "GET", url: "ftp://a.test/p" },
    { method: "GET", url: "wss://a.test/p" },
    { method: "GET", url: "a.test:443" },
    { method: "GET", url: "" },
  ])("refuses $method $url", ({ method, url }) => {
    expect(() => checkRequestTarget({ method, url })).toThrow(
      expect.objectContaining({
        code: "bad_request",
        message: expect.stringMatching(/^Cannot use the request target: .+, expected .+$/),
      }),
    );
  });
});
