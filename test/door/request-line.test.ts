/**
 * Which request targets are refused, whatever the server in front lets through.
 * @module
 */
import { describe, expect, it } from "vitest";
import { checkRequestTarget, checkSizes, refuseMethod } from "../../src/door/request-line.ts";

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

describe("checkSizes", () => {
  const LARGE = 65_537;

  it.each([
    { path: "/p", fieldBytes: undefined },
    { path: "/p", fieldBytes: 65_536 },
    { path: "/__proxy__/?host=", fieldBytes: LARGE },
    { path: "/__proxy__?host=a.test", fieldBytes: LARGE },
    { path: "/__proxy__/?x&host=", fieldBytes: LARGE },
  ])("takes $fieldBytes bytes of fields at $path", ({ path, fieldBytes }) => {
    expect(() => checkSizes({ url: path, fieldBytes }, path, "")).not.toThrow();
  });

  it.each([
    { path: "/p" },
    { path: "/p?host=" },
    { path: "/__proxy__/" },
    { path: "/__proxy__/?then=/" },
    { path: "/__proxy__/?host=&url=http://a.test" },
    { path: "/__proxy__/?url=http://a.test?host=" },
    { path: "/__proxy__/fetch?host=" },
    { path: "/__proxy__/health" },
  ])("refuses too many bytes of fields at $path, and says how to go on", ({ path }) => {
    expect(() => checkSizes({ url: path, fieldBytes: LARGE }, path, "/m")).toThrow(
      expect.objectContaining({
        code: "fields_too_large",
        message: expect.stringContaining(". To drop cookies, open /m/__proxy__/?host="),
      }),
    );
  });

  it("refuses an address of more than 64 KiB wherever it leads", () => {
    const path = "/__proxy__/?host=".padEnd(65_536, "x");
    expect(() => checkSizes({ url: path }, path, "")).not.toThrow();
    expect(() => checkSizes({ url: `${path}x` }, `${path}x`, "")).toThrow(
      expect.objectContaining({ code: "address_too_long" }),
    );
  });
});

describe("refuseMethod", () => {
  it.each([{ method: "TRACE" }, { method: "CONNECT" }])("$method", ({ method }) => {
    expect(() => refuseMethod(method)).toThrow(expect.objectContaining({
      code: "method_not_allowed",
      headers: { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" },
    }));
  });

  it("CONNECT, and says what to do instead", () => {
    expect(() => refuseMethod("CONNECT")).toThrow(
      "Cannot forward method CONNECT: fetchvia is no forward proxy (curl -x, HTTPS_PROXY). " +
        "Send the request to fetchvia itself, with the field proxy_host: https://example.com",
    );
  });

  it.each([{ method: "GET" }, { method: "PROPFIND" }, { method: "trace" }, { method: "OPTIONS" }])(
    "lets $method pass",
    ({ method }) => {
      expect(() => refuseMethod(method)).not.toThrow();
    },
  );
});
