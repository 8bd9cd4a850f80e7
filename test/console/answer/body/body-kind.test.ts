/** Which views a body has, its state while it grows, and its codings. @module */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createDecoder, isTextual, listViews } from "../../../../src/console/answer/body/body-kind.ts";
import { BodyState } from "../../../../src/console/answer/body/body-state.ts";
import { decodeBody, MAX_DECODED_BYTES } from "../../../../src/console/answer/body/decoding.ts";
import { readCodings } from "../../../../src/parts/capture/decode-body.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const copyOf = (bytes: Uint8Array) => Uint8Array.from(bytes);

describe("listViews", () => {
  it.each([
    { type: "application/json", body: "{}", views: "Pretty Raw Hex" },
    { type: "application/problem+json; charset=utf-8", body: '{"a":1}', views: "Pretty Raw Hex" },
    { type: "application/json", body: "<html>", views: "Raw Pretty Hex" },
    { type: "application/x-ndjson", body: '{"a":1}\n{"a":2}\n', views: "Pretty Raw Hex" },
    { type: "", body: ' {"a":1}', views: "Pretty Raw Hex" },
    { type: "text/plain", body: "[info] started", views: "Raw Hex" },
    { type: "text/html", body: "<p>", views: "Preview Raw Hex" },
    { type: "image/svg+xml", body: "<svg>", views: "Preview Raw Hex" },
    { type: "image/png", body: "\x89PNG", views: "Preview Hex Raw" },
    { type: "application/octet-stream", body: "text", views: "Hex Raw" },
    { type: "", body: "\0\x01", views: "Hex Raw" },
    { type: "text/event-stream", body: "data: {}", views: "Events Raw Hex" },
    { type: "application/x-www-form-urlencoded", body: "a=1", views: "Form Raw Hex" },
  ])("gives $type $body the views $views", ({ type, body, views }) => {
    expect(listViews(type, encode(body), () => body).join(" ")).toBe(views);
  });

  it("knows text by its bytes where the type says nothing", () =>
    expect([isTextual("", encode("a\tb\r\n")), isTextual("x/y", Uint8Array.of(7))]).toEqual([true, false]));

  it("reads the charset that the type names, and UTF-8 otherwise", () => {
    expect(createDecoder('text/plain; charset="iso-8859-1"').encoding).toBe("windows-1252");
    expect(createDecoder("text/plain; charset=nonsense").encoding).toBe("utf-8");
  });
});

describe("BodyState", () => {
  it("decodes what is new, and a character when its last byte is there", () => {
    const state = new BodyState("text/plain");
    const bytes = encode("aü");
    state.update(bytes.subarray(0, 2), { isRunning: true, isWhole: false });
    expect(state.readText()).toBe("a");
    state.update(bytes, { isRunning: true, isWhole: false });
    expect(state.readText()).toBe("aü");
    state.update(bytes, { isRunning: false, isWhole: true });
    expect([state.readText(), state.content.isWhole]).toEqual(["aü", true]);
  });

  it.each([
    { about: "more of it", next: "abcd", is: true },
    { about: "the same", next: "abc", is: true },
    { about: "less of it", next: "ab", is: false },
    { about: "another one", next: "abxd", is: false },
  ])("knows $about", ({ next, is }) => {
    const state = new BodyState("");
    state.update(encode("abc"), { isRunning: true, isWhole: false });
    expect(state.isContinuedBy(encode(next))).toBe(is);
  });
});

describe("decodeBody", () => {
  const text = "a text that is packed ".repeat(2_000);

  it.each([
    { encoding: "gzip", bytes: gzipSync(text) },
    { encoding: "deflate", bytes: deflateSync(text) },
    { encoding: "deflate", bytes: deflateRawSync(text) },
    { encoding: "identity, X-Gzip", bytes: gzipSync(text) },
    { encoding: "deflate, gzip", bytes: gzipSync(deflateSync(text)) },
    { encoding: "", bytes: Buffer.from(text) },
  ])("takes $encoding off", async ({ encoding, bytes }) => {
    const decoded = await decodeBody(copyOf(bytes), encoding);
    expect([new TextDecoder().decode(decoded.bytes), decoded.problem]).toEqual([text, undefined]);
  });

  it("gives the beginning of one that is cut off", async () => {
    const random = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * index * 31) % 251));
    const packed = gzipSync(random);
    const decoded = await decodeBody(copyOf(packed.subarray(0, packed.length - 9)), "gzip");
    expect(decoded.problem).toMatch(/^The gzip ends early/);
    expect(decoded.bytes.length).toBeGreaterThan(1_000);
    expect(Buffer.from(decoded.bytes).equals(random.subarray(0, decoded.bytes.length))).toBe(true);
  });

  it.each([
    { encoding: "gzip", bytes: Buffer.from("no gzip"), problem: /^It is no gzip/ },
    { encoding: "compress", bytes: Buffer.from("x"), problem: /cannot decode compress/ },
    { encoding: "constructor", bytes: Buffer.from("x"), problem: /cannot decode constructor/ },
    { encoding: "__proto__", bytes: Buffer.from("x"), problem: /cannot decode __proto__/ },
    { encoding: "aes128gcm", bytes: brotliCompressSync("x"), problem: /cannot decode aes128gcm/ },
  ])("leaves bytes as they came that are not $encoding or unknown", async ({ encoding, bytes, problem }) => {
    const decoded = await decodeBody(copyOf(bytes), encoding);
    expect(Buffer.from(decoded.bytes).equals(bytes)).toBe(true);
    expect(decoded.problem).toMatch(problem);
  });

  it("stops at its limit, however much a few bytes become", async () => {
    const decoded = await decodeBody(copyOf(gzipSync(Buffer.alloc(MAX_DECODED_BYTES * 3))), "gzip");
    expect(decoded.problem).toMatch(/only its beginning/);
    expect(decoded.bytes.length).toBeLessThan(MAX_DECODED_BYTES * 2);
  });

  it("knows codings in any case", () => expect(readCodings(" GZIP , identity,br")).toEqual(["gzip", "br"]));
});
