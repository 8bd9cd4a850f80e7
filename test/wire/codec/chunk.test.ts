/**
 * Chunks on a connection (RFC 9112 §7.1): that of a request body is framed as that of a response.
 * @module
 */
import { expect, it, vi } from "vitest";
import { formatEnd, writeChunk } from "../../../src/wire/codec/chunk.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { NotedWire } from "../../support/caller-wire.ts";

const SOURCE = { resume() {}, pause() {}, cancel() {} };

it.each([
  { about: "one byte", size: 1, line: "1\r\n" },
  { about: "the largest that is copied", size: 16_384, line: "4000\r\n" },
  { about: "the smallest that is not", size: 16_385, line: "4001\r\n" },
])("leaves in one piece behind its size: $about", ({ size, line }) => {
  const wire = new NotedWire();
  writeChunk(wire, Buffer.alloc(size, "x"));
  wire.write(formatEnd(undefined));
  expect(wire.pieces).toEqual([`${line}${"x".repeat(size)}\r\n`, "0\r\n\r\n"]);
});

it.each([{ size: 1 }, { size: 16_385 }])("says whether more is wanted: $size bytes", ({ size }) => {
  const wire = new NotedWire();
  vi.spyOn(wire, "write").mockReturnValue(false);
  expect(writeChunk(wire, Buffer.alloc(size))).toBe(false);
});

it("ends with the trailers that go on, in their letters and order", () => {
  const body = new FlowBody(SOURCE);
  body.trailers = new Fields();
  for (const name of ["X-B", "x-a", "X-b"]) body.trailers.append(name.toLowerCase(), "1", name);
  expect(formatEnd(body)).toBe("0\r\n\r\n");
  body.passTrailers = (trailers) => trailers;
  expect(formatEnd(body)).toBe("0\r\nX-B: 1\r\nx-a: 1\r\nX-b: 1\r\n\r\n");
});
