/** Bodies as far as they are kept. @module */
import { describe, expect, it } from "vitest";
import { hasEvents, KeptBody } from "../../../src/parts/capture/kept-body.ts";
import { guardSecrets } from "../../../src/parts/capture/key-guard.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const ALWAYS = { take: () => true };
const now = () => 1;

describe("a body", () => {
  it.each([
    { about: "bytes", chunk: bytes("abc") },
    { about: "a buffer, whose slice is a view", chunk: Buffer.from("abc") },
  ])("keeps its first bytes, counts all, and copies what it keeps of $about", ({ chunk }) => {
    const kept = new KeptBody(5, ALWAYS, now);
    kept.onBytes(chunk);
    chunk.fill(0);
    kept.onBytes(bytes("defg"));
    expect(kept.read(undefined))
      .toEqual({ base64: btoa("abcde"), size: 7, isOver: false, arrivals: [[3, 1], [7, 1]] });
    kept.onEnd();
    expect(kept.read(undefined).isOver).toBe(true);
  });

  it("asks for the memory that it takes, and for no more", () => {
    const asked: number[] = [];
    const kept = new KeptBody(5, { take: (count) => asked.push(count) > 0 }, now);
    for (const text of ["abc", "defg", "hij"]) kept.onBytes(bytes(text));
    expect(asked).toEqual([135, 134]);
  });

  it("stops where there is no memory, and says so", () => {
    const kept = new KeptBody(100, { take: (count) => count < 136 }, now);
    for (const text of ["abc", "defg", "hij"]) kept.onBytes(bytes(text));
    expect(kept.read(undefined))
      .toMatchObject({ base64: btoa("abc"), size: 10, withheld: "its memory is used up" });
  });

  it("only counts what may not be kept", () => {
    const kept = new KeptBody(100, ALWAYS, now, "why");
    kept.onBytes(bytes("abc"));
    expect(kept.read(undefined)).toEqual({ base64: "", size: 3, isOver: false, withheld: "why" });
  });

  it("does not look cut where a key was replaced", () => {
    const guard = guardSecrets(hooksFor(tableOf({ "a.test": { set: { x: "{{KEY}}" } } })).secrets);
    const kept = new KeptBody(1_000, ALWAYS, now);
    kept.onBytes(bytes(`key=${KEYS["KEY"]}!`));
    kept.onEnd();
    const { base64, size } = kept.read(guard);
    expect([atob(base64), size]).toEqual(["key={{KEY}}!", 12]);
  });

  it("does not note when parts arrive where that does not matter", () => {
    const kept = new KeptBody(100, ALWAYS, undefined);
    kept.onBytes(bytes("abc"));
    expect(kept.read(undefined)).toEqual({ base64: btoa("abc"), size: 3, isOver: false });
  });

  it.each([
    { type: "text/event-stream; charset=utf-8", has: true },
    { type: "Text/Event-Stream", has: true },
    { type: "text/event-streams", has: false },
    { type: "application/json", has: false },
  ])("$type has events: $has", ({ type, has }) => {
    expect([hasEvents([["Content-Type", type]]), hasEvents([["x", type]]), hasEvents()])
      .toEqual([has, false, false]);
  });

  it("gives its bytes up", () => {
    const kept = new KeptBody(100, ALWAYS, now);
    kept.onBytes(bytes("abc"));
    kept.drop();
    kept.onBytes(bytes("abc"));
    expect(kept.read(undefined)).toMatchObject({ base64: "", size: 6 });
  });

  it("shows no key that came in two chunks, or that was cut", () => {
    const guard = guardSecrets(hooksFor(tableOf({ "a.test": { set: { x: "{{KEY}}" } } })).secrets);
    const key = KEYS["KEY"] ?? "";
    const kept = new KeptBody(key.length + 7, ALWAYS, now);
    kept.onBytes(bytes(key.slice(0, 5)));
    kept.onBytes(bytes(`${key.slice(5)} ${key}`));
    expect(atob(kept.read(guard).base64)).toBe("{{KEY}} {{KEY}}");
  });
});
