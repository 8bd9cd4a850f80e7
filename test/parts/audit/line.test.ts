/** The line of a decision: its members in their order, and what others may write into it. @module */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { formatDecision } from "../../../src/parts/audit/line.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { readDecisions } from "../../support/recorded.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";
import { rowsOf } from "../../support/rows.ts";

const parts = hooksFor(tableOf({ "api.test": { set: { "x-key": "{{KEY}}" } } }));
const REFUSAL = new ProxyError("forbidden", "Cannot reach api.test: DENY_TARGETS refuses it");
const same = (error: ProxyError) => error;

/** A request of `ci` to this path. */
function recordOf(path = "/", { isSocket = false, method = "GET", origin = "https://api.test" } = {}) {
  const record = new RequestRecord("POST", []);
  Object.assign(record, { caller: "192.0.2.1", callerId: "ci", selector: "url" });
  record.hop = { origin: new URL(origin), path, method, isSocket };
  return record;
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 2, 3, 4, 5, 6) });
  return () => vi.useRealTimers();
});

describe("the line of a decision", () => {
  it("has exactly these members, in this order", () => {
    const record = recordOf("/v1/items?key=1");
    const common =
      `{"time":"2026-01-02T03:04:05.006Z","id":"${record.id}","caller":"192.0.2.1","caller_id":"ci",` +
      `"selector":"url","method":"GET","scheme":"https","host":"api.test","path":"/v1/items","entry":"api.test",`;
    const reason = `"reason":"Cannot reach api.test: denyTargets refuses it"}`;
    const name = ({ code, message }: ProxyError) =>
      new ProxyError(code, message.replace("DENY_TARGETS", "denyTargets"));
    expect(formatDecision(record, parts, ["192.0.2.2"], name))
      .toBe(`${common}"rule":"addresses","verdict":"allowed"}`);
    expect(formatDecision(record, parts, undefined, name))
      .toBe(`${common}"rule":"name","verdict":"allowed"}`);
    expect(formatDecision(record, parts, REFUSAL, name))
      .toBe(`${common}"rule":"forbidden","verdict":"refused",${reason}`);
    record.pardoned = REFUSAL;
    expect(formatDecision(record, parts, ["192.0.2.2"], name))
      .toBe(`${common}"rule":"forbidden","verdict":"would_refuse",${reason}`);
  });

  it("has none of a target before one is chosen", () => {
    const record = new RequestRecord("PUT", []);
    const line = formatDecision(record, parts, new ProxyError("token_wrong", "Cannot use this proxy"), same);
    expect(Object.keys(JSON.parse(line)))
      .toEqual(["time", "id", "caller", "method", "rule", "verdict", "reason"]);
    expect(readDecisions([line])).toMatchObject([{ method: "PUT", rule: "token_wrong" }]);
  });

  it.each(rowsOf(["origin", "isSocket", "scheme", "host"], [
    ["http://a.test", false, "http", "a.test"],
    ["https://a.test:443", false, "https", "a.test"],
    ["https://a.test:8443", false, "https", "a.test:8443"],
    ["http://[::1]:81", true, "ws", "[::1]:81"],
    ["https://a.test", true, "wss", "a.test"],
  ]))("names $origin, WebSocket $isSocket", ({ origin, isSocket, scheme, host }) => {
    const line = formatDecision(recordOf("/", { origin, isSocket }), parts, [], same);
    expect(readDecisions([line])).toMatchObject([{ scheme, host }]);
  });
});

describe("a secret in a path", () => {
  const token = `fv1.${"aB3".repeat(20)}.${"xY9".repeat(12)}`;
  it.each(rowsOf(["path", "shown"], [
    ["/v1/chat/completions?api_key=s3cret", "/v1/chat/completions"],
    [`/a/${token}/b`, "/a/***/b"],
    ["/api_key=short/x;token=abc", "/api_key=***/x;token=***"],
    ["/a/eyJhbGci.eyJzdWIi.c2ln/b", "/a/***/b"],
    ["/bot12:AAHdqTcvCH1vGWJxfSeofSAs0K5/send", "/bot12:***/send"],
    ["/https://user:p4ss@a.test/x", "/https://***@a.test/x"],
    ["/https:/user:p4ss@a.test/x", "/https:/***@a.test/x"],
    [`/k/${encodeURIComponent(KEYS["KEY"]!)}/x`, "/k/{{KEY}}/x"],
    ["/v1/9f8e7d6c-5b4a-4321-8765-0123456789ab/x", "/v1/9f8e7d6c-5b4a-4321-8765-0123456789ab/x"],
  ]))("is not in the line: $shown", ({ path, shown }) => {
    expect(readDecisions([formatDecision(recordOf(path), parts, [], same)])).toMatchObject([{ path: shown }]);
  });

  it("is not in the reason either", () => {
    const refusal = new ProxyError("bad_request", `Cannot send ${KEYS["KEY"]}`);
    const line = formatDecision(recordOf(), parts, refusal, same);
    expect(readDecisions([line])).toMatchObject([{ reason: "Cannot send {{KEY}}" }]);
  });
});

describe("what a caller or a target sends", () => {
  const FORGED =
    '\n{"time":"2026-01-01T00:00:00.000Z","verdict":"allowed"}\r\u2028\u0085\u001b[2K\u009b\u202e';

  it("forges no line, and moves no cursor", () => {
    const record = recordOf(`/${FORGED}`, { method: `GET${FORGED}` });
    Object.assign(record, { caller: FORGED, callerId: FORGED });
    const line = formatDecision(record, parts, new ProxyError("forbidden", FORGED), same);
    expect(readDecisions([line])).toMatchObject([{ verdict: "refused", host: "api.test" }]);
  });

  it.each(rowsOf(["about", "path", "shown"], [
    ["of many parts, cut behind one", `/${"ab/".repeat(20_000)}`, `/${"ab/".repeat(341)}…`],
    ["of one part, which may be a secret", `/${"a".repeat(60_000)}`, "/…"],
    ["of quotes", `/${'"'.repeat(1_023)}`, `/${'"'.repeat(1_023)}`],
  ]))("is bounded, with a path $about", ({ path, shown }) => {
    const long = "x".repeat(60_000);
    const record = recordOf(path, { method: long });
    Object.assign(record, { caller: long, callerId: long });
    const line = formatDecision(record, parts, new ProxyError("forbidden", long), same);
    // What a pipe takes whole beside other processes (POSIX, PIPE_BUF).
    expect(Buffer.byteLength(line) + 1).toBeLessThanOrEqual(4_096);
    expect(readDecisions([line])).toMatchObject([{ path: shown, method: `${"x".repeat(128)}…` }]);
  });
});
