/** What counts of a record, and what is said of the rest. @module */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Tally } from "../../src/command/policy-record.ts";
import { linesOf, sentOf } from "../support/record.ts";
import { rowsOf } from "../support/rows.ts";

const GOOD = { ...sentOf("GET https://a.test/p"), verdict: "allowed", time: "2030-01-01T00:00:00.000Z" };
const KEY = "a.test:443 GET https =/p";
const BAD_HOST = "has a bad host, expected one that TARGETS can name";
const BAD_METHOD = BAD_HOST.replace("host", "method");
const NO_LINE = "is no line of AUDIT, expected a JSON object";
const badOf = (name: string) => `has a bad ${name}, expected one that AUDIT wrote whole`;

describe("a record", () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "fetchvia-record-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = async (texts: readonly (string | Uint8Array)[], callerId?: string) => {
    const [tally, notes] = [new Tally(), [] as string[]];
    for (const [index, text] of texts.entries()) {
      const file = join(folder, `${index}.jsonl`);
      writeFileSync(file, text);
      await tally.read(file, callerId, (line) => void notes.push(line.replace(`${folder}/`, "")));
    }
    return { tally, notes };
  };

  it("is counted over several files, in any order, with the first and the last time", async () => {
    const [old, recent] = [
      linesOf([sentOf("GET https://a.test/p")]),
      linesOf(Array(3).fill(sentOf("GET https://a.test/p"))),
    ];
    const { tally, notes } = await read([recent, old]);
    expect([...tally.seen])
      .toEqual([[KEY, { count: 4, first: "2030-01-01T00:00:00.000Z", last: "2030-01-01T00:00:00.002Z" }]]);
    expect(notes).toEqual([]);
  });

  it.each(rowsOf(["about", "text"], [
    ["blank lines", `\n \n${JSON.stringify(GOOD)}\r\n\r\n`],
    ["no end of line", JSON.stringify(GOOD)],
    ["a mark of UTF-8", `\ufeff${JSON.stringify(GOOD)}\n`],
    ["unknown members", JSON.stringify({ more: [1], constructor: {}, ["__proto__"]: 1, ...GOOD })],
    ["what would be refused", JSON.stringify({ ...GOOD, verdict: "would_refuse" })],
  ]))("counts with $about", async ({ text }) => {
    const { tally, notes } = await read([text]);
    expect([[...tally.seen.keys()], tally.unused, notes]).toEqual([[KEY], 0, []]);
  });

  it("counts what was refused, and keeps nothing of it", async () => {
    const { tally } = await read([JSON.stringify({ verdict: "refused" })]);
    expect([tally.seen.size, tally.refused, tally.unused]).toEqual([0, 1, 0]);
  });

  it.each([
    { host: "a.test:8443", scheme: "https", name: "a.test:8443" },
    { host: "a.test", scheme: "wss", name: "a.test:443" },
    { host: "a.test", scheme: "ws", name: "a.test:80" },
    { host: "a.test.", scheme: "https", name: "a.test:443" },
    { host: "[2001:db8::1]:81", scheme: "http", name: "[2001:db8::1]:81" },
    { host: "127.0.0.1", scheme: "http", name: "127.0.0.1:80" },
    { host: "[::ffff:7f00:1]", scheme: "http", name: "127.0.0.1:80" },
    { host: "xn--bcher-kva.example", scheme: "https", name: "xn--bcher-kva.example:443" },
    { host: "__proto__", scheme: "https", name: "__proto__:443" },
  ])("names $host over $scheme as $name", async ({ host, scheme, name }) => {
    const { tally } = await read([JSON.stringify({ ...GOOD, host, scheme })]);
    expect([...tally.seen.keys()]).toEqual([`${name} GET ${scheme} =/p`]);
  });

  it.each([
    ..."*|*.test|a.*|10.0.0.0/8|a.test/x|a.test?x|a.test#x|u@a.test|a.test\\x|a.test:443|A.test|bücher.example|127.1|0x7f.1"
      .split("|").map((host) => ({ more: { host } as object, says: BAD_HOST })),
    ...[
      " a.test",
      "a.test ",
      "a\u001b[2J.test",
      "a.test\n",
      "a.test,b.test",
      "[::1",
      "[::ffff:127.0.0.1]",
      "a..test",
    ]
      .map((host) => ({ more: { host }, says: BAD_HOST })),
    ...["", undefined, 1, null, ["a.test"], { toString: 1 }].map((host) => ({
      more: { host },
      says: badOf("host"),
    })),
    ...["", "p", "*", "/p?q", "/p#q", "/p q", "/p\u001b]0;x\u0007", "/\u202e", "/p…", "/ä", ["/p"], {
      toString: 1,
    }, undefined]
      .map((path) => ({ more: { path }, says: badOf("path") })),
    ...["", "G T", "G/T", "GET\n", "GÄT", "constructor()", 1].map((method) => ({
      more: { method },
      says: badOf("method"),
    })),
    ...["get", "Post"].map((method) => ({ more: { method }, says: BAD_METHOD })),
    ...["ftp", "https:", "HTTPS", "constructor", ""].map((scheme) => ({
      more: { scheme },
      says: badOf("scheme"),
    })),
    ...["2030-01-01", "\u001b[31m", "", 5].map((time) => ({ more: { time }, says: badOf("time") })),
    ...["Allowed", "", undefined, true].map((verdict) => ({ more: { verdict }, says: badOf("verdict") })),
  ])("leaves out a line with $more, and says so", async ({ more, says }) => {
    const { tally, notes } = await read([`${JSON.stringify({ ...GOOD, ...more })}\n`]);
    expect([tally.seen.size, tally.unused, notes]).toEqual([0, 1, [`line 1 of "0.jsonl" ${says}`]]);
  });

  it.each(rowsOf(["about", "text", "says"], [
    ["that is torn", JSON.stringify(GOOD).slice(0, -9), "is torn: it has no end"],
    ["with another one in it", `${JSON.stringify(GOOD).slice(0, 9)}${JSON.stringify(GOOD)}\n`, NO_LINE],
    ["of another kind", "[1]\n", NO_LINE],
    ["that is no JSON", "{\n", NO_LINE],
    ["that is too long", `${JSON.stringify({ ...GOOD, more: "x".repeat(200_000) })}\n`, NO_LINE],
  ]))("leaves out a line $about, by its number", async ({ text, says }) => {
    const { tally, notes } = await read([`${JSON.stringify(GOOD)}\n\n${text}`]);
    expect([[...tally.seen.keys()], tally.unused, notes])
      .toEqual([[KEY], 1, [`line 3 of "0.jsonl" ${says}`]]);
  });

  it("takes bytes that are no UTF-8 for no host and no path", async () => {
    const { tally, notes } = await read([
      Buffer.from(JSON.stringify({ ...GOOD, host: "a\xff.test" }), "latin1"),
    ]);
    expect([tally.seen.size, notes.length]).toEqual([0, 1]);
  });

  it("tells of the first twenty lines alone", async () => {
    const { tally, notes } = await read(["x\n".repeat(100)]);
    expect([tally.unused, notes.length]).toEqual([100, 20]);
  });

  it("is refused where it can't be read", () =>
    expect(new Tally().read(folder, undefined, () => {}))
      .rejects.toThrow(`Cannot read ${JSON.stringify(folder)}, expected a file that AUDIT wrote`));
});
