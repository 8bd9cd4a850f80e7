/** Fields as workerd gives them, read as the lines that they were. */
import { describe, expect, it } from "vitest";
import { readCallerFields, readFields } from "../../../src/runtimes/worker/worker-fields.ts";
import { dropOwnCookies } from "../../../src/core/http/cookies.ts";
import { rowsOf } from "../../support/rows.ts";

describe("an address to go to", () => {
  it.each(rowsOf(["about", "value", "lines"], [
    ["one", "/a", ["/a"]],
    ["two paths", "/a, /b", ["/a", "/b"]],
    ["two of other hosts", "http://a.test/, HTTPS://b.test/", ["http://a.test/", "HTTPS://b.test/"]],
    ["two without a scheme", "//a.test/, //b.test/", ["//a.test/", "//b.test/"]],
    ["a comma in a path", "/a,b", ["/a,b"]],
    ["a comma and a space in a path", "/Doe, Jane", ["/Doe, Jane"]],
    ["a comma and a space in a query", "https://a.test/?q=a, b, c", ["https://a.test/?q=a, b, c"]],
  ]))("is read whole: $about", ({ value, lines }) => {
    expect([...readFields(new Headers({ location: value }))])
      .toEqual(lines.map((line) => ["location", line]));
  });

  it("is all that is told apart: other lines mean the same in one", () =>
    expect([...readFields(new Headers({ link: "/a, /b" }))]).toEqual([["link", "/a, /b"]]));
});

describe("a transfer coding", () => {
  const read = (coding: string, hasBody: boolean) => () =>
    readFields(new Headers({ "transfer-encoding": coding }), hasBody);

  it.each(["gzip", "gzip, chunked", "chunked, chunked"])(
    "of a body is refused unless it is chunked: %s",
    (coding) => expect(read(coding, true)).toThrow("another transfer coding"),
  );

  it("is taken as chunked in any case, and as anything where there is no body", () => {
    expect(read("Chunked", true)).not.toThrow();
    expect(read("gzip", false)).not.toThrow();
  });
});

it.each(rowsOf(["cookies", "read"], [
  ["a=1, proxy_token=t", "a=1"],
  ["a=1, __Host-proxy_token=t,u, b=2", "a=1, b=2"],
  ["proxy_host=http://a.test, b=2", "proxy_host=http://a.test, b=2"],
  // A cookie of a target's in the next line locks nobody out, and no name looks like one of the proxy's own.
  ["proxy_token=t, proxy_at_http_a.test_~s=1", "proxy_token=t"],
  ["proxy_host=http://a.test, proxy_token=t", "proxy_host=http://a.test"],
  ["__Foo-proxy_host=x, proxy_token=t", "__Foo-proxy_host=x"],
  ["__host-proxy_auth=x, proxy_auth=t", "__host-proxy_auth=x"],
  ["a=1, proxy_carried__Host-proxy_token=t", "a=1"],
  // The value that one target set names a cookie of another.
  ["proxy_at_http_a.test_~s=1, proxy_at_http_b.test_~s=2; c=3", "proxy_at_http_a.test_~s=1; c=3"],
  ["proxy_carried__Host-s=1, 2; a=1, 2", "proxy_carried__Host-s=1, 2; a=1, 2"],
  ["a=1, 2; b=my_proxy_x, y", "a=1, 2; b=my_proxy_x, y"],
]))("the proxy's own cookies behind a comma neither count nor go on: $cookies", ({ cookies, read }) => {
  const fields = readCallerFields(new Headers([["cookie", cookies], ["x-a", "b"]]));
  expect([...fields]).toEqual([["cookie", read], ["x-a", "b"]]);
});

it.each([
  "proxy_host=http://a.test, proxy_host=http://b.test",
  "a=1; __Host-proxy_token=t, __Host-proxy_token=u",
])(
  "two values of one cookie of the proxy's own stay whole, to be refused, and reach no target: %s",
  (cookies) => {
    const read = readCallerFields(new Headers({ cookie: cookies })).get("cookie")!;
    expect(read).toBe(cookies);
    expect(dropOwnCookies(read)).not.toContain("proxy_");
  },
);
