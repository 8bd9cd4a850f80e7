/** Requests as arguments of links, and back. @module */
import { describe as group, expect, it } from "vitest";
import type { FetchArgument } from "../../../src/client/client.ts";
import { describe, draftArgument } from "../../../src/console/builder/fetch-argument.ts";
import { draftRequest, writeBody } from "../../../src/console/builder/fetch-argument.ts";
import { buildRequest } from "../../../src/console/builder/compose-request.ts";
import { rowsOf, typedRows } from "../../support/rows.ts";

const FORM = "application/x-www-form-urlencoded";
const REQUEST = { method: "GET", url: "https://a.test/", headers: [], redirect: "follow" as const };

group("describe", () => {
  it("holds only what differs from the defaults", () =>
    expect(describe(REQUEST)).toEqual({ argument: { url: "https://a.test/" } }));

  it("keeps every line of a repeated name, in another spelling (defect 20)", () => {
    const headers = Array.from({ length: 4 }, (_, at): [string, string] => ["x-a", String(at)]);
    const { argument } = { argument: undefined, ...describe({ ...REQUEST, headers }) };
    const lines = Object.entries(argument?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    expect(lines).toEqual(headers);
    expect(describe({ ...REQUEST, headers: [...headers, ["x-a", "5"]] }).problem)
      .toMatch(/x-a not so many times/);
  });

  it("holds names that every object has", () => {
    const headers: [string, string][] = [["__proto__", "1"], ["constructor", "2"], ["__proto__", "3"]];
    const { argument } = { argument: undefined, ...describe({ ...REQUEST, headers }) };
    expect(Object.entries(argument?.headers ?? {}))
      .toEqual([["__proto__", "1"], ["constructor", "2"], ["__Proto__", "3"]]);
  });

  it("says what fits no argument", () => {
    expect(describe({ ...REQUEST, body: new Blob([]) }).problem).toMatch(/no file/);
    expect(describe({ ...REQUEST, headers: [["1", "a"], ["1", "b"]] }).problem).toMatch(/not so many times/);
  });
});

group("draftArgument", () => {
  it.each(rowsOf(["argument"], [
    [{ url: "https://a.test/" }],
    [{ url: "https://a.test/", method: "POST", headers: { "content-type": FORM }, body: "a=1&b=x+y" }],
    [{ url: "https://a.test/", method: "POST", headers: { "content-type": FORM }, body: "a=%7e" }],
    [{ url: "https://a.test/", method: "POST", body: "plain" }],
    [{ url: "https://a.test/", headers: { "content-type": "application/json" }, body: '"text"' }],
    [{ url: "https://a.test/", headers: { "X-a": "1", "x-a": "2" }, redirect: "manual" as const }],
  ]))("gives back $argument", ({ argument }) => {
    const outcome = buildRequest(draftArgument(argument), { host: null });
    const request = outcome.problem === undefined ? outcome.request : REQUEST;
    expect(describe(request)).toEqual({ argument });
  });

  it("writes a form's object as the proxy does, and shows its fields", () => {
    const draft = draftArgument({
      url: "x",
      headers: { "Content-Type": FORM },
      body: { a: 1, b: ["x y", null], c: { d: 1 } },
    });
    expect(draft).toMatchObject({
      kind: "form",
      fields: [
        { name: "a", value: "1" },
        { name: "b", value: "x y" },
        { name: "b", value: "" },
        { name: "c", value: '{"d":1}' },
      ],
    });
  });

  it("shows the content type that the proxy adds to a value", () =>
    expect(draftArgument({ url: "x", body: { a: 1 } }))
      .toMatchObject({ kind: "json", body: '{"a":1}', headers: [["content-type", "application/json"]] }));

  it("bears with anything", () =>
    expect(draftArgument({ url: 1, headers: "x", method: {} }))
      .toMatchObject({ address: "", method: "GET", headers: [] }));
});

group("draftRequest", () => {
  it.each([
    { about: "bytes that are no text", body: Uint8Array.of(255), kind: "file" },
    { about: "CR, which a text area loses", body: "a\r\nb", kind: "file" },
    { about: "text", body: new TextEncoder().encode("ä"), kind: "raw" },
  ])("takes $about as $kind", ({ body, kind }) => {
    expect(draftRequest({ method: "PUT", url: "x", headers: [], body }).kind).toBe(kind);
  });
});

group("writeBody", () => {
  it.each(
    typedRows<{ argument: FetchArgument; text: string | undefined; headers: Record<string, string> }>([
      "argument",
      "text",
      "headers",
    ], [
      [{ url: "x" }, undefined, {}],
      [{ url: "x", body: "a" }, "a", {}],
      [{ url: "x", body: { a: 1 } }, '{"a":1}', { "content-type": "application/json" }],
      [{ url: "x", body: [1], headers: { "Content-Type": "a/b" } }, "[1]", { "Content-Type": "a/b" }],
      [{ url: "x", body: { a: 1 }, headers: { "content-type": FORM } }, "a=1", { "content-type": FORM }],
    ]),
  )("$argument", ({ argument, text, headers }) => expect(writeBody(argument)).toEqual({ text, headers }));
});
