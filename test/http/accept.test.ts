/**
 * Who gets the page: browsers, and nobody who likes JSON better.
 * @module
 */
import { describe, expect, it } from "vitest";
import { prefersHtml } from "../../src/http/accept.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

describe("prefersHtml", () => {
  it.each([
    { accept: BROWSER, prefers: true },
    { accept: "text/html", prefers: true },
    { accept: "TEXT/HTML", prefers: true },
    { accept: " text/html ; q=0.9 , */* ; q=0.8", prefers: true },
    { accept: "text/html;charset=utf-8", prefers: true },
    { accept: "application/json;q=0.5, text/html", prefers: true },
    { accept: "text/html;q=0.001", prefers: true },
    { accept: null, prefers: false },
    { accept: "", prefers: false },
    { accept: "*/*", prefers: false },
    { accept: "application/json", prefers: false },
    { accept: "application/json, text/html;q=0.9", prefers: false },
    { accept: "text/html;q=0.5, application/json;q=0.6", prefers: false },
    { accept: "application/json, text/html", prefers: false },
    { accept: "text/html;q=0", prefers: false },
    { accept: "text/html;q=0.5, */*;q=0.8", prefers: false },
    { accept: "text/html;q=x", prefers: false },
    { accept: "text/htmlx", prefers: false },
    { accept: "x-text/html", prefers: false },
    { accept: "text/plain, */*;q=0.1", prefers: false },
    { accept: ",;,;q=1", prefers: false },
  ])("$accept: $prefers", ({ accept, prefers }) => {
    expect(prefersHtml(accept)).toBe(prefers);
  });
});
