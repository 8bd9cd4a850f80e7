/** Why a cookie was withheld, as the console and HAR files tell it. @module */
import { expect, it } from "vitest";
import type { FieldLine } from "../../../src/parts/capture/capture.ts";
import { findWithheld } from "../../../src/parts/console/withheld-cookie.ts";
import { alike } from "../../support/rows.ts";

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
