/** Bytes behind a request: kept in order as they arrived, and only so many. */
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { BytesAhead } from "../../../src/wire/server/head-reader.ts";

const of = (size: number) => Buffer.alloc(size, 120);

describe("bytes ahead", () => {
  it("are none at first", () => {
    const ahead = new BytesAhead();
    expect([ahead.isEmpty, ahead.take()]).toEqual([true, undefined]);
  });

  it("come out once, in order and in one piece", () => {
    const ahead = new BytesAhead();
    for (const text of ["GET", " /", " HTTP/1.1"]) ahead.keep(Buffer.from(text), false);
    expect([ahead.isEmpty, ahead.take()?.toString()]).toEqual([false, "GET / HTTP/1.1"]);
    expect([ahead.isEmpty, ahead.take()]).toEqual([true, undefined]);
  });

  it.each([
    { sizes: [65_535], full: [false] },
    { sizes: [65_536], full: [true] },
    { sizes: [65_535, 1], full: [false, true] },
    { sizes: [40_000, 40_000, 1], full: [false, true, true] },
    { sizes: [0, 65_535, 0, 1], full: [false, false, false, true] },
  ])("are enough from 64 KiB on, and none is lost: $sizes", ({ sizes, full }) => {
    const ahead = new BytesAhead();
    expect(sizes.map((size) => ahead.keep(of(size), false))).toEqual(full);
    expect(ahead.take()?.length).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });

  it("that were taken come back without a copy, before those that have arrived meanwhile", () => {
    const ahead = new BytesAhead();
    ahead.keep(Buffer.from("abcd"), false);
    const rest = ahead.take()!.subarray(2);
    ahead.keep(rest, true);
    ahead.keep(Buffer.from("ef"), false);
    expect(ahead.take()).toBe(rest);
    expect([ahead.take()?.toString(), ahead.isEmpty]).toEqual(["ef", true]);
  });

  it("that were taken count as full with the others, and may be taken all together", () => {
    const ahead = new BytesAhead();
    ahead.keep(of(40_000), false);
    expect([ahead.keep(ahead.take()!, true), ahead.keep(of(40_000), false)]).toEqual([false, true]);
    expect([ahead.takeAll()?.length, ahead.takeAll()]).toEqual([80_000, undefined]);
  });

  it("may come again once they have been taken", () => {
    const ahead = new BytesAhead();
    ahead.keep(of(65_536), false);
    const first = ahead.take();
    expect(ahead.keep(Buffer.from("def"), false)).toBe(false);
    expect([first, ahead.take()]).toEqual([of(65_536), Buffer.from("def")]);
  });
});
