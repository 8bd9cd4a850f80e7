import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { guardSecrets } from "../../../src/parts/capture/key-guard.ts";
import { readHarBody } from "../../../src/parts/console/har-content.ts";
import { kept } from "../../console/inspector/captures.ts";
import { rowsOf } from "../../support/rows.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";

const JSON_TYPE = "application/json";
const TEXT = '{"name":"Köln"}';

const KEY = KEYS["KEY"] ?? "";
const { secrets } = hooksFor(tableOf({ "api.test": { set: { "x-key": "{{KEY}}" } } }));

describe("readHarBody", () => {
  const BINARY = Uint8Array.of(255, 0, 1);
  const CUT = { ...kept(TEXT), size: 99 };
  const RUNNING = { ...kept(TEXT), isOver: false };
  const HEADS = { base64: "", size: 9, isOver: true };
  const WITHHELD = { ...kept(TEXT), withheld: "it holds a key" };

  const base64 = (text: string, size: number) => ({ size, text, encoding: "base64" });
  const coded = (coding: string) => ({
    ...base64("YWJj", 3),
    comment: `The bytes are still in the coding ${coding}`,
  });
  const MANY = "gzip,gzip,gzip,gzip,gzip,gzip";
  const WHOLE = { size: 16, text: TEXT };

  it.each(rowsOf(["what", "body", "har", "coding", "type", "left"], [
    ["no body", undefined, { size: 0 }],
    ["text", kept(TEXT), WHOLE],
    ["text that is none", kept(BINARY), base64("/wAB", 3)],
    ["another type", kept(TEXT), base64(btoa('{"name":"K\xc3\xb6ln"}'), 16), "", "image/png"],
    ["another charset", kept("a"), base64("YQ==", 1), "", "text/plain; charset=latin1"],
    ...['"UTF-8"', " utf8", "'us-ascii'", '""'].map((charset) =>
      [`the charset ${charset}`, kept("ü"), { size: 2, text: "ü" }, "", `text/x;charset=${charset}`] as const
    ),
    ["a charset that begins so", kept("a"), base64("YQ==", 1), "", "text/plain; charset=utf-80"],
    ["a byte order mark", kept("\ufeffa"), { size: 4, text: "\ufeffa" }, "", "text/plain"],
    ["gzip", kept(gzipSync(TEXT)), WHOLE, "gzip"],
    ["two codings", kept(gzipSync(deflateSync(TEXT))), WHOLE, "deflate, X-GZIP"],
    ["bare deflate", kept(deflateRawSync(TEXT)), WHOLE, "deflate"],
    ["a key of the table", kept(gzipSync(`a ${KEY}`)), { size: 9, text: "a {{KEY}}" }, "gzip"],
    [
      "gzip for which nothing is left",
      kept(TEXT),
      { ...base64(btoa('{"name":"K\xc3\xb6ln"}'), 16), comment: "The bytes are still in the coding gzip" },
      "gzip",
      JSON_TYPE,
      0,
    ],
    ["too many codings", kept("abc"), coded(MANY), MANY],
    ["a coding that nobody knows", kept("abc"), coded("x-own"), "x-own"],
    ["a coding that it does not have", kept("abc"), coded("gzip"), "gzip"],
    ["a body that was cut", CUT, { size: 99, text: TEXT, comment: "Cut: the first 16 of 99 bytes" }],
    ["one that runs", RUNNING, { ...WHOLE, comment: "Not over yet: the first 16 bytes" }],
    ["heads only", HEADS, { size: 9, comment: "Cut: the first 0 of 9 bytes" }],
    ["one that is withheld", WITHHELD, { size: 16, comment: "Not kept: it holds a key" }],
  ]))("$what", async ({ body, type = JSON_TYPE, coding = "", left = 1, har }) => {
    const decoding = { left, guard: guardSecrets(secrets) };
    expect(await readHarBody(body, type, coding, decoding)).toEqual(har);
  });

  it.each([
    { what: "what comes out", bytes: gzipSync(TEXT), coding: "gzip", left: 84 },
    { what: "a bomb", bytes: gzipSync(Buffer.alloc(5_000_000)), coding: "gzip", left: 100 - 4_194_304 },
    { what: "no body without a coding", bytes: TEXT, coding: "", left: 100 },
  ])("counts $what", async ({ bytes, coding, left }) => {
    const decoding = { left: 100 };
    await readHarBody(kept(bytes), JSON_TYPE, coding, decoding);
    expect(decoding.left).toBe(left);
  });
});
