import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeBody, readHarBody } from "../../../src/pages/console/har-content.ts";
import { kept } from "./browser/inspector/captures.ts";

const JSON_TYPE = "application/json";
const TEXT = '{"name":"Köln"}';
const LONG = TEXT.repeat(9_000);

describe("readHarBody", () => {
  const BINARY = Uint8Array.of(255, 0, 1);
  const CUT = { ...kept(TEXT), size: 99 };

  it.each([
    { what: "no body", body: undefined, har: { size: 0 } },
    { what: "text", body: kept(TEXT), har: { size: 16, text: TEXT } },
    { what: "text that is none", body: kept(BINARY), har: { size: 3, text: "/wAB", encoding: "base64" } },
    {
      what: "another type",
      body: kept(TEXT),
      type: "image/png",
      har: { size: 16, text: btoa('{"name":"K\xc3\xb6ln"}'), encoding: "base64" },
    },
    {
      what: "another charset",
      body: kept("a"),
      type: "text/plain; charset=latin1",
      har: { size: 1, text: "YQ==", encoding: "base64" },
    },
    {
      what: "a byte order mark",
      body: kept("\ufeffa"),
      type: "text/plain",
      har: { size: 4, text: "\ufeffa" },
    },
    { what: "gzip", body: kept(gzipSync(TEXT)), coding: "gzip", har: { size: 16, text: TEXT } },
    {
      what: "two codings",
      body: kept(gzipSync(deflateSync(TEXT))),
      coding: "deflate, X-GZIP",
      har: { size: 16, text: TEXT },
    },
    {
      what: "bare deflate",
      body: kept(deflateRawSync(TEXT)),
      coding: "deflate",
      har: { size: 16, text: TEXT },
    },
    {
      what: "a coding that nobody knows",
      body: kept("abc"),
      coding: "x-own",
      har: { size: 3, text: "YWJj", encoding: "base64", comment: "The bytes are still in the coding x-own" },
    },
    {
      what: "a coding that it does not have",
      body: kept("abc"),
      coding: "gzip",
      har: { size: 3, text: "YWJj", encoding: "base64", comment: "The bytes are still in the coding gzip" },
    },
    {
      what: "a body that was cut",
      body: CUT,
      har: { size: 99, text: TEXT, comment: "Cut: the first 16 of 99 bytes" },
    },
    {
      what: "one that runs",
      body: { ...kept(TEXT), isOver: false },
      har: { size: 16, text: TEXT, comment: "Not over yet: the first 16 bytes" },
    },
    {
      what: "heads only",
      body: { base64: "", size: 9, isOver: true },
      har: { size: 9, comment: "Cut: the first 0 of 9 bytes" },
    },
    {
      what: "one that is withheld",
      body: { ...kept(TEXT), withheld: "it holds a key" },
      har: { size: 16, comment: "Not kept: it holds a key" },
    },
  ])("$what", async ({ body, type = JSON_TYPE, coding = "", har }) => {
    expect(await readHarBody(body, type, coding)).toEqual(har);
  });
});

describe("decodeBody", () => {
  it("gives what there is of a body that was cut", async () => {
    const half = new Uint8Array(gzipSync(LONG, { level: 0 }).subarray(0, 70_000));
    const decoded = await decodeBody(half, "gzip", true);
    expect(LONG.startsWith(new TextDecoder().decode(decoded).replace(/\ufffd$/, ""))).toBe(true);
    expect(decoded?.length).toBeGreaterThan(1_000);
    expect(await decodeBody(half, "gzip")).toBeUndefined();
  });

  it("gives up on a bomb", async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(20_000_000)));
    expect(await decodeBody(bomb, "gzip")).toBeUndefined();
  });
});
