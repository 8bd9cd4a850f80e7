/**
 * The pure parts of the answer: fields, causes, file names, what was on the wire.
 * @module
 */
import { describe, expect, it } from "vitest";
import { listFields } from "../../../../../src/pages/console/browser/answer/answer-fields.ts";
import { readCause } from "../../../../../src/pages/console/browser/answer/cause.ts";
import { endingOf, nameFile } from "../../../../../src/pages/console/browser/answer/file-name.ts";
import { readWire } from "../../../../../src/pages/console/browser/answer/wire.ts";

describe("listFields", () => {
  it("marks what the proxy did, never by the value (defect 8)", () => {
    expect(listFields(
      [
        ["content-type", "text/plain"],
        ["referrer-policy", "no-referrer"],
        ["referrer-policy", "no-referrer"],
        ["set-cookie", "a=1; Path=/"],
        ["set-cookie", "b=2; Path=/proxy"],
      ],
      [
        ["referrer-policy", ["no-referrer"]],
        ["set-cookie", ["a=1; Path=/", "b=2; Path=/"]],
        ["clear-site-data", ['"*"']],
      ],
    )).toEqual([
      { name: "content-type", sent: "text/plain" },
      { name: "referrer-policy", sent: "no-referrer" },
      { name: "referrer-policy", ours: "no-referrer", fate: "added" },
      { name: "set-cookie", sent: "a=1; Path=/" },
      { name: "set-cookie", sent: "b=2; Path=/", ours: "b=2; Path=/proxy", fate: "changed" },
      { name: "clear-site-data", sent: '"*"', fate: "removed" },
    ]);
  });

  it("marks nothing without a list of changes", () => {
    expect(listFields([["proxy-status", "x"]])).toEqual([{ name: "proxy-status", sent: "x" }]);
  });
});

describe("readCause", () => {
  const detailed = (detail: string) => JSON.stringify({ title: "Proxy Error", detail });

  it.each([
    { status: 504, type: "http_response_timeout", headline: /^The target hung/, advice: /TIMEOUT_MS/ },
    { status: 502, type: "connection_refused", headline: /refused the connection/, advice: undefined },
    { status: 400, type: "http_request_error", headline: /cannot be sent/, advice: undefined },
    { status: 429, type: "http_request_denied", headline: /^Too many/, advice: /RATE_LIMIT/ },
    { status: 418, type: "", headline: /did not send/, advice: undefined },
  ])("tells $status $type apart (defect 17)", ({ status, type, headline, advice }) => {
    const cause = readCause(status, `fetchvia; error=${type}`, detailed("Cannot reach a.test: reason"));
    expect(cause.headline).toMatch(headline);
    expect(cause.detail).toBe("Cannot reach a.test: reason");
    expect(cause.advice ?? "").toMatch(advice ?? /^$/);
  });

  it.each([
    {
      detail: "Cannot reach a.test: private. To allow it, set PRIVATE_TARGETS=auto,a.test:80",
      setting: { what: "This setting allows it:", text: "PRIVATE_TARGETS=auto,a.test:80" },
    },
    {
      detail: "Cannot reach a.test: private. Add proxy.test to HOSTS and set PRIVATE_TARGETS=true",
      setting: { what: "To allow it, add to HOSTS:", text: "proxy.test" },
    },
    { detail: "Cannot reach a.test: closed", setting: undefined },
  ])("gives the setting in: $detail", ({ detail, setting }) => {
    expect(readCause(403, "fetchvia; error=destination_ip_prohibited", detailed(detail)).setting).toEqual(
      setting,
    );
  });

  it("names no setting twice, and takes a body that is no JSON", () => {
    const detail = "Cannot read: larger than MAX_REQUEST_BYTES";
    expect(readCause(413, "", detailed(detail)).advice).toBeUndefined();
    expect(readCause(413, "", "oops").detail).toBe("");
  });
});

describe("nameFile", () => {
  const named = (disposition: string) => nameFile([["content-disposition", disposition]], "https://a.test/x");

  it.each([
    { disposition: "attachment; filename=report.pdf", name: "report.pdf" },
    { disposition: 'attachment; filename="a \\"b\\".txt"', name: "a _b_.txt" },
    {
      disposition: "attachment; filename=\"a.txt\"; filename*=UTF-8''%e2%82%ac%20rates.txt",
      name: "€ rates.txt",
    },
    { disposition: "attachment; filename*=iso-8859-1'en'%A3.txt", name: "£.txt" },
    { disposition: 'attachment; filename="K\u00c3\u00b6ln.txt"', name: "Köln.txt" },
    { disposition: 'attachment; filename="../../etc/passwd"', name: "passwd" },
    { disposition: 'attachment; filename="C:\\\\a\\\\b.exe"', name: "b.exe" },
    { disposition: 'attachment; filename="gpj.\u202eexe"', name: "gpj.exe" },
    { disposition: 'attachment; filename=".htaccess"', name: "htaccess" },
    { disposition: "attachment; filename=NUL.txt", name: "_NUL.txt" },
    { disposition: `attachment; filename="${"x".repeat(500)}.json"`, name: `${"x".repeat(115)}.json` },
    { disposition: "inline", name: "x" },
  ])("takes $disposition as $name (defect 25)", ({ disposition, name }) => {
    expect(named(disposition)).toBe(name);
  });

  it.each([
    { url: "https://a.test/users/7", type: "application/json", name: "7.json" },
    { url: "https://a.test/logo.png?x=1", type: "image/png", name: "logo.png" },
    { url: "https://a.test/", type: "text/html; charset=utf-8", name: "answer.html" },
    { url: "https://a.test/a%2Fb%20c", type: "", name: "b c" },
    { url: "https://a.test/%E0%A4%A", type: "", name: "%E0%A4%A" },
    { url: "no address", type: "application/problem+json", name: "answer.json" },
  ])("names $url of $type $name", ({ url, type, name }) => {
    expect(nameFile([["Content-Type", type]], url)).toBe(name);
  });

  it("knows endings by suffix", () => {
    expect([endingOf("application/atom+xml"), endingOf("x/y")]).toEqual(["xml", ""]);
  });
});

describe("readWire", () => {
  it.each([
    { about: "no coding", headers: { "content-length": "5" }, size: 5, seen: 5, wire: { encoding: "" } },
    {
      about: "a coding that the browser took off (defect 26)",
      headers: { "content-encoding": "gzip", "content-length": "64" },
      size: 5_000,
      seen: 0,
      wire: { encoding: "", removed: { encoding: "gzip", bytes: 64 } },
    },
    {
      about: "a stream whose bytes the browser counted",
      headers: { "content-encoding": "br" },
      size: 5_000,
      seen: 70,
      wire: { encoding: "", removed: { encoding: "br", bytes: 70 } },
    },
    {
      about: "a coding that the browser does not know",
      headers: { "content-encoding": "zstd", "content-length": "64" },
      size: 64,
      seen: 64,
      wire: { encoding: "zstd" },
    },
    {
      about: "a length that nobody tells",
      headers: { "content-encoding": "gzip" },
      size: 9,
      seen: 0,
      wire: { encoding: "" },
    },
  ])("knows $about", ({ headers, size, seen, wire }) => {
    expect(readWire(Object.entries(headers), size, seen)).toEqual(wire);
  });
});
