/**
 * Framing of answers: the body is the same in whatever pieces it comes, and what can be read in two ways is refused.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Fields } from "../../../src/core/http/fields.ts";
import { createDecoder, isBodiless, readFraming } from "../../../src/wire/codec/framing.ts";

type FieldList = [name: string, value: string][];

function decoderOf(fields: FieldList, { method = "GET", status = 200 } = {}) {
  const framing = readFraming(new Fields(fields));
  return createDecoder(isBodiless({ status }, method) ? 0 : framing);
}

/** The body in pieces of so many bytes, and what is left behind it. */
function decode(fields: FieldList, text: string, size: number) {
  const decoder = decoderOf(fields);
  const bytes = Buffer.from(text, "latin1");
  const taken: string[] = [];
  let lastCount = 0;
  let rest = "";
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    if (decoder.isOver) rest += piece.toString("latin1");
    else {
      rest += decoder.decode(piece, (chunk, isLast) => {
        taken.push(Buffer.from(chunk).toString("latin1"));
        lastCount += Number(isLast);
      }).toString("latin1");
    }
  }
  return { body: taken.join(""), rest, isOver: decoder.isOver, lastCount };
}

const LENGTH: FieldList = [["content-length", "5"]];
const CHUNKED: FieldList = [["transfer-encoding", "Chunked"]];
const SIZES = [{ size: 1 }, { size: 2 }, { size: 3 }, { size: 7 }, { size: 1_000 }];

/** A chunk whose line ends so. */
const unreadable = (extension: string) => ({ text: `5${extension}\r\nhello\r\n0\r\n\r\n` });

describe.each(SIZES)("a body in pieces of $size", ({ size }) => {
  it("ends with its length", () => {
    expect(decode(LENGTH, "hello", size)).toEqual({ body: "hello", rest: "", isOver: true, lastCount: 1 });
    expect(decode(LENGTH, "helloHTTP", size))
      .toEqual({ body: "hello", rest: "HTTP", isOver: true, lastCount: 1 });
    expect(decode(LENGTH, "hell", size)).toMatchObject({ body: "hell", isOver: false, lastCount: 0 });
  });

  it.each([
    { text: "5\r\nhello\r\n0\r\n\r\n", body: "hello" },
    { text: "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", body: "hello" },
    { text: "005\r\nhello\r\n000\r\n\r\n", body: "hello" },
    { text: "0000000000005\r\nhello\r\n00000000000000\r\n\r\n", body: "hello" },
    { text: `${"0".repeat(8_000)}5;x\r\nhello\r\n${"0".repeat(8_000)}\r\n\r\n`, body: "hello" },
    { text: "1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n", body: "abcdefghijklmnopqrstuvwxyz" },
    { text: "a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", body: "01234567890123456789" },
    { text: '5;a="b\x80 ;\t"\r\nhello\r\n0;x\r\n\r\n', body: "hello" },
    { text: '2;c\r\nhe\r\n3;a=b;c="";d="\\"\\\\";e\r\nllo\r\n0\r\n\r\n', body: "hello" },
    { text: "5;!#$%&'*+-.^_`|~09azAZ=!#$%&'*+-.^_`|~\r\nhello\r\n0\r\n\r\n", body: "hello" },
    { text: `0\r\n${"a:\r\n".repeat(1_000)}\r\n`, body: "" },
    { text: "5\r\nhello\r\n0\r\nX-Sum: 1\r\nX-B: 2\r\n\r\n", body: "hello" },
    { text: "2\r\n\r\n\r\n0\r\n\r\n", body: "\r\n" },
    { text: "0\r\n\r\n", body: "" },
  ])("ends with its last chunk: $text", ({ text, body }) => {
    expect(decode(CHUNKED, `${text}HTTP`, size)).toMatchObject({ body, rest: "HTTP", isOver: true });
    expect(decode(CHUNKED, text.slice(0, -1), size)).toMatchObject({ isOver: false });
  });

  it.each([
    { text: "\r\nhello" },
    { text: "g\r\nhello\r\n0\r\n\r\n" },
    { text: "5\nhello\r\n0\r\n\r\n" },
    { text: "-5\r\nhello\r\n0\r\n\r\n" },
    { text: "0x5\r\nhello\r\n0\r\n\r\n" },
    { text: "5\r\nhelloo\r\n0\r\n\r\n" },
    { text: "5\r\nhello\n0\r\n\r\n" },
    { text: "5 5\r\nhello\r\n0\r\n\r\n" },
    { text: "5 \r\nhello\r\n0\r\n\r\n" },
    { text: "5\t\r\nhello\r\n0\r\n\r\n" },
    ...[";", ";;a", ";a;", ";=b", ";a=", ";a=;b", " ;a", "; a", ";a ", ";a =b", ";a= b", ";a\t;b"].map(
      unreadable,
    ),
    ...[';a="b', ';a="b"c', ';a=b"', ';a="\\', ';a="b\x7f"', ';"a"', ";a=b=c", ";a,b", ";\x80"].map(
      unreadable,
    ),
    { text: "5;\x01\r\nhello\r\n0\r\n\r\n" },
    { text: "5;a\x7f\r\nhello\r\n0\r\n\r\n" },
    { text: "5;a\nhello\r\n0\r\n\r\n" },
    { text: "5;a\r\nhello\r0\r\n\r\n" },
    { text: `5;${"x".repeat(9_000)}\r\nhello\r\n0\r\n\r\n` },
    { text: `0\r\n${"a:\r\n".repeat(1_001)}\r\n` },
    { text: "fffffffffffff\r\n" },
    { text: "0fffffffffffff\r\n" },
    { text: `${"0".repeat(9_000)}5\r\nhello\r\n0\r\n\r\n` },
    { text: `${"0".repeat(8_000)}g\r\nhello\r\n0\r\n\r\n` },
    { text: `5;${"x".repeat(9_000)}\r\nhello\r\n0\r\n\r\n` },
    { text: `0\r\n${"X-Trailer: many\r\n".repeat(5_000)}\r\n` },
    { text: "0\r\nX: 1\n\r\n" },
    { text: "0\r\nX : 1\r\n\r\n" },
    { text: "0\r\nX: \x01\r\n\r\n" },
    { text: "0\r\nX: 1\r\n 2\r\n\r\n" },
  ])("is refused: $text", ({ text }) => {
    expect(() => decode(CHUNKED, text, size)).toThrow(/^malformed response: /);
  });

  it.each([
    { text: "0\r\nX-Sum: 1\r\nx-b:  2 \r\n\r\n", trailers: [["x-sum", "1"], ["x-b", "2"]] },
    { text: "0\r\n\r\n", trailers: undefined },
  ])("ends with its trailers: $text", ({ text, trailers }) => {
    const decoder = decoderOf(CHUNKED);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += size) decoder.decode(bytes.subarray(at, at + size), () => {});
    expect(decoder.trailers && [...decoder.trailers]).toEqual(trailers);
  });

  it("ends with the connection where nothing says how long it is", () => {
    expect(decode([], "hello", size)).toEqual({ body: "hello", rest: "", isOver: false, lastCount: 0 });
    expect(decoderOf([]).endsWithConnection).toBe(true);
    expect(decoderOf(LENGTH).endsWithConnection).toBe(false);
    expect(decoderOf(CHUNKED).endsWithConnection).toBe(false);
  });
});

describe("a chunk that arrives whole", () => {
  const outcome = (text: string, size: number) => {
    try {
      return decode(CHUNKED, text, size);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    { where: "its size", text: (byte: string) => `${byte}\r\n${"x".repeat(15)}\r\n0\r\n\r\n` },
    { where: "behind its size", text: (byte: string) => `5${byte}\r\nhello\r\n0\r\n\r\n` },
    { where: "the name of an extension", text: (byte: string) => `5;a${byte}\r\nhello\r\n0\r\n\r\n` },
    { where: "its value", text: (byte: string) => `5;a=b${byte}\r\nhello\r\n0\r\n\r\n` },
    { where: "its quoted value", text: (byte: string) => `5;a="${byte}"\r\nhello\r\n0\r\n\r\n` },
    { where: "the end of its first line", text: (byte: string) => `5${byte}\nhello\r\n0\r\n\r\n` },
    { where: "the end of its data", text: (byte: string) => `5\r\nhello${byte}\n0\r\n\r\n` },
    { where: "the end of it", text: (byte: string) => `5\r\nhello\r${byte}0\r\n\r\n` },
    { where: "the next size", text: (byte: string) => `1\r\nx\r\n${byte}\r\n\r\n` },
  ])("is read as byte by byte, with any byte in $where", ({ text }) => {
    for (let code = 0; code < 256; code += 1) {
      const of = text(String.fromCharCode(code));
      expect(outcome(of, of.length), JSON.stringify(of)).toEqual(outcome(of, 1));
    }
  });

  it("is read whatever the number of its digits", () => {
    for (let digits = 1; digits < 20; digits += 1) {
      const text = `${"5".padStart(digits, "0")}\r\nhello\r\n0\r\n\r\n`;
      expect(decode(CHUNKED, text, text.length)).toMatchObject({ body: "hello", isOver: true });
    }
    expect(() => decode(CHUNKED, "1000005\r\nhello\r\n", 1_000)).not.toThrow();
    expect(decode(CHUNKED, "1000005\r\nhello\r\n", 1_000))
      .toMatchObject({ body: "hello\r\n", isOver: false });
  });
});

describe("framing", () => {
  it.each([
    { text: "005", length: 5 },
    { text: "0000000000000005", length: 5 },
    { text: `${"0".repeat(1_000)}5`, length: 5 },
    { text: "0000000000000000", length: 0 },
    { text: "000999999999999999", length: 999_999_999_999_999 },
  ])("says $length for $text", ({ text, length }) => {
    expect(decoderOf([["content-length", text]]).length).toBe(length);
  });

  it.each([
    { about: "HEAD", method: "HEAD", fields: LENGTH },
    { about: "HEAD with chunks", method: "HEAD", fields: CHUNKED },
    { about: "204", status: 204, fields: LENGTH },
    { about: "304", status: 304, fields: LENGTH },
    { about: "length 0", fields: [["content-length", "0"]] as FieldList },
  ])("says none for $about", ({ fields, ...parts }) => {
    expect(decoderOf(fields, parts)).toMatchObject({ length: 0, isOver: true });
  });

  it.each([
    { fields: [["content-length", "5, 5"]] },
    { fields: [["content-length", "5"], ["content-length", "5"]] },
    { fields: [["content-length", "5"], ["content-length", "6"]] },
    { fields: [["content-length", "+5"]] },
    { fields: [["content-length", "5x"]] },
    { fields: [["content-length", ""]] },
    { fields: [["content-length", "9999999999999999"]] },
    { fields: [["content-length", "0009999999999999999"]] },
    { fields: [["content-length", "0x5"]] },
    { fields: [["content-length", `${"0".repeat(60_000)}x`]] },
    { fields: [["content-length", "5"], ["transfer-encoding", "chunked"]] },
    { fields: [["transfer-encoding", "gzip"]] },
    { fields: [["transfer-encoding", "gzip, chunked"]] },
    { fields: [["transfer-encoding", "chunked, chunked"]] },
    { fields: [["transfer-encoding", ""]] },
  ] as { fields: FieldList }[])("is refused: $fields", ({ fields }) => {
    expect(() => decoderOf(fields)).toThrow(/^malformed response: /);
  });
});
