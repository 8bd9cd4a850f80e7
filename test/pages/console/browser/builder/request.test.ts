/**
 * The builder's request: from what is typed to the argument, and back.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  buildArgument,
  completeAddress,
  type Draft,
  draftArgument,
  writeBody,
} from "../../../../../src/pages/console/browser/builder/request.ts";

const DRAFT: Draft = {
  method: "GET",
  address: "https://a.test/",
  headers: [],
  kind: "none",
  body: "",
  follow: true,
};
const FORM = "application/x-www-form-urlencoded";

describe("completeAddress", () => {
  it.each([
    { typed: " https://a.test/p?q ", host: null, address: "https://a.test/p?q" },
    { typed: "a.test/p", host: null, address: "https://a.test/p" },
    { typed: "localhost:3000/p", host: null, address: "http://localhost:3000/p" },
    { typed: "127.0.0.1:3000", host: null, address: "http://127.0.0.1:3000" },
    { typed: "/p?q", host: "https://a.test/v1", address: "https://a.test/v1/p?q" },
    { typed: "//evil.test/p", host: "https://a.test", address: "https://a.test//evil.test/p" },
    { typed: "/p", host: null, address: "" },
    { typed: "", host: "https://a.test", address: "" },
    { typed: "ftp://a.test/", host: null, address: "" },
    { typed: "javascript:alert(1)", host: null, address: "" },
    { typed: "https://", host: null, address: "" },
    { typed: "https://a b/", host: null, address: "" },
  ])("$typed (host $host) → $address", ({ typed, host, address }) => {
    expect(completeAddress(typed, host)).toBe(address);
  });
});

describe("buildArgument", () => {
  it.each([
    { about: "only what differs from the defaults", draft: {}, argument: { url: "https://a.test/" } },
    {
      about: "method, headers and redirect",
      draft: { method: "PUT", headers: [["x-a", "1"], ["", "left out"]] as Draft["headers"], follow: false },
      argument: { url: "https://a.test/", method: "PUT", headers: { "x-a": "1" }, redirect: "manual" },
    },
    {
      about: "JSON as a value",
      draft: { kind: "json" as const, body: '{"a":[1,null]}' },
      argument: { url: "https://a.test/", body: { a: [1, null] } },
    },
    {
      about: "a JSON string as text, because a string goes out as it is",
      draft: { kind: "json" as const, body: '"a"' },
      argument: { url: "https://a.test/", body: '"a"', headers: { "content-type": "application/json" } },
    },
    {
      about: "long numbers as text, because a value would change them",
      draft: { kind: "json" as const, body: '{"id":12345678901234567890}' },
      argument: {
        url: "https://a.test/",
        body: '{"id":12345678901234567890}',
        headers: { "content-type": "application/json" },
      },
    },
    {
      about: "a form, one pair on each line",
      draft: { kind: "form" as const, body: "a=1\nb=2\n" },
      argument: { url: "https://a.test/", body: "a=1&b=2", headers: { "content-type": FORM } },
    },
    {
      about: "a form with empty lines and blanks around its pairs",
      draft: { kind: "form" as const, body: "\r\n a=1 \t\r\n\n \n\tb=2 3\n" },
      argument: { url: "https://a.test/", body: "a=1&b=2 3", headers: { "content-type": FORM } },
    },
    {
      about: "a form with 500 KB of blanks in a line",
      draft: { kind: "form" as const, body: `a=1${"\t".repeat(500_000)}2\nb=2` },
      argument: {
        url: "https://a.test/",
        body: `a=1${"\t".repeat(500_000)}2&b=2`,
        headers: { "content-type": FORM },
      },
    },
    {
      about: "raw text",
      draft: { kind: "raw" as const, body: " a " },
      argument: { url: "https://a.test/", body: " a " },
    },
    {
      about: "no body where none is typed",
      draft: { kind: "json" as const, body: " " },
      argument: { url: "https://a.test/" },
    },
  ])("takes $about", ({ draft, argument }) => {
    expect(buildArgument({ ...DRAFT, ...draft }, null)).toEqual({ argument });
  });

  it.each([
    { about: "no address", draft: { address: "" }, problem: /address/ },
    { about: "a method that is none", draft: { method: "GE T" }, problem: /method/ },
    {
      about: "a header name that is none",
      draft: { headers: [["x a", "1"]] as Draft["headers"] },
      problem: /x a/,
    },
    {
      about: "a header twice",
      draft: { headers: [["a", "1"], ["A", "2"]] as Draft["headers"] },
      problem: /twice/,
    },
    { about: "JSON that is none", draft: { kind: "json" as const, body: "{" }, problem: /no JSON/ },
  ])("says what is wrong: $about", ({ draft, problem }) => {
    expect(buildArgument({ ...DRAFT, ...draft }, null)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

describe("draftArgument", () => {
  it.each([
    { argument: { url: "https://a.test/" } },
    {
      argument: {
        url: "https://a.test/",
        method: "POST",
        headers: { "x-a": "1" },
        body: { a: [1] },
        redirect: "manual" as const,
      },
    },
    {
      argument: {
        url: "https://a.test/",
        method: "POST",
        headers: { "content-type": FORM },
        body: "a=1&b=2",
      },
    },
    { argument: { url: "https://a.test/", method: "POST", body: "plain" } },
    { argument: { url: "https://a.test/", headers: { "content-type": "application/json" }, body: '"text"' } },
  ])("gives back $argument", ({ argument }) => {
    expect(buildArgument(draftArgument(argument), null)).toEqual({ argument });
  });

  it("writes a form's object as the proxy does", () => {
    const draft = draftArgument({
      url: "x",
      headers: { "Content-Type": FORM },
      body: { a: 1, b: ["x y", null], c: { d: 1 } },
    });
    expect(draft).toMatchObject({ kind: "form", body: "a=1&b=x+y&b=&c=%7B%22d%22%3A1%7D" });
  });

  it("bears with anything", () => {
    expect(draftArgument({ url: 1, headers: "x", method: {} })).toMatchObject({
      address: "",
      method: "GET",
      headers: [],
    });
  });
});

describe("writeBody", () => {
  it.each([
    { argument: { url: "x" }, text: undefined, headers: {} },
    { argument: { url: "x", body: "a" }, text: "a", headers: {} },
    {
      argument: { url: "x", body: { a: 1 } },
      text: '{"a":1}',
      headers: { "content-type": "application/json" },
    },
    {
      argument: { url: "x", body: [1], headers: { "Content-Type": "a/b" } },
      text: "[1]",
      headers: { "Content-Type": "a/b" },
    },
  ])("$argument", ({ argument, text, headers }) => {
    expect(writeBody(argument)).toEqual({ text, headers });
  });
});
