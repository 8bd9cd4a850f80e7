/** The request that a redirect leads to, where the browser follows none. @module */
import { describe, expect, it } from "vitest";
import { type Asked, isRedirect, nextRequest } from "../../src/client/next-request.ts";
import { words } from "../support/rows.ts";

const FIELDS: [string, string][] = [
  ["authorization", "Bearer t"],
  ["cookie", "a=1"],
  ["content-type", "text/x"],
  ["x-a", "1"],
];
const body = new TextEncoder().encode("tea").buffer;
const asked = (method: string): Asked => ({ url: "https://a.test/p?q", method, fields: FIELDS, body });

describe("nextRequest", () => {
  it.each([
    { status: 301, method: "POST", becomes: "GET" },
    { status: 302, method: "POST", becomes: "GET" },
    { status: 303, method: "PUT", becomes: "GET" },
    { status: 301, method: "PUT", becomes: "PUT" },
    { status: 302, method: "DELETE", becomes: "DELETE" },
    { status: 307, method: "POST", becomes: "POST" },
    { status: 308, method: "PATCH", becomes: "PATCH" },
  ])("of $method after $status is $becomes", ({ status, method, becomes }) => {
    const next = nextRequest(asked(method), status, "../x");
    const isGet = becomes === "GET";
    expect(next).toEqual({
      url: "https://a.test/x",
      method: becomes,
      fields: FIELDS.filter(([name]) => name !== "content-type" || !isGet),
      body: isGet ? null : body,
    });
  });

  it.each(words`https://b.test/ http://a.test/ //a.test:8443/`)("takes no credentials to %s", (location) => {
    const next = nextRequest(asked("PUT"), 307, location);
    expect(next?.fields).toEqual([["content-type", "text/x"], ["x-a", "1"]]);
  });

  it.each([null, ...words`http:// data:,x file:///etc`])(
    "is none to %s",
    (location) => expect(nextRequest(asked("PUT"), 307, location)).toBeUndefined(),
  );

  it("is none of a stream that would go out twice", () => {
    const streaming = { ...asked("PUT"), body: new ReadableStream() };
    expect(() => nextRequest(streaming, 307, "/x")).toThrow(TypeError);
    expect(nextRequest(streaming, 303, "/x")?.body).toBeNull();
  });
});

describe("isRedirect", () => {
  it.each([301, 302, 303, 307, 308])("is true for %s", (status) => expect(isRedirect(status)).toBe(true));
  it.each([200, 300, 304, 305])("is false for %s", (status) => expect(isRedirect(status)).toBe(false));
});
