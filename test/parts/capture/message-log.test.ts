/** Messages of a WebSocket: the last ones, in bounded memory. @module */
import { describe, expect, it } from "vitest";
import { MessageLog, MOST_MESSAGES } from "../../../src/parts/capture/message-log.ts";
import { guardSecrets } from "../../../src/parts/capture/key-guard.ts";
import type { SocketMessage } from "../../../src/core/socket-message.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";

const message = (text: string, more: Partial<SocketMessage> = {}): SocketMessage => ({
  from: "caller",
  kind: "text",
  payload: new TextEncoder().encode(text),
  size: text.length,
  isCompressed: false,
  skipped: 0,
  ...more,
});

/** Memory of so many bytes. */
function memoryOf(most: number) {
  const memory = {
    held: 0,
    take: (bytes: number) => memory.held + bytes <= most && ((memory.held += bytes), true),
    give: (bytes: number) => void (memory.held -= bytes),
  };
  return memory;
}

describe("messages", () => {
  it("keep time, direction, kind and first bytes", () => {
    const log = new MessageLog(3, memoryOf(10_000));
    log.add(5, message("hello"));
    log.add(6, message("x", { from: "target", kind: "binary", isCompressed: true }));
    expect(log.read(undefined, false)).toEqual([
      { atMs: 5, from: "caller", kind: "text", size: 5, base64: btoa("hel") },
      { atMs: 6, from: "target", kind: "binary", size: 1, base64: btoa("x"), isCompressed: true },
    ]);
  });

  it("are copied", () => {
    const log = new MessageLog(10, memoryOf(10_000));
    const one = message("hello");
    log.add(0, one);
    one.payload.fill(0);
    expect(log.read(undefined, false)[0]?.base64).toBe(btoa("hello"));
  });

  it("are a thousand at most, the last ones", () => {
    const memory = memoryOf(1e9);
    const log = new MessageLog(10, memory);
    for (let count = 0; count < MOST_MESSAGES + 5; count += 1) log.add(count, message("x"));
    expect(log.skipped).toBe(5);
    expect(log.read(undefined, false).map(({ atMs }) => atMs).slice(0, 1)).toEqual([5]);
    expect(memory.held).toBe(MOST_MESSAGES * 101);
  });

  it("take a mebibyte at most", () => {
    const memory = memoryOf(1e9);
    const log = new MessageLog(1e9, memory);
    for (let count = 0; count < 40; count += 1) log.add(count, message("x".repeat(100_000)));
    expect(memory.held).toBeLessThanOrEqual(1_048_576);
    expect(log.read(undefined, false)).toHaveLength(15);
  });

  it("make room for each other where there is little, and are skipped where there is none", () => {
    const little = new MessageLog(10, memoryOf(250));
    for (let count = 0; count < 5; count += 1) little.add(count, message("x"));
    expect([little.read(undefined, false).length, little.skipped]).toEqual([2, 3]);
    const none = new MessageLog(10, memoryOf(0));
    none.add(0, message("x"));
    expect([none.read(undefined, false).length, none.skipped]).toEqual([0, 1]);
    little.drop();
    expect(little.read(undefined, false)).toEqual([]);
  });

  it("show no key, and nothing compressed behind one", () => {
    const guard = guardSecrets(hooksFor(tableOf({ "a.test": { set: { x: "{{KEY}}" } } })).secrets);
    const log = new MessageLog(100, memoryOf(10_000));
    log.add(0, message(`a ${KEYS["KEY"]}`));
    log.add(0, message("packed", { isCompressed: true }));
    expect(log.read(guard, true).map(({ base64 }) => atob(base64))).toEqual(["a {{KEY}}", ""]);
    expect(log.read(guard, false).map(({ base64 }) => atob(base64))).toEqual(["a {{KEY}}", "packed"]);
  });
});
