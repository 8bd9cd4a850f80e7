/** Cookies as the console and HAR files tell them, and why one was withheld. @module */
import { expect, it } from "vitest";
import type { FieldLine } from "../../../src/parts/capture/capture.ts";
import { findWithheld, readCookies, readSetCookie } from "../../../src/parts/console/cookie-list.ts";
import { alike } from "../../support/rows.ts";

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

const PLAIN = "it is Secure, but its target is reached over plain http";
const FOREIGN = "its Domain is another host";
const TOLD: FieldLine[] = [["Host", "proxy.test:8080"]];
const FORWARDED: FieldLine[] = [["host", "a.test"], ["X-Forwarded-Host", "proxy.test"]];

it.each<{ url: string; headers?: FieldLine[]; line: string; reason?: string }>([
  { url: "http://a.test/", line: "a=***(1 bytes, 00ff); Secure", reason: PLAIN },
  ...alike("url", { line: "a=1; Secure" })`https://a.test/ http://localhost:3000/ http://app.localhost/
    http://127.0.0.1/ http://[::1]:80/`,
  { url: "http://notlocalhost/", line: "a=1; Secure", reason: PLAIN },
  { url: "http://a.test/", headers: TOLD, line: "a=1; Secure; Domain=proxy.test" },
  { url: "http://a.test/", headers: FORWARDED, line: "a=1; Secure; Domain=proxy.test" },
  { url: "http://a.test/", headers: FORWARDED, line: "a=1; Domain=b.test", reason: FOREIGN },
])("$line of $url: $reason", ({ url, headers = [["Host", new URL(url).host]], line, reason }) => {
  expect(findWithheld(line, { method: "GET", url, headers })).toBe(reason);
});
