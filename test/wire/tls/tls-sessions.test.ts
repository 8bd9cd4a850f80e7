/**
 * Which TLS sessions are kept, for how long, and how often they serve.
 * @module
 */
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { type TlsSession, TlsSessions } from "../../../src/wire/tls/tls-sessions.ts";

const NOW = 1_000_000_000;
const MINUTE = 60_000;

function session(name: string, more: Partial<TlsSession> = {}): TlsSession {
  return { bytes: Buffer.from(name), checkedAt: NOW, servesAgain: false, ...more };
}

/** The sessions that an identity gives, newest first. */
function takeAll(sessions: TlsSessions, identity: string): string[] {
  const taken = [];
  for (let next = sessions.take(identity, NOW); next; next = sessions.take(identity, NOW)) {
    taken.push(next.bytes.toString());
  }
  return taken;
}

describe("TLS sessions", () => {
  it("serve once, the newest first, for their own identity", () => {
    const sessions = new TlsSessions();
    for (const name of ["1", "2"]) sessions.keep("a", session(name));
    expect(takeAll(sessions, "b")).toEqual([]);
    expect(takeAll(sessions, "a")).toEqual(["2", "1"]);
    expect(sessions.size).toBe(0);
  });

  it("of TLS 1.2 serve again, until the next one", () => {
    const sessions = new TlsSessions();
    for (const name of ["1", "2"]) sessions.keep("a", session(name, { servesAgain: true }));
    const taken = [sessions.take("a", NOW), sessions.take("a", NOW)].map((one) => one?.bytes.toString());
    expect(taken).toEqual(["2", "2"]);
    expect(sessions.size).toBe(1);
  });

  it.each([
    { after: 0, isKept: true },
    { after: 10 * MINUTE - 1, isKept: true },
    { after: 10 * MINUTE, isKept: false },
    { after: -1, isKept: false },
  ])("$after ms after the certificate was checked: $isKept", ({ after, isKept }) => {
    const sessions = new TlsSessions();
    sessions.keep("a", session("1", { servesAgain: true }));
    expect(sessions.take("a", NOW + after) !== undefined).toBe(isKept);
    expect(sessions.size).toBe(isKept ? 1 : 0);
  });

  it("serve behind a newer one whose time is over", () => {
    const sessions = new TlsSessions();
    sessions.keep("a", session("in time"));
    sessions.keep("a", session("late", { checkedAt: NOW - 10 * MINUTE }));
    expect(takeAll(sessions, "a")).toEqual(["in time"]);
    expect(sessions.size).toBe(0);
  });

  it("are forgotten together", () => {
    const sessions = new TlsSessions();
    for (const identity of ["a", "a", "b"]) sessions.keep(identity, session(identity));
    sessions.forget("a");
    expect(takeAll(sessions, "a")).toEqual([]);
    expect(takeAll(sessions, "b")).toEqual(["b"]);
  });

  it("of one identity are 32 at most, the newest", () => {
    const sessions = new TlsSessions();
    for (let name = 1; name <= 40; name += 1) sessions.keep("a", session(String(name)));
    expect(takeAll(sessions, "a")).toEqual(Array.from({ length: 32 }, (_, index) => String(40 - index)));
  });

  it("of 256 identities are kept, those used last", () => {
    const sessions = new TlsSessions();
    for (let name = 0; name < 256; name += 1) {
      sessions.keep(String(name), session("x", { servesAgain: true }));
    }
    sessions.take("0", NOW);
    sessions.keep("new", session("x"));
    expect(["0", "1", "2", "new"].map((name) => sessions.take(name, NOW) !== undefined))
      .toEqual([true, false, true, true]);
  });

  it.each([{ bytes: 16_384, isKept: true }, { bytes: 16_385, isKept: false }])(
    "of $bytes bytes are kept: $isKept",
    ({ bytes, isKept }) => {
      const sessions = new TlsSessions();
      sessions.keep("a", session("1", { bytes: Buffer.alloc(bytes) }));
      expect(sessions.take("a", NOW) !== undefined).toBe(isKept);
    },
  );

  it("take 8 MiB at most", () => {
    const sessions = new TlsSessions();
    const bytes = Buffer.alloc(16_384);
    for (let name = 0; name < 1_000; name += 1) sessions.keep(String(name % 100), session("", { bytes }));
    // A target goes with all of its sessions.
    expect(sessions.size).toBeLessThanOrEqual(8_388_608);
    expect(sessions.size).toBeGreaterThan(8_388_608 - 11 * 16_384);
  });
});
