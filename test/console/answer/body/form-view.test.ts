import { describe, expect, it } from "vitest";
import { readParts } from "../../../../src/console/answer/body/form-view.ts";
import { writeMultipart } from "../../../../src/console/builder/form-text.ts";
import { rowsOf } from "../../../support/rows.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textsOf = (body: string, type = "multipart/form-data; boundary=b") =>
  readParts(bytesOf(body), type).map(({ bytes, ...part }) => ({
    ...part,
    text: new TextDecoder().decode(bytes),
  }));

describe("readParts", () => {
  it("reads what the builder writes, byte for byte", async () => {
    const content = new Blob([Uint8Array.from({ length: 256 }, (_, index) => index)]);
    const fields = [
      { name: "wer", value: "Köln\r\n--no" },
      { name: "a", value: "", file: { name: "ä.bin", type: "", content } },
    ];
    const written = writeMultipart(fields, "b") as Blob;
    const parts = readParts(new Uint8Array(await written.arrayBuffer()), 'Multipart/Form-Data; boundary="b"');
    expect(parts.map(({ name, fileName, type }) => [name, fileName, type]))
      .toEqual([["wer", undefined, ""], ["a", "ä.bin", "application/octet-stream"]]);
    expect(new TextDecoder().decode(parts[0]?.bytes)).toBe("Köln\r\n--no");
    expect([...parts[1]!.bytes]).toEqual([...new Uint8Array(await content.arrayBuffer())]);
  });

  it.each(rowsOf(["about", "body", "texts"], [
    ["a preamble", 'x\r\n--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n', ["1"]],
    ["an empty part", "--b\r\n\r\n\r\n--b--", [""]],
    ["a part that was cut", "--b\r\nX: y\r\n\r\n12", ["12"]],
    ["a head that was cut", "--b\r\nX: y", []],
    ["nothing but the end", "--b--", []],
    ["another body", "hello", []],
  ]))("reads $about", ({ body, texts }) => expect(textsOf(body).map(({ text }) => text)).toEqual(texts));

  it("reads nothing without a boundary", () => expect(textsOf("--b", "multipart/form-data")).toEqual([]));
});
