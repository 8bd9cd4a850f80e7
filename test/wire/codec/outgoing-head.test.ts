/**
 * Request heads of HTTP/1.1: what goes out can't be read as anything else, and what comes again is the same each time.
 * @module
 */
import { describe, expect, it, vi } from "vitest";
import { Fields, KeptFields } from "../../../src/core/http/fields.ts";
import type { Outgoing } from "../../../src/index.ts";
import { formatHead } from "../../../src/wire/codec/outgoing-head.ts";

function requestOf(
  parts: Partial<Outgoing> = {},
  fields: [string, string][] = [["host", "a.test"]],
): Outgoing {
  return {
    method: "GET",
    origin: new URL("http://a.test"),
    path: "/p?q",
    headers: new Fields(fields),
    body: null,
    addresses: undefined,
    signal: new AbortController().signal,
    ...parts,
  };
}

/** The head as text, also where it is bytes. */
function readHead(request: Outgoing, framing: string): string {
  return textOf(formatHead(request, framing));
}

function textOf(head: string | Buffer): string {
  return Buffer.from(head as string, "latin1").toString("latin1");
}

describe("formatHead", () => {
  it("writes line, fields and framing", () => {
    const request = requestOf({ method: "brew" }, [["host", "a.test"], ["x-a", ""], ["x-b", "caf\u00e9\t1"]]);
    expect(formatHead(request, "content-length: 0\r\n"))
      .toBe("brew /p?q HTTP/1.1\r\nhost: a.test\r\nx-a: \r\nx-b: caf\u00e9\t1\r\ncontent-length: 0\r\n\r\n");
  });

  it.each([
    { about: "a method with a space", request: requestOf({ method: "GET /x" }) },
    { about: "an empty method", request: requestOf({ method: "" }) },
    { about: "a path with a space", request: requestOf({ path: "/a HTTP/1.1" }) },
    { about: "a path with a line end", request: requestOf({ path: "/a\r\nx: y" }) },
    { about: "a path with a character", request: requestOf({ path: "/\u00e9" }) },
    { about: "a value with a line end", request: requestOf({}, [["x-a", "1\r\nx-b: 2"]]) },
    { about: "a value with a line feed", request: requestOf({}, [["x-a", "1\nx-b: 2"]]) },
    { about: "a value with a return", request: requestOf({}, [["x-a", "1\r"]]) },
    { about: "a value with NUL", request: requestOf({}, [["x-a", "1\0"]]) },
    { about: "a value beyond Latin-1", request: requestOf({}, [["x-a", "\u010a"]]) },
    { about: "a name with a space", request: requestOf({}, [["x a", "1"]]) },
    { about: "a name with a line end", request: requestOf({}, [["x\r\ny", "1"]]) },
    { about: "an empty name", request: requestOf({}, [["", "1"]]) },
  ])("refuses $about", ({ request }) =>
    expect(() => formatHead(request, ""))
      .toThrow(/^Cannot send (?:the request line|header .*): it is malformed/s));
});

describe("formatHead for fields that come again", () => {
  const FIELDS: [string, string][] = [["host", "a.test"], ["x-a", ""], ["x-b", "caf\u00e9"], ["x-a", "2"]];

  it.each([
    { about: "none", fields: [] },
    { about: "one", fields: [["host", "a.test"]] },
    { about: "several", fields: FIELDS },
  ] as { about: string; fields: [string, string][] }[])("writes the same each time: $about", ({ fields }) => {
    const plain = requestOf({ headers: new Fields(fields) });
    const kept = requestOf({ headers: new KeptFields(new Fields(fields)) });
    const texts = [plain, kept, kept, kept, kept].map((request) =>
      readHead(request, "content-length: 0\r\n")
    );
    expect(new Set(texts)).toEqual(new Set([texts[0]]));
  });

  it("writes bytes once the same head has come again", () => {
    const headers = new KeptFields(new Fields(FIELDS));
    const heads = ["/1", "/1", "/1", "/1", "/2", "/2", "/2", "/2"]
      .map((path) => formatHead(requestOf({ headers, path }), ""));
    expect(heads.map((head) => typeof head))
      .toEqual([...["string", "string", "string", "object"], ...["string", "string", "object", "object"]]);
    expect([heads[3]!, heads[7]!].map(textOf)).toEqual([heads[0], heads[4]]);
  });

  it.each([
    { about: "method", parts: { method: "POST" }, framing: "" },
    { about: "path", parts: { path: "/other" }, framing: "" },
    { about: "framing", parts: {}, framing: "content-length: 0\r\n" },
    { about: "fields", parts: { headers: new Fields([["host", "b.test"]]) }, framing: "" },
  ])("never writes the bytes of a head with another $about", ({ parts, framing }) => {
    const headers = new KeptFields(new Fields(FIELDS));
    for (let time = 0; time < 4; time += 1) formatHead(requestOf({ headers }), "");
    const request = requestOf({ headers, ...parts });
    expect(readHead(request, framing))
      .toBe(readHead({ ...request, headers: new Fields(request.headers) }, framing));
  });

  it("keeps no head of more than 2 KiB", () => {
    const request = requestOf({ headers: new KeptFields(new Fields(FIELDS)), path: `/${"x".repeat(2_048)}` });
    const heads = Array.from({ length: 4 }, () => typeof formatHead(request, ""));
    expect(new Set(heads)).toEqual(new Set(["string"]));
  });

  it("reads them once, and others each time", () => {
    const [kept, plain] = [new KeptFields(new Fields(FIELDS)), new Fields(FIELDS)];
    const reads = [kept, plain].map((headers) => {
      const visits = vi.spyOn(headers, "forEach");
      for (const path of ["/1", "/2", "/3"]) formatHead(requestOf({ headers, path }), "");
      return visits.mock.calls.length;
    });
    expect(reads).toEqual([1, 3]);
  });

  it("writes free values in their place", () => {
    const shape = new KeptFields(new Fields([...FIELDS, ["x-id", "0"]]), ["x-id", "x-b"]);
    for (const values of [["1", "2"], ["", "\u00e9"]]) {
      const headers = shape.fill(values);
      expect(readHead(requestOf({ headers }), "")).toBe(
        readHead(requestOf({ headers: new Fields([...headers]) }), ""),
      );
    }
    const bad = new KeptFields(new Fields([["x a", "1"], ["x-id", "1"]]), ["x-id"]).fill(["1"]);
    for (let time = 0; time < 2; time += 1) {
      expect(() => formatHead(requestOf({ headers: bad }), "")).toThrow("header x a");
    }
  });

  it("refuses what is malformed each time", () => {
    const request = requestOf({ headers: new KeptFields(new Fields([["x-a", "1\r\nx-b: 2"]])) });
    const malformed = "Cannot send header x-a: it is malformed";
    expect(() => formatHead(request, "")).toThrow(malformed);
    expect(() => formatHead(request, "")).toThrow(malformed);
  });

  it("refuses a malformed path behind one that was not", () => {
    const headers = new KeptFields(new Fields(FIELDS));
    formatHead(requestOf({ headers }), "");
    expect(() => formatHead(requestOf({ headers, path: "/ HTTP/1.1\r\nx-b: 2" }), ""))
      .toThrow("Cannot send the request line: it is malformed");
  });
});
