/** What those get who may see all headers of a response. @module */
import { describe, expect, it } from "vitest";
import { readTrueHead, readTrueResponse } from "../../../src/core/way/true-head.ts";
import { decodeAddress } from "../../../src/core/address/address.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
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
    expect([...readTrueHead({ headers }, exchangeOf(), ORIGIN)]).toEqual(kept);
  });

  it("hides what the table removes", () => {
    const headers = new Fields([["x-hidden", "1"], ["x-kept", "2"]]);
    const table = tableOf({ "a.test": { answerRemove: ["x-hidden"] } });
    expect([...readTrueHead({ headers }, { ...exchangeOf(), parts: hooksFor(table) }, ORIGIN)])
      .toEqual([["x-kept", "2"]]);
  });
});

describe("readTrueAnswer", () => {
  const target: Target = { selector: "header", ...decodeAddress("https://a.test/")!, basePath: "" };

  it.each([
    { finalAddress: undefined, told: null },
    { finalAddress: decodeAddress("https://b.test/y"), told: "https://b.test/y" },
  ])("tells the final address $told, whatever the target says", ({ finalAddress, told }) => {
    const headers = new Fields([["x-final-url", "https://evil.test"]]);
    const answer = {
      status: 404,
      statusText: "",
      headers,
      body: null,
      ...(finalAddress && { finalAddress }),
    };
    const reply = readTrueResponse(answer, exchangeOf(), target, true);
    expect([reply.status, reply.headers.get("x-final-url")]).toEqual([404, told]);
  });
});
