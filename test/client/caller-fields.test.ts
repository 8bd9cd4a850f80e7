/** The fields of a caller: which are lost by themselves, and which cannot go out. @module */
import { describe, expect, it } from "vitest";
import { dropLength, isLost, readCallerFields, readTokenFields } from "../../src/client/caller-fields.ts";
import { words } from "../support/rows.ts";

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

  it.each(words`Host connection te upgrade proxy-connection proxy_headers proxy_host
    sec-websocket-key cdn-loop`)("refuses %s", (name) => {
    expect(() => readCallerFields("http://a.test/", { headers: { [name]: "x" } })).toThrow(
      new TypeError(`Cannot send field ${name.toLowerCase()}: the proxy sets it itself. Leave it out`),
    );
  });
});

describe("dropLength", () => {
  it("drops a true length", () =>
    expect(dropLength([["content-length", "3"], ["x-a", "1"]], 3)).toEqual([["x-a", "1"]]));

  it.each([4, undefined])("refuses another than %s", (length) => {
    expect(() => dropLength([["content-length", "3"]], length))
      .toThrow(/field content-length: it is 3, expected/);
  });
});

describe("isLost", () => {
  it.each(words`cookie origin referer user-agent date dnt via set-cookie accept-encoding
    access-control-request-method sec-fetch-site authorization x-forwarded-for x-http-method-override`)(
    "is true for %s",
    (name) => expect(isLost(name)).toBe(true),
  );

  it.each(words`accept content-type x-own if-match dates`)(
    "is false for %s",
    (name) => expect(isLost(name)).toBe(false),
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
