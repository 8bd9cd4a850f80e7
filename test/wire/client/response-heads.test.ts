/**
 * Heads of responses on one connection: read in one way, whatever came before.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Fields, KeptFields } from "../../../src/core/http/fields.ts";
import { ResponseHeads } from "../../../src/wire/client/response-heads.ts";
import { readHead } from "../../../src/wire/codec/head.ts";

const HEAD =
  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: caf\xe9\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n";

const latin1 = (text: string) => Buffer.from(text, "latin1");

/** What comes of reading: the head in full, or why there is none. */
function outcome(read: typeof readHead, text: string) {
  try {
    const found = read(latin1(text));
    if (!found) return "incomplete";
    const { head: { headers, ...head }, size } = found;
    return { ...head, headers: [...headers], size };
  } catch (error) {
    return (error as Error).message;
  }
}

/** The reader of a connection on which this came so many times. */
function readerBehind(text: string, times: number): typeof readHead {
  const heads = new ResponseHeads();
  for (let count = 0; count < times; count += 1) outcome((bytes) => heads.read(bytes), text);
  return (bytes) => heads.read(bytes);
}

describe("a head behind one that came again and again", () => {
  it.each([
    { about: "the same", text: HEAD },
    { about: "the same, and its body", text: `${HEAD}hello` },
    { about: "the same, and the same again", text: HEAD + HEAD },
    { about: "another status", text: HEAD.replace("200", "201") },
    { about: "another reason", text: HEAD.replace("OK", "KO") },
    { about: "another version", text: HEAD.replace("1.1", "1.0") },
    { about: "another value", text: HEAD.replace("5", "6") },
    { about: "a longer value", text: HEAD.replace("5", "50") },
    { about: "a field more", text: HEAD.replace("\r\n\r\n", "\r\nY: 1\r\n\r\n") },
    { about: "a field less", text: HEAD.replace("Set-Cookie: b=2\r\n", "") },
    { about: "another case", text: HEAD.replace("Content", "content") },
    { about: "no end yet", text: HEAD.slice(0, -1) },
    { about: "only its first byte", text: "H" },
    { about: "nothing", text: "" },
    { about: "a malformed field", text: HEAD.replace("X:", "X :") },
    { about: "no head at all", text: "220 mail.test\r\n" },
    { about: "an interim response", text: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" },
    { about: "a head that is longer than most", text: HEAD.replace("caf", "x".repeat(3_000)) },
    { about: "a head that is too long", text: HEAD.replace("caf", "x".repeat(70_000)) },
  ])("is read as if it were the first: $about", ({ text }) => {
    const alone = outcome(readHead, text);
    for (const times of [0, 1, 2, 3]) {
      expect(outcome(readerBehind(HEAD, times), text), `behind ${times}`).toEqual(alone);
      const read = readerBehind(text, times);
      expect(outcome(read, text), `${times} times before`).toEqual(alone);
      expect(outcome(read, HEAD)).toEqual(outcome(readHead, HEAD));
      expect(outcome(read, text)).toEqual(alone);
    }
  });

  it("has the same object as fields from the second time on, until another one comes", () => {
    const heads = new ResponseHeads();
    const fieldsOf = (text: string) => heads.read(latin1(text))!.head.headers;
    const [first, second, third] = [fieldsOf(HEAD), fieldsOf(HEAD), fieldsOf(HEAD)];
    expect([first, second].map((fields) => fields instanceof KeptFields)).toEqual([false, true]);
    expect(third).toBe(second);
    expect(fieldsOf(HEAD.replace("5", "6"))).not.toBeInstanceOf(KeptFields);
    expect(fieldsOf(HEAD)).toBe(second);
  });

  it("reads the end of a head that comes again once, and refuses one that is ambiguous each time", () => {
    const heads = new ResponseHeads();
    const endOf = (text: string) => heads.endOf(heads.read(latin1(text))!, "GET");
    const [first, second, third] = [endOf(HEAD), endOf(HEAD), endOf(HEAD)];
    expect([first, third]).toEqual([{ framing: 5, idleMs: 4_000 }, first]);
    expect([second === first, third === second]).toEqual([false, true]);
    const unclear = HEAD.replace("X:", "Transfer-Encoding: chunked\r\nX:");
    for (const _ of [1, 2, 3]) expect(() => endOf(unclear)).toThrow(/^malformed response: /);
    expect(endOf(HEAD)).toEqual(first);
  });

  it("keeps no head that is longer than most", () => {
    const heads = new ResponseHeads();
    const text = HEAD.replace("caf", "x".repeat(3_000));
    const fields = [1, 2, 3].map(() => heads.read(latin1(text))!.head.headers);
    expect(fields.some((one) => one instanceof KeptFields)).toBe(false);
  });

  it("keeps a copy of its bytes: a view would keep the whole read in memory", () => {
    const heads = new ResponseHeads();
    const bytes = latin1(HEAD);
    for (let count = 0; count < 3; count += 1) heads.read(bytes);
    bytes.fill(0);
    expect(outcome((text) => heads.read(text), HEAD)).toEqual(outcome(readHead, HEAD));
  });
});

type FieldList = [name: string, value: string][];

/** The end of a response to a GET. */
function endOf(fields: FieldList, isCurrent = true, status = 200) {
  const head = { isCurrent, status, reason: "", headers: new Fields(fields) };
  return new ResponseHeads().endOf({ head, size: 0, text: "" }, "GET");
}

describe("the end", () => {
  it.each([
    { fields: [], framing: "unframed", idleMs: 4_000 },
    { fields: [["content-length", "5"]], framing: 5, idleMs: 4_000 },
    { fields: [["content-length", "5"], ["connection", "close"]], framing: 5, idleMs: 0 },
    { fields: [["transfer-encoding", "Chunked"]], framing: "chunked", idleMs: 4_000 },
    { fields: [["content-length", "5"], ["keep-alive", "timeout=3"]], framing: 5, idleMs: 2_000 },
    { fields: [["content-length", "5"]], isCurrent: false, framing: 5, idleMs: 0 },
    {
      fields: [["content-length", "5"], ["connection", "keep-alive"]],
      isCurrent: false,
      framing: 5,
      idleMs: 4_000,
    },
    {
      fields: [["content-length", "5"], ["connection", "close, keep-alive"]],
      isCurrent: false,
      framing: 5,
      idleMs: 0,
    },
    { fields: [["content-length", "5"]], status: 204, framing: 0, idleMs: 0 },
  ] as { fields: FieldList; isCurrent?: boolean; status?: number; framing: unknown; idleMs: number }[])(
    "follows from fields, version and status: $fields $isCurrent $status",
    ({ fields, isCurrent, status, framing, idleMs }) =>
      expect(endOf(fields, isCurrent, status)).toEqual({ framing, idleMs }),
  );

  it.each([
    { hints: ["timeout = 3"], idleMs: 2_000 },
    { hints: ['max=5;timeout="2", x'], idleMs: 1_000 },
    { hints: ["Timeout=3", "timeout=2, timeout=9"], idleMs: 1_000 },
    { hints: ["timeout=1000000000000"], idleMs: 4_000 },
    { hints: ["timeout=1"], idleMs: 0 },
    { hints: ["timeout=0"], idleMs: 0 },
    { hints: ["timeout=5, max=0"], idleMs: 0 },
    { hints: ["timeout=3, max=05"], idleMs: 2_000 },
    { hints: ["max=100", "timeout", "timeout=x"], idleMs: 4_000 },
  ])("of the connection is the earliest of its hints: $hints", ({ hints, idleMs }) => {
    const fields: FieldList = hints.map((hint) => ["keep-alive", hint]);
    expect(endOf(fields).idleMs).toBe(idleMs);
  });

  it("is refused where it is ambiguous", () => {
    expect(() => endOf([["content-length", "5"], ["transfer-encoding", "chunked"]])).toThrow(
      /^malformed response: /,
    );
  });
});
