/** Sealed answers: all there, and nothing for a browser to act on. @module */
import { describe, expect, it } from "vitest";
import { decodeHead } from "../../../src/core/address/sealed-head.ts";
import { sealResponse } from "../../../src/parts/console/send-page.ts";
import { HEAD_FIELD } from "../../../src/core/http/headers.ts";
import { Fields } from "../../../src/core/http/fields.ts";

const FIELDS: [string, string][] = [
  ["content-type", "text/html"],
  ["content-encoding", "gzip"],
  ["content-length", "4"],
  ["location", "https://b.test/"],
  ["refresh", "0;url=https://evil.test/"],
  ["www-authenticate", "Basic"],
  ["x-note", "caf\u00e9"],
  ["set-cookie", "a=1"],
  ["set-cookie", "b=2"],
];

describe("sealAnswer", () => {
  it("says what this proxy changed, with the lines of the target", () => {
    const received = new Fields([
      ...FIELDS.filter(([name]) => name !== "set-cookie"),
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2; Path=/shop"],
      ["clear-site-data", "*"],
    ]);
    const headers = new Fields([...FIELDS, ["referrer-policy", "no-referrer"]]);
    const { changed } = decodeHead(
      sealResponse({ status: 200, headers, body: null, received }).headers.get(HEAD_FIELD) ?? "",
    ) ?? {};
    expect(changed).toEqual([
      ["set-cookie", ["a=1", "b=2; Path=/shop"]],
      ["clear-site-data", ["*"]],
      ["referrer-policy", []],
    ]);
  });

  it("says that nothing was changed, which is more than saying nothing", () => {
    const headers = new Fields(FIELDS);
    const { changed } = decodeHead(
      sealResponse({ status: 200, headers, body: null, received: headers }).headers.get(HEAD_FIELD) ?? "",
    ) ?? {};
    expect(changed).toEqual([]);
  });
});
