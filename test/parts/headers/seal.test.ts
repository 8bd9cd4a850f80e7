/** A sealed response: what stands outside, and what the head holds. @module */
import { describe, expect, it } from "vitest";
import { readTrueHead, sealReply } from "../../../src/parts/headers/seal.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { NO_HOOKS } from "../../../src/core/exchange/hooks.ts";
import { hooksFor, tableOf } from "../../support/table.ts";

const ORIGIN = new URL("https://a.test");

describe("readTrueHead", () => {
  it("has every field but those that end here", () => {
    const kept: [string, string][] = [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["alt-svc", "clear"]];
    const gone: [string, string][] = [["connection", "x-hop"], ["x-hop", "1"], ["keep-alive", "5"], [
      "proxy-x",
      "1",
    ]];
    const headers = new Fields([...gone, ...kept]);
    expect([...readTrueHead({ headers }, { parts: NO_HOOKS }, ORIGIN)]).toEqual(kept);
  });

  it("hides what the table removes", () => {
    const headers = new Fields([["x-hidden", "1"], ["x-kept", "2"]]);
    const table = tableOf({ "a.test": { answerRemove: ["x-hidden"] } });
    expect([...readTrueHead({ headers }, { parts: hooksFor(table) }, ORIGIN)]).toEqual([["x-kept", "2"]]);
  });
});

describe("sealReply", () => {
  it("shows no length that is none", () => {
    const headers = new Fields([["content-length", "4"], ["content-length", "5"]]);
    const sealed = sealReply({ status: 200, headers, body: Uint8Array.of(1) }, 200);
    expect(sealed.headers.has("content-length")).toBe(false);
  });
});
