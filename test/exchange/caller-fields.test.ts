/**
 * The fields of a caller: which are lost by themselves, and which cannot go out.
 * @module
 */
import { describe, expect, it } from "vitest";
import { dropLength, isLost, readCallerFields, readTokenFields } from "../../src/exchange/caller-fields.ts";

describe("readCallerFields", () => {
  const input = new Request("http://a.test/", { headers: { "x-a": "1" } });
  it.each([
    { about: "of the init", init: { headers: { Cookie: "a=1" } }, is: [["cookie", "a=1"]] },
    { about: "of the Request", init: {}, is: [["x-a", "1"]] },
    { about: "of none", init: { headers: {} }, is: [] },
  ] as { about: string; init: RequestInit; is: unknown }[])(
    "reads those $about",
    ({ init, is }) => expect(readCallerFields(input, init)).toEqual(is),
  );

  it.each([
    { name: "Host" },
    { name: "connection" },
    { name: "te" },
    { name: "upgrade" },
    { name: "proxy-connection" },
    { name: "proxy_headers" },
    { name: "proxy_host" },
    { name: "sec-websocket-key" },
    { name: "cdn-loop" },
  ])("refuses $name", ({ name }) => {
    expect(() => readCallerFields("http://a.test/", { headers: { [name]: "x" } })).toThrow(
      new TypeError(`Cannot send field ${name.toLowerCase()}: the proxy sets it itself. Leave it out`),
    );
  });
});

describe("dropLength", () => {
  it("drops a true length", () => {
    expect(dropLength([["content-length", "3"], ["x-a", "1"]], 3)).toEqual([["x-a", "1"]]);
  });

  it.each([{ length: 4 }, { length: undefined }])("refuses another than $length", ({ length }) => {
    expect(() => dropLength([["content-length", "3"]], length)).toThrow(
      /field content-length: it is 3, expected/,
    );
  });
});

describe("isLost", () => {
  it.each([
    { name: "cookie" },
    { name: "origin" },
    { name: "referer" },
    { name: "user-agent" },
    { name: "date" },
    { name: "dnt" },
    { name: "via" },
    { name: "set-cookie" },
    { name: "accept-encoding" },
    { name: "access-control-request-method" },
    { name: "sec-fetch-site" },
    { name: "authorization" },
    { name: "x-forwarded-for" },
    { name: "x-http-method-override" },
  ])("is true for $name", ({ name }) => expect(isLost(name)).toBe(true));

  it.each([{ name: "accept" }, { name: "content-type" }, { name: "x-own" }, { name: "if-match" }, {
    name: "dates",
  }])(
    "is false for $name",
    ({ name }) => expect(isLost(name)).toBe(false),
  );
});

describe("readTokenFields", () => {
  const shown = ["proxy_token", "t"];
  it.each([
    { fields: [], token: undefined, is: [] },
    { fields: [], token: "t", is: [shown] },
    { fields: [["proxy_token", "own"]], token: "t", is: [["proxy_token", "own"]] },
    { fields: [["proxy-token", "t"]], token: "x", is: [["proxy-token", "t"], shown] },
    {
      fields: [["proxy-authorization", "Bearer t"]],
      token: undefined,
      is: [["proxy-authorization", "Bearer t"], shown],
    },
  ] as { fields: [string, string][]; token: string | undefined; is: unknown }[])(
    "shows $is",
    ({ fields, token, is }) => expect(readTokenFields([["x-a", "1"], ...fields], token)).toEqual(is),
  );
});
