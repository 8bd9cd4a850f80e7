import { expect, it } from "vitest";
import { readCookies, readSetCookie } from "../../../src/parts/console/cookie-list.ts";

it.each([
  { field: 'a=1; b="2"', cookies: [{ name: "a", value: "1" }, { name: "b", value: '"2"' }] },
  { field: "a=1=2;;  b=", cookies: [{ name: "a", value: "1=2" }, { name: "b", value: "" }] },
  { field: "bare", cookies: [{ name: "", value: "bare" }] },
  { field: "", cookies: [] },
])("readCookies $field", ({ field, cookies }) => expect(readCookies(field)).toEqual(cookies));

it.each([
  { line: "a=1", cookie: { name: "a", value: "1" } },
  {
    line:
      "a=b=c; PATH=/x; domain=.a.test; Expires=Wed, 02 Jan 2030 03:04:05 GMT; Max-Age=5; HttpOnly; secure; SameSite=Lax; Priority=High; Partitioned",
    cookie: {
      name: "a",
      value: "b=c",
      path: "/x",
      domain: ".a.test",
      expires: "Wed, 02 Jan 2030 03:04:05 GMT",
      maxAge: "5",
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
      others: ["Priority=High", "Partitioned"],
    },
  },
  { line: "a=1; Path=/x; Path=/y;", cookie: { name: "a", value: "1", path: "/y" } },
])("readSetCookie $line", ({ line, cookie }) => expect(readSetCookie(line)).toEqual(cookie));
