/** Replies on a caller's connection: head and body, what is left out, and what is cut. */
import { describe, expect, it, vi } from "vitest";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import type { FlowBody } from "../../../src/core/http/flow.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { BodySink } from "../../../src/wire/server/body-sink.ts";
import { createUnread, ReceivedRequest } from "../../../src/wire/server/received-request.ts";
import { parseRequestHead } from "../../../src/wire/server/request-head.ts";
import { writeReply } from "../../../src/wire/server/write-reply.ts";
import { NotedWire } from "../../support/caller-wire.ts";
import { rowsOf } from "../../support/rows.ts";
import { bytes, sourced } from "../../support/flow.ts";

type FieldList = [name: string, value: string][];

const SOURCE = { pause() {}, resume() {}, cancel() {} };
const requestOf = (line: string) =>
  new ReceivedRequest(parseRequestHead(`${line}\r\nHost: a`), 0, { isSecure: false }, SOURCE);
const GET = requestOf("GET / HTTP/1.1");
const UNREAD = createUnread(new ProxyError("bad_request", "no"), { isSecure: false });
const HEAD = requestOf("HEAD / HTTP/1.1");
const OLD_GET = requestOf("GET / HTTP/1.0");

/** A reply with a date of its own, so that its head is short. */
function replyOf(parts: Partial<Reply> = {}, fields: FieldList = []): Reply {
  return { status: 200, headers: new Fields([["date", "now"], ...fields]), body: null, ...parts };
}

/** The head on the wire. */
const headOf = (lines: string, status = "200 OK") => `HTTP/1.1 ${status}\r\ndate: now\r\n${lines}\r\n`;

/** Writes a reply, and notes what its listener is told, in order. */
function write(reply: Reply, request: ReceivedRequest = GET, isLast = false) {
  const wire = new NotedWire();
  const told: string[] = [];
  const sink = writeReply(wire, reply, request, isLast, {
    onLast: () => void told.push("last"),
    onWhole: () => void told.push("whole"),
    onCut: () => void told.push("cut"),
  });
  return { wire, told, sink };
}

const MALFORMED: FieldList = [["x-a", "1\r\nx-b: 2"]];
const LENGTH_0 = "content-length: 0\r\n";
const LENGTH: FieldList = [["content-length", "5"]];
const LENGTH_5 = "content-length: 5\r\n";
const CHUNKED = "transfer-encoding: chunked\r\n";
const CLOSE = "connection: close\r\n";

describe("a reply that is complete", () => {
  it.each([
    { about: "no body", reply: replyOf(), written: headOf(LENGTH_0) },
    { about: "an empty body", reply: replyOf({ body: bytes("") }), written: headOf(LENGTH_0) },
    { about: "bytes", reply: replyOf({ body: bytes("hello") }), written: `${headOf(LENGTH_5)}hello` },
    { about: "the last one", reply: replyOf(), isLast: true, written: headOf(LENGTH_0 + CLOSE) },
    { about: "one to no request", reply: replyOf(), request: UNREAD, written: headOf(LENGTH_0) },
  ])("leaves in one piece: $about", ({ reply, request = GET, isLast, written }) => {
    const { wire, told, sink } = write(reply, request, isLast);
    expect(wire.pieces).toEqual([written]);
    expect([told, sink]).toEqual([["whole"], undefined]);
  });

  it("keeps all bytes of its body", () => {
    const body = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const { wire } = write(replyOf({ body }));
    expect(Buffer.from(wire.written, "latin1").subarray(-256)).toEqual(Buffer.from(body));
  });
});

it("a body that is longer follows its head without being copied", () => {
  const wire = new NotedWire();
  const write = vi.spyOn(wire, "write");
  const body = new Uint8Array(4_097);
  writeReply(wire, replyOf({ body }), GET, false, { onLast() {}, onWhole() {}, onCut() {} });
  expect(write.mock.calls.map(([piece]) => piece)).toEqual([headOf("content-length: 4097\r\n"), body]);
  expect(write.mock.calls[1]?.[0]).toBe(body);
  expect(wire.pieces).toHaveLength(1);
});

describe("a reply of which some is here", () => {
  const CHUNK = "2\r\nhe\r\n";

  it.each(rowsOf(["about", "end", "rest", "told"], [
    ["more comes", () => {}, "", []],
    ["that was all", (body: FlowBody) => body.end(), "0\r\n\r\n", ["whole"]],
    ["it has broken off", (body: FlowBody) => body.end(new Error("reset")), "", ["cut"]],
  ]))("sends that with its head, before anything else is told: $about", ({ end, rest, told }) => {
    const { body } = sourced();
    body.push(bytes("he"));
    end(body);
    const wire = new NotedWire();
    const known: unknown[] = [];
    const tell = (what: string) => () => void known.push([what, wire.hasCork, wire.pieces.slice()]);
    const events = { onLast: tell("last"), onWhole: tell("whole"), onCut: tell("cut") };
    writeReply(wire, replyOf({ body }), GET, false, events);
    const pieces = [headOf(CHUNKED) + CHUNK + rest];
    expect([wire.pieces, wire.hasCork]).toEqual([pieces, false]);
    expect(known).toEqual(told.map((what) => [what, false, pieces]));
  });
});

describe("a reply that is streamed", () => {
  it.each(rowsOf(["about", "fields", "request", "pieces", "told"], [
    ["in chunks", [], GET, [headOf(CHUNKED), "2\r\nhe\r\n", "3\r\nllo\r\n0\r\n\r\n"], ["whole"]],
    ["of a length", LENGTH, GET, [headOf(LENGTH_5), "he", "llo"], ["whole"]],
    ["to its end, in HTTP/1.0", [], OLD_GET, [headOf(CLOSE), "he", "llo"], ["last", "whole"]],
  ]))("follows its head: $about", ({ fields, request, pieces, told }) => {
    const { body } = sourced();
    const written = write(replyOf({ body }, fields), request);
    expect(written.wire.pieces).toEqual(pieces.slice(0, 1));
    expect(written.sink).toBeInstanceOf(BodySink);
    body.push(bytes("he"));
    body.push(bytes("llo"), true);
    expect([written.wire.pieces, written.told, written.wire.isCut]).toEqual([pieces, told, false]);
  });

  it("has the connection as its end before its first byte is there", () => {
    const { told } = write(replyOf({ body: sourced().body }), OLD_GET);
    expect(told).toEqual(["last"]);
  });

  it.each(rowsOf(["about", "fields", "request", "told", "isCut"], [
    ["in chunks", [], GET, ["cut"], false],
    ["of a length", LENGTH, GET, ["cut"], false],
    ["of a length, in HTTP/1.0", LENGTH, OLD_GET, ["cut"], false],
    ["to its end, in HTTP/1.0", [], OLD_GET, ["last", "cut"], true],
  ]))(
    "that breaks off cuts the connection only where its end would be the body's: $about",
    ({ fields, request, told, isCut }) => {
      const { body } = sourced();
      const written = write(replyOf({ body }, fields), request);
      body.push(bytes("he"));
      body.end(new Error("reset"));
      expect([written.told, written.wire.isCut]).toEqual([told, isCut]);
    },
  );

  it("cuts the connection before it tells so", () => {
    const { body } = sourced();
    const wire = new NotedWire();
    const onCut = vi.fn(() => wire.isCut);
    writeReply(wire, replyOf({ body }), OLD_GET, false, { onLast() {}, onWhole() {}, onCut });
    body.end(new Error("reset"));
    expect(onCut).toHaveReturnedWith(true);
  });

  it.each([
    { about: "short", text: "hell", written: "hell" },
    { about: "long", text: "hello you", written: "" },
  ])("is cut where it is too $about", ({ text, written }) => {
    const { body } = sourced();
    const { wire, told } = write(replyOf({ body }, LENGTH));
    body.push(bytes(text), true);
    expect([wire.written, told]).toEqual([headOf(LENGTH_5) + written, ["cut"]]);
  });
});

describe("a body that must be left out", () => {
  const ROWS = rowsOf(["about", "status", "line", "request", "lines"], [
    ["HEAD", 200, "200 OK", HEAD],
    ["204", 204, "204 No Content", GET],
    ["304", 304, "304 Not Modified", GET],
    ["304 to HTTP/1.0", 304, "304 Not Modified", OLD_GET, "connection: keep-alive\r\n"],
  ]);

  it.each(ROWS)("is cancelled if it is streamed: $about", ({ status, line, request, lines = "" }) => {
    const { body, told: source } = sourced();
    const { wire, told, sink } = write(replyOf({ status, body }), request);
    expect(wire.written).toBe(headOf(lines, line));
    expect(source).toEqual([["cancel", undefined]]);
    expect([told, sink]).toEqual([["whole"], undefined]);
    body.push(bytes("late"), true);
    expect(wire.written).toBe(headOf(lines, line));
  });

  it.each(ROWS)("is not written if it is there: $about", ({ status, line, request, lines = "" }) => {
    const { wire, told } = write(replyOf({ status, body: bytes("hello") }), request);
    expect([wire.written, told]).toEqual([headOf(lines, line), ["whole"]]);
  });
});

describe("a malformed field", () => {
  const bodyOf = ({ written }: NotedWire) => written.slice(written.indexOf("\r\n\r\n") + 4);

  it.each([
    { about: "no body", body: () => null },
    { about: "bytes", body: () => bytes("hello") },
    { about: "a stream", body: () => sourced().body },
  ])("makes it a 500, of which nothing is the target's: $about", ({ body }) => {
    const { wire, told, sink } = write(replyOf({ body: body() }, MALFORMED));
    expect(wire.written).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
    expect(wire.written).not.toMatch(/x-[ab]|date: now|hello/);
    expect(JSON.parse(bodyOf(wire)))
      .toMatchObject({ detail: "Cannot send the response: a header field is malformed" });
    expect([told, sink]).toEqual([["whole"], undefined]);
  });

  it("cancels the stream", () => {
    const { body, told } = sourced();
    write(replyOf({ body }, MALFORMED));
    expect(told).toEqual([["cancel", undefined]]);
  });

  it.each([
    { about: "the last one", request: GET, isLast: true, line: CLOSE },
    { about: "HTTP/1.0", request: OLD_GET, isLast: false, line: "connection: keep-alive\r\n" },
  ])("leaves the connection as it was to be: $about", ({ request, isLast, line }) => {
    expect(write(replyOf({}, MALFORMED), request, isLast).wire.written).toContain(`\r\n${line}\r\n`);
  });

  it("has no body for HEAD", () => {
    const { wire } = write(replyOf({}, MALFORMED), HEAD);
    expect(wire.written).toMatch(/^HTTP\/1\.1 500 /);
    expect(bodyOf(wire)).toBe("");
  });
});
