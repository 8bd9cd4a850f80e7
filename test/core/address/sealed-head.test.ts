/** The head of a response as text for a header field. */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import { decodeHead, encodeHead, type SealedHead } from "../../../src/core/address/sealed-head.ts";
import { rowsOf } from "../../support/rows.ts";

const HEAD: SealedHead = {
  status: 302,
  statusText: "Found",
  headers: [["set-cookie", "a=1; HttpOnly"], ["set-cookie", "b=2"], ["x-note", 'caf\u00e9 \u0080\u00ff\t"']],
};

describe("a head", () => {
  it("comes back as it was", () => expect(decodeHead(encodeHead(HEAD))).toEqual(HEAD));

  it.each(rowsOf(["about", "changed"], [
    ["what was changed", [["set-cookie", ["a=1"]], ["x-added", []]] as SealedHead["changed"]],
    ["that nothing was", []],
  ]))("tells $about", ({ changed }) => {
    expect(decodeHead(encodeHead({ ...HEAD, changed }))).toEqual({ ...HEAD, changed });
  });

  it.each([{ changed: "all" }, { changed: [["a", "b"]] }, { changed: [["a", [1]]] }, {
    changed: [["a", [], []]],
  }])(
    "comes without $changed, which is no list of changes",
    ({ changed }) => expect(decodeHead(encodeArg({ ...HEAD, changed }))).toEqual(HEAD),
  );

  it("is written in letters that every header field may have", () =>
    expect(encodeHead(HEAD)).toMatch(/^[\w-]+$/));

  it.each([
    { about: "nothing", text: "" },
    { about: "no Base64", text: "*" },
    { about: "another object", text: encodeArg({ url: "http://a.test/" }) },
    { about: "no status", text: encodeArg({ ...HEAD, status: "200" }) },
    { about: "a field of three parts", text: encodeArg({ ...HEAD, headers: [["a", "b", "c"]] }) },
    { about: "a value that is no text", text: encodeArg({ ...HEAD, headers: [["a", 1]] }) },
  ])("is not read from $about", ({ text }) => expect(decodeHead(text)).toBeUndefined());
});
