/** Settings as options in the texts of a proxy in code (rule 21.3). @module */
import { expect, it } from "vitest";
import { ProxyError } from "../../../src/core/http/error.ts";
import { nameOptions, nameOptionsOf } from "../../../src/core/settings/option-names.ts";
import { rowsOf } from "../../support/rows.ts";

it.each(rowsOf(["text", "named"], [
  ["To allow it, set ALLOW_TARGETS=10.1.2.3:80", 'To allow it, set allowTargets: "10.1.2.3:80"'],
  ["Add https://a.test to CORS_ORIGINS", "Add https://a.test to corsOrigins"],
  ["PRIVATE_TARGETS=auto allows that", 'privateTargets: "auto" allows that'],
  ["Set HOSTS=a.test and set PORT=1", 'Set hosts: "a.test" and set port: "1"'],
  [
    "NODE_EXTRA_CA_CERTS=a HTTPS_PROXY JSON X_ALLOW_TARGETS",
    "NODE_EXTRA_CA_CERTS=a HTTPS_PROXY JSON X_ALLOW_TARGETS",
  ],
]))("$text", ({ text, named }) => {
  expect([nameOptions(text, true), nameOptions(text, false)]).toEqual([named, text]);
});

it("names them in all texts of an error, and keeps the rest", () => {
  const details = { setting: "HOSTS=a.test", reason: "RATE_LIMIT", cause: 1, headers: { allow: "GET" } };
  const error = new ProxyError("forbidden", "set HOSTS=a.test", details);
  expect(nameOptionsOf(error, undefined)).toBe(error);
  const { code, message, setting, reason, cause, headers } = nameOptionsOf(error, true);
  expect([code, message, setting, reason, cause, headers]).toEqual([
    "forbidden",
    'set hosts: "a.test"',
    'hosts: "a.test"',
    "rateLimit",
    1,
    { allow: "GET" },
  ]);
});
