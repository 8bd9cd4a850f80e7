/** The search in bodies: when the proxy is asked, and what the page learns. @module */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readViewer } from "../../../src/console/page/own-requests.ts";
import { openBodySearch } from "../../../src/console/traffic/body-search.ts";
import { parseFilter } from "../../../src/console/traffic/filter.ts";
import { rowsOf } from "../../support/rows.ts";

const asked: [url: string, fields: Record<string, string>][] = [];
let answer: unknown = ["1", "2"];

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  vi.stubGlobal("location", new URL("http://proxy.test/mounted/__proxy__/"));
  vi.stubGlobal("fetch", (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push([url, headers]);
    return Promise.resolve(
      answer === undefined ? new Response(null, { status: 404 }) : Response.json(answer),
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the search in bodies", () => {
  it.each(rowsOf(["about", "given", "learnt"], [
    ["the keys", ["1", "2"], ["1", "2"]],
    ["that there are none", [], []],
    ["that the proxy does not search, by another answer", { bodyBytes: null }, undefined],
    ["that the proxy does not search, by a refusal", undefined, undefined],
  ]))("learns $about, with proof of whose page it is", async ({ given, learnt }) => {
    answer = given;
    const told: unknown[] = [];
    openBodySearch("ticket", (...learnt) => told.push(learnt))(parseFilter('x body:"a b"'));
    await vi.advanceTimersByTimeAsync(300);
    expect(told).toEqual([["a b", learnt]]);
    expect(asked).toEqual([["http://proxy.test/mounted/__proxy__/capture?body=a+b", {
      "x-fetchvia-ticket": "ticket",
      "x-fetchvia-viewer": readViewer(),
    }]]);
  });

  it("waits for the end of typing, asks again, and ends with the term", async () => {
    const search = openBodySearch("ticket", () => {});
    search(parseFilter("body:a"));
    await vi.advanceTimersByTimeAsync(200);
    search(parseFilter("body:ab"));
    await vi.advanceTimersByTimeAsync(300 + 2_000);
    expect(asked.map(([url]) => url.split("?")[1])).toEqual(["body=ab", "body=ab"]);
    search(parseFilter("other"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect([asked.length, vi.getTimerCount()]).toEqual([2, 0]);
  });
});
