/** What the process decompresses by itself. @module */
import { brotliCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { decompress } from "../../../src/runtimes/process/decompress.ts";

it("decompresses up to a limit, and knows no other formats", async () => {
  const bytes = new Uint8Array(brotliCompressSync("hello"));
  expect(new TextDecoder().decode(await decompress("brotli", bytes, 5, false))).toBe("hello");
  await expect(decompress("brotli", bytes, 4, false)).rejects.toThrow();
  await expect(decompress("brotli", new Uint8Array(4).fill(255), 9, false)).rejects.toThrow();
  expect(await decompress("own", bytes, 9, false)).toBeUndefined();
});
