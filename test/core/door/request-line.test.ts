/** Which request targets are refused, whatever the server in front lets through. @module */
import { describe, expect, it } from "vitest";
import {
  answerOptions,
  asksProxy,
  checkRequestTarget,
  checkSizes,
  refuseMethod,
} from "../../../src/core/door/request-line.ts";
import { alike, words } from "../../support/rows.ts";

describe("checkRequestTarget", () => {
  it.each([
    ...alike("url", { method: "GET" })`/p //p http://a.test HTTPS://a.test/p http:///p`,
    { method: "OPTIONS", url: "*" },
  ])("takes $method $url", ({ method, url }) => {
    expect(() => checkRequestTarget({ method, url })).not.toThrow();
  });

  it.each([
    ...alike("url", { method: "GET" })`* ftp://a.test/p wss://a.test/p a.test:443`,
    { method: "options", url: "*" },
    { method: "GET", url: "" },
  ])("refuses $method $url", ({ method, url }) =>
    expect(() => checkRequestTarget({ method, url })).toThrow(
      expect.objectContaining({
        code: "bad_request",
        message: expect.stringMatching(/^Cannot use the request target: .+, expected .+$/),
      }),
    ));
});

describe("checkSizes", () => {
  const LARGE = 65_537;

  it.each([
    { path: "/p", fieldBytes: undefined },
    { path: "/p", fieldBytes: 65_536 },
    ...alike("path", { fieldBytes: LARGE })`/__proxy__/?host= /__proxy__?host=a.test /__proxy__/?x&host=`,
  ])("takes $fieldBytes bytes of fields at $path", ({ path, fieldBytes }) => {
    expect(() => checkSizes({ url: path, fieldBytes }, path, "")).not.toThrow();
  });

  it.each(words`/p /p?host= /__proxy__/ /__proxy__/?then=/ /__proxy__/?host=&url=http://a.test
    /__proxy__/?url=http://a.test?host= /__proxy__/fetch?host= /__proxy__/health`)(
    "refuses too many bytes of fields at %s, and says how to go on",
    (path) =>
      expect(() => checkSizes({ url: path, fieldBytes: LARGE }, path, "/m")).toThrow(
        expect.objectContaining({
          code: "fields_too_large",
          message: expect.stringContaining(". To drop cookies, open /m/__proxy__/?host="),
        }),
      ),
  );

  it("refuses an address of more than 64 KiB wherever it leads", () => {
    const path = "/__proxy__/?host=".padEnd(65_536, "x");
    expect(() => checkSizes({ url: path }, path, "")).not.toThrow();
    expect(() => checkSizes({ url: `${path}x` }, `${path}x`, ""))
      .toThrow(expect.objectContaining({ code: "address_too_long" }));
  });
});

describe("refuseMethod", () => {
  it.each(["TRACE", "CONNECT"])("%s", (method) => {
    expect(() => refuseMethod(method)).toThrow(expect.objectContaining({
      code: "method_not_allowed",
      headers: { allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" },
    }));
  });

  it("CONNECT, and says what to do instead", () =>
    expect(() => refuseMethod("CONNECT")).toThrow(
      "Cannot forward method CONNECT: fetchvia is no forward proxy (curl -x, HTTPS_PROXY). " +
        "Send the request to fetchvia itself, with the field proxy_host: https://example.com",
    ));

  it.each(words`GET PROPFIND trace OPTIONS`)("lets %s pass", (method) => {
    expect(() => refuseMethod(method)).not.toThrow();
  });
});

describe("a request that asks the proxy", () => {
  it.each([
    { method: "OPTIONS", path: "*", hops: undefined, is: true },
    ...alike("path", { method: "OPTIONS", hops: undefined, is: false })`/* /p`,
    ...alike("path", { method: "OPTIONS", hops: "0", is: true })`/p /*`,
    { method: "OPTIONS", path: "/p", hops: "00", is: true },
    ...alike("hops", { method: "OPTIONS", path: "/p", is: true })`5, 0 | 0,0`,
    { method: "OPTIONS", path: "/p", hops: "1", is: false },
    { method: "OPTIONS", path: "/p", hops: "", is: false },
    { method: "OPTIONS", path: "/p", hops: "x", is: false },
    { method: "GET", path: "/*", hops: "0", is: false },
  ])("$method $path with Max-Forwards $hops: $is", ({ method, path, hops, is }) => {
    const headers = new Headers(hops === undefined ? {} : { "max-forwards": hops });
    expect(asksProxy({ method, headers }, path)).toBe(is);
  });

  it("is told the methods, and nothing else", () => {
    const answer = answerOptions();
    expect({ status: answer.status, headers: [...answer.headers] })
      .toEqual({ status: 204, headers: [["allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]] });
  });
});
