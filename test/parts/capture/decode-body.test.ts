/** Bodies without their content codings: by the platform's streams, and by the process's own way. @module */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeBody } from "../../../src/parts/capture/decode-body.ts";
import { guardSecrets } from "../../../src/parts/capture/key-guard.ts";
import { decompress } from "../../../src/runtimes/process/decompress.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";

const TEXT = '{"name":"Köln"}';
const LONG = TEXT.repeat(9_000);
const KEY = KEYS["KEY"] ?? "";
const { secrets } = hooksFor(tableOf({ "api.test": { set: { "x-key": "{{KEY}}" } } }));
const GUARD = guardSecrets(secrets);
const WAYS = [{ way: "the platform's", decompress: undefined }, { way: "the process's", decompress }];

describe.each(WAYS)("$way way", ({ decompress }) => {
  it.each([
    { coding: "gzip", bytes: gzipSync(TEXT) },
    { coding: " X-GZIP , identity", bytes: gzipSync(TEXT) },
    { coding: "deflate", bytes: deflateSync(TEXT) },
    { coding: "deflate", bytes: deflateRawSync(TEXT) },
    { coding: "deflate, gzip", bytes: gzipSync(deflateSync(TEXT)) },
    { coding: "", bytes: Buffer.from(TEXT) },
  ])("undoes $coding", async ({ coding, bytes }) => {
    const decoded = await decodeBody(new Uint8Array(bytes), coding, { decompress });
    expect(new TextDecoder().decode(decoded)).toBe(TEXT);
  });

  it("takes at most five codings", async () => {
    const layers = (count: number) =>
      Array.from({ length: count }).reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from(TEXT));
    const decode = (count: number) =>
      decodeBody(new Uint8Array(layers(count)), "gzip,".repeat(count), { decompress });
    expect(new TextDecoder().decode(await decode(5))).toBe(TEXT);
    expect(await decode(6)).toBeUndefined();
  });

  it.each([
    { about: "whole", sent: `a ${KEY} b`, isCut: false, shown: "a {{KEY}} b" },
    { about: "cut inside a key", sent: `a ${KEY.slice(0, -3)}`, isCut: true, shown: "a {{KEY}}" },
  ])("shows no key of a body that is $about", async ({ sent, isCut, shown }) => {
    const bytes = new Uint8Array(gzipSync(sent));
    const decoded = await decodeBody(bytes, "gzip", { isCut, decompress, guard: GUARD });
    expect(new TextDecoder().decode(decoded)).toBe(shown);
  });

  it("gives what there is of a body that was cut", async () => {
    const half = new Uint8Array(gzipSync(LONG, { level: 0 }).subarray(0, 70_000));
    const decoded = await decodeBody(half, "gzip", { isCut: true, decompress });
    expect(LONG.startsWith(new TextDecoder().decode(decoded).replace(/\ufffd$/, ""))).toBe(true);
    expect(decoded?.length).toBeGreaterThan(1_000);
    expect(await decodeBody(half, "gzip", { decompress })).toBeUndefined();
  });

  it("gives up on a bomb and on other bytes", async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(5_000_000)));
    expect(await decodeBody(bomb, "gzip", { decompress })).toBeUndefined();
    expect(await decodeBody(new Uint8Array(9), "gzip", { decompress })).toBeUndefined();
  });

  it.each([
    { coding: "x-own" },
    { coding: "gzip, x-own" },
    { coding: "constructor" },
    { coding: "__proto__, gzip" },
    { coding: "gzip;q=1" },
    { coding: '"gzip' },
    { coding: "\u00e9" },
    { coding: "gzip,".repeat(1_000) },
  ])(
    "gives up on a coding that nobody knows: $coding",
    async ({ coding }) =>
      expect(await decodeBody(new Uint8Array(gzipSync(TEXT)), coding, { decompress })).toBeUndefined(),
  );
});

it("undoes br, whole or cut, by the process's own way", async () => {
  const bytes = new Uint8Array(brotliCompressSync(LONG));
  expect(new TextDecoder().decode(await decodeBody(bytes, "br", { decompress }))).toBe(LONG);
  const cut = await decodeBody(bytes.subarray(0, bytes.length - 2), "br", { isCut: true, decompress });
  expect(LONG.startsWith(new TextDecoder().decode(cut).slice(0, 100))).toBe(true);
});
