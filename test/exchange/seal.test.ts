/**
 * A sealed response: what stands outside, and what the head holds.
 * @module
 */
import { describe, expect, it } from "vitest";
import { decodeHead } from "../../src/address/sealed-head.ts";
import { readTrueHead, sealReply } from "../../src/exchange/seal.ts";
import { Fields } from "../../src/http/fields.ts";
import { HEAD_FIELD } from "../../src/http/headers.ts";
import { tableOf } from "../support/table.ts";

const ORIGIN = new URL("https://a.test");

describe("readTrueHead", () => {
  it("has every field but those that end here", () => {
    const kept: [string, string][] = [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["alt-svc", "clear"]];
    const gone: [string, string][] = [["connection", "x-hop"], ["x-hop", "1"], ["keep-alive", "5"], [
      "proxy-x",
      "1",
    ]];
    const headers = new Fields([...gone, ...kept]);
    expect([...readTrueHead({ headers }, { table: undefined }, ORIGIN)]).toEqual(kept);
  });

  it("hides what the table removes", () => {
    const headers = new Fields([["x-hidden", "1"], ["x-kept", "2"]]);
    const table = tableOf({ "a.test": { answerRemove: ["x-hidden"] } });
    expect([...readTrueHead({ headers }, { table }, ORIGIN)]).toEqual([["x-kept", "2"]]);
  });
});

describe("sealReply", () => {
  const FIELDS: [string, string][] = [["content-encoding", "gzip"], ["content-length", "4"], [
    "location",
    "/x",
  ]];
  const outside = [
    "cache-control",
    "content-security-policy",
    "content-type",
    "x-content-type-options",
    HEAD_FIELD,
  ];

  it.each([
    { about: "a body", body: Uint8Array.of(1, 2, 3, 4), beside: ["content-encoding", "content-length"] },
    { about: "none", body: null, beside: [] },
  ])("shows what is needed to read $about", ({ body, beside }) => {
    const sealed = sealReply({ status: 302, statusText: "Found", headers: new Fields(FIELDS), body }, 200);
    expect([sealed.status, sealed.sealed, sealed.body]).toEqual([200, 302, body]);
    expect([...sealed.headers].map(([name]) => name).sort()).toEqual([...outside, ...beside].sort());
    expect(decodeHead(sealed.headers.get(HEAD_FIELD) ?? "")).toEqual({
      status: 302,
      statusText: "Found",
      headers: FIELDS,
    });
  });

  it("shows no length that is none", () => {
    const headers = new Fields([["content-length", "4"], ["content-length", "5"]]);
    const sealed = sealReply({ status: 200, headers, body: Uint8Array.of(1) }, 200);
    expect(sealed.headers.has("content-length")).toBe(false);
  });
});
