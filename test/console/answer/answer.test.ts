/** The pure parts of the answer: fields, causes, file names, what was on the wire. @module */
import { describe, expect, it } from "vitest";
import { endingOf, listFields, nameFile, readWire } from "../../../src/console/answer/answer-fields.ts";
import { readCause } from "../../../src/console/answer/answer-notes.ts";
import { rowsOf } from "../../support/rows.ts";

describe("listFields", () => {
  const listAll = (...given: Parameters<typeof listFields>) =>
    listFields(...given).map(({ state, before, after }) => [state, before?.[1], after?.[1]]);

  it("marks what the proxy did, never by the value (defect 8)", () =>
    expect(listAll(
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
      ["same", "text/plain", "text/plain"],
      ["same", "no-referrer", "no-referrer"],
      ["added", undefined, "no-referrer"],
      ["same", "a=1; Path=/", "a=1; Path=/"],
      ["changed", "b=2; Path=/", "b=2; Path=/proxy"],
      ["removed", '"*"', undefined],
    ]));

  it("marks nothing without a list of changes", () =>
    expect(listAll([["proxy-status", "x"]])).toEqual([["same", "x", "x"]]));
});

describe("readCause", () => {
  const detailed = (detail: string) => JSON.stringify({ title: "Proxy Error", detail });

  it.each(rowsOf(["status", "type", "headline", "advice"], [
    [504, "http_response_timeout", /^The target hung/, /TIMEOUT_MS/],
    [502, "connection_refused", /refused the connection/, undefined],
    [403, "destination_ip_prohibited", /^Not allowed: the proxy may/, undefined],
    [400, "http_request_error", /cannot be sent/, undefined],
    [429, "http_request_denied", /^Too many/, undefined],
    [418, "", /did not send/, undefined],
  ]))("tells $status $type apart (defect 17)", ({ status, type, headline, advice }) => {
    const cause = readCause(status, `fetchvia; error=${type}`, detailed("Cannot reach a.test: reason"));
    expect(cause.headline).toMatch(headline);
    expect(cause.detail).toBe("Cannot reach a.test: reason");
    expect(cause.advice ?? "").toMatch(advice ?? /^$/);
  });

  it.each(rowsOf(["detail", "what", "text"], [
    [
      "To allow it, set PRIVATE_TARGETS=auto,a.test:80",
      "This setting allows it:",
      "PRIVATE_TARGETS=auto,a.test:80",
    ],
    ["Add proxy.test to HOSTS and set PRIVATE_TARGETS=true", "To allow it, add to HOSTS:", "proxy.test"],
  ]))("gives the setting in: $detail", ({ detail, ...setting }) => {
    const body = detailed(`Cannot reach a.test: private. ${detail}`);
    expect(readCause(403, "fetchvia; error=destination_ip_prohibited", body).setting).toEqual(setting);
  });

  it("gives none where the detail names none", () => {
    const body = detailed("Cannot reach a.test: closed");
    expect(readCause(403, "fetchvia; error=destination_ip_prohibited", body).setting).toBeUndefined();
  });

  it("names no setting twice, and takes a body that is no JSON", () => {
    expect(readCause(413, "", detailed("Cannot read: larger than MAX_REQUEST_BYTES")).advice).toBeUndefined();
    expect(readCause(413, "", "oops").detail).toBe("");
  });
});

describe("nameFile", () => {
  const named = (disposition: string) => nameFile([["content-disposition", disposition]], "https://a.test/x");

  it.each(rowsOf(["disposition", "name"], [
    ["filename=report.pdf", "report.pdf"],
    ['filename="a \\"b\\".txt"', "a _b_.txt"],
    ["filename=\"a.txt\"; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"],
    ["filename*=iso-8859-1'en'%A3.txt", "£.txt"],
    ['filename="K\u00c3\u00b6ln.txt"', "Köln.txt"],
    ['filename="../../etc/passwd"', "passwd"],
    ['filename="C:\\\\a\\\\b.exe"', "b.exe"],
    ['filename="gpj.\u202eexe"', "gpj.exe"],
    ['filename=".htaccess"', "htaccess"],
    ["filename=NUL.txt", "_NUL.txt"],
    [`filename="${"x".repeat(500)}.json"`, `${"x".repeat(115)}.json`],
  ]))("takes $disposition as $name (defect 25)", ({ disposition, name }) => {
    expect(named(`attachment; ${disposition}`)).toBe(name);
  });

  it("takes the end of the address where no name is given", () => expect(named("inline")).toBe("x"));

  it.each([
    { url: "https://a.test/users/7", type: "application/json", name: "7.json" },
    { url: "https://a.test/logo.png?x=1", type: "image/png", name: "logo.png" },
    { url: "https://a.test/", type: "text/html; charset=utf-8", name: "response.html" },
    { url: "https://a.test/a%2Fb%20c", type: "", name: "b c" },
    { url: "https://a.test/%E0%A4%A", type: "", name: "%E0%A4%A" },
    { url: "no address", type: "application/problem+json", name: "response.json" },
    { url: "no address", type: "constructor", name: "response" },
    { url: "no address", type: "__proto__", name: "response" },
  ])("names $url of $type $name", ({ url, type, name }) => {
    expect(nameFile([["Content-Type", type]], url)).toBe(name);
  });

  it("knows endings by suffix", () =>
    expect([endingOf("application/atom+xml"), endingOf("x/y")]).toEqual(["xml", ""]));
});

it.each(rowsOf(["about", "coding", "length", "size", "seen", "wire"], [
  ["no coding", undefined, "5", 5, 5, { encoding: "" }],
  ["a coding that the browser took off (defect 26)", "gzip", "64", 5_000, 0, {
    encoding: "",
    removed: { encoding: "gzip", bytes: 64 },
  }],
  ["a stream whose bytes the browser counted", "br", undefined, 5_000, 70, {
    encoding: "",
    removed: { encoding: "br", bytes: 70 },
  }],
  ["a coding that the browser does not know", "zstd", "64", 64, 64, { encoding: "zstd" }],
  ["a length that nobody tells", "gzip", undefined, 9, 0, { encoding: "" }],
]))("readWire knows $about", ({ coding, length, size, seen, wire }) => {
  const headers: [string, string][] = [
    ...(coding === undefined ? [] : [["content-encoding", coding] as [string, string]]),
    ...(length === undefined ? [] : [["content-length", length] as [string, string]]),
  ];
  expect(readWire(headers, size, seen)).toEqual(wire);
});
