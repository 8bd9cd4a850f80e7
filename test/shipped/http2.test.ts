/**
 * HTTP/2 in front of the proxy (RFC 9113 §8), by `node:http2` of each runtime: the target and the caller see what they see by
 * HTTP/1.1, and every stream ends (rule 17.10).
 * @module
 */
import { once } from "node:events";
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chunked, cut, raw, reply, silence } from "../support/answers.ts";
import type { HarEntry } from "../../src/parts/console/har-entry.ts";
import { call, send } from "../support/client.ts";
import type { Header } from "../support/http.ts";
import { openSession } from "../support/http2-session.ts";
import { type MountedProgram, startMounted } from "../support/mounted.ts";
import type { ProgramRuntime } from "../support/package.ts";
import { CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS } from "../support/raw-http2.ts";
import { literals, PADDED, RawHttp2, RST_STREAM } from "../support/raw-http2.ts";
import { type Handler, listen, type Upstream } from "../support/upstream.ts";

const RUNTIMES: ProgramRuntime[] = ["node", "bun", "deno"];
interface Har {
  log: { entries: HarEntry[] };
}

/** Of the response headers, and between pieces of a body. */
const OPTIONS = { timeoutMs: 1_000, idleTimeoutMs: 1_000 };

/** A request, and how HTTP/1.1 says the same where that differs. */
interface Asked {
  about: string;
  line: string;
  fields?: OutgoingHttpHeaders;
  before?: readonly Header[] | undefined;
  body?: string[];
  trailers?: OutgoingHttpHeaders;
}

const ASKED: Asked[] = [
  { about: "pseudo-fields", line: "GET /api/a//b/%2F?x=%20&y" },
  {
    about: "crumbs of a cookie",
    line: "GET /api",
    fields: { cookie: ["a=1", "b=2"] },
    before: [["cookie", "a=1; b=2"]],
  },
  {
    about: "a repeated field",
    line: "GET /api",
    fields: { "x-a": ["1", "2"] },
    before: [["x-a", "1"], ["x-a", "2"]],
  },
  { about: "an empty field, and bytes", line: "GET /api", fields: { "x-a": "", "x-b": "caf\u00e9" } },
  { about: "a body of a length", line: "POST /api", fields: { "content-length": "6" }, body: ["abc", "def"] },
  { about: "a body of none", line: "PUT /api", body: ["abcdef"] },
  { about: "an empty body", line: "POST /api", body: [] },
  { about: "a body with trailers", line: "POST /api", body: ["abc"], trailers: { "x-t": "1" } },
  { about: "trailers without a body", line: "POST /api", body: [], trailers: { "x-t": "1" } },
  { about: "a body with GET", line: "GET /api", body: ["abc"] },
  { about: "a method that nobody knows", line: "PROPFIND /api" },
  { about: "a raw address", line: "GET /__proxy__/?url={origin}/a?b=c&d=%zz|" },
  { about: "a method that is not forwarded", line: "TRACE /api" },
  { about: "a page of the proxy", line: "GET /__proxy__/" },
];

const ANSWERED: (Omit<Asked, "line"> & { answer: Handler })[] = [
  { about: "a body", answer: reply(200, { "content-type": "text/x" }, "hello") },
  { about: "a body in chunks", answer: chunked(200, {}, ["one ", "two"]) },
  {
    about: "trailers",
    fields: { te: "trailers" },
    before: [["TE", "trailers"], ["Connection", "TE"]],
    answer: raw(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x-t\r\n\r\n2\r\nok\r\n0\r\nx-t: 1\r\n\r\n",
    ),
  },
  { about: "nothing", answer: raw("HTTP/1.1 204 No Content\r\n\r\n") },
  { about: "an empty form", answer: raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n") },
  { about: "what has not changed", answer: raw('HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n') },
  { about: "an unknown status", answer: reply(299, {}, "ok") },
  { about: "a status that is none", answer: reply(600, {}, "ok") },
  {
    about: "an upgrade that nobody asked for",
    answer: raw("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
  },
  {
    about: "single fields twice",
    answer: reply(200, [
      ...[["ETag", '"a"'], ["ETag", '"b"'], ["Age", "1"], ["Age", "2"], ["Expires", "0"], ["Expires", "-1"]],
      ...["en", "de"].map((language) => ["Content-Language", language]),
      ...["nosniff", "nosniff"].map((value) => ["X-Content-Type-Options", value]),
    ] as Header[]),
  },
  { about: "two cookies", answer: reply(200, [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]]) },
  {
    about: "fields of objects",
    answer: reply(200, [["__proto__", "a"], ["constructor", "b"], ["x-empty", ""]]),
  },
  {
    about: "150 fields",
    answer: reply(200, Array.from({ length: 150 }, (_, at): Header => [`x-${at}`, "v"])),
  },
  { about: "a long field", answer: reply(200, { "x-long": "v".repeat(40_000) }) },
  { about: "a long body", answer: reply(200, {}, Buffer.alloc(3_000_000, "x")) },
];

/** Of a connection of HTTP/1.1 alone. */
const CONNECTION = new Set(["connection", "keep-alive", "date", "transfer-encoding", "cdn-loop"]);

type FieldList = Iterable<readonly [string, string | readonly string[] | number | undefined]>;

/** The same with the names in lower case, as HTTP/2 has them. */
const lowered = (fields: FieldList) =>
  [...fields].map(([name, value]) => [name.toLowerCase(), value] as const);

/** What was seen of fields: lists by name, in the letters in which it came. */
function listed(fields: FieldList) {
  const seen = new Map<string, string>();
  for (const [key, value] of fields) {
    if (CONNECTION.has(key) || key.startsWith(":")) continue;
    seen.set(key, [seen.get(key), value].flat().filter((part) => part !== undefined).join(", "));
  }
  return Object.fromEntries([...seen].sort(([a], [b]) => a < b ? -1 : 1));
}

describe.each(RUNTIMES)("HTTP/2 on %s", (runtime) => {
  let target: Upstream;
  let program: MountedProgram;
  let port: number;
  let before: number;
  let session: ClientHttp2Session;
  let end: () => void;

  beforeAll(async () => {
    target = await listen();
    program = await startMounted(runtime, { ...OPTIONS, target: target.origin });
    ({ http2: port, http1: before } = program);
  });
  afterAll(async () => {
    program.stop();
    await target.close();
  });
  beforeEach(() => {
    target.answer = reply(200, {}, "ok");
    target.requests.length = 0;
    ({ session, end } = openSession(port));
  });
  afterEach(() => end());

  /** Sends the head of a request. */
  function open(line: string, fields: OutgoingHttpHeaders = {}, hasBody = false, waitForTrailers = false) {
    const [method, path] = line.replace("{origin}", target.origin).split(" ");
    const options = { endStream: !hasBody, waitForTrailers };
    // How it ends is looked at later.
    return session.request({ ":method": method, ":path": path, ...fields }, options).on("error", () => {});
  }

  /** Reads a stream to its end, however it ends. */
  async function read(stream: ClientHttp2Stream) {
    const interim: unknown[] = [];
    let text = "";
    let fields: Record<string, unknown> = {};
    stream.on(
      "headers",
      (head) => interim.push([head[":status"], listed(Object.entries(head) as [string, string][])]),
    );
    stream.on("response", (head) => (fields = { ...head }));
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await new Promise((resolve) => stream.once("close", resolve));
    const seen = listed(Object.entries(fields) as [string, string][]);
    return { status: fields[":status"] ?? 0, seen, text, code: stream.rstCode, interim };
  }

  /** Asks by HTTP/2. */
  function ask({ line, fields, body, trailers }: Asked) {
    const stream = open(line, fields, body !== undefined, trailers !== undefined);
    stream.on("wantTrailers", () => stream.sendTrailers(trailers!));
    for (const chunk of body ?? []) stream.write(chunk);
    stream.end();
    return read(stream);
  }

  /** The same by HTTP/1.1. */
  async function askBefore({ line, fields = {}, before: own, body }: Asked) {
    const [method, path] = line.replace("{origin}", target.origin).split(" ");
    const answer = await call(before, `${method} ${path}`, {
      fields: own ?? (Object.entries(fields) as Header[]).filter(([name]) => name !== "content-length"),
      ...(body?.length && { body: body.join("") }),
    });
    return { status: answer.status, seen: listed(lowered(answer.headers)), text: answer.text };
  }

  it.each(ASKED)("asks the target as HTTP/1.1 does: $about", async (asked) => {
    const { status, seen, text, code } = await ask(asked);
    expect(code).toBe(0);
    expect({ status, seen, text }).toEqual(await askBefore(asked));
    const [first, second] = target.requests.map(({ line, headers, body }) => ({
      line,
      // HTTP/2 needs no length.
      fields: { ...listed(lowered(headers)), "content-length": undefined },
      body: body.toString(),
    }));
    expect(first).toEqual(second);
  });

  it.each(ANSWERED)("answers as HTTP/1.1 does: $about", async ({ answer, ...row }) => {
    target.answer = answer;
    const asked = { ...row, line: "GET /api" };
    const { status, seen, text, code } = await ask(asked);
    expect(code).toBe(0);
    expect({ status, seen, text }).toEqual(await askBefore(asked));
  });

  it("answers HEAD without a body", async () => {
    target.answer = raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    const { seen, text } = await ask({ about: "", line: "HEAD /api" });
    expect([seen["content-length"], text]).toEqual(["5", ""]);
  });

  it("passes interim responses on as they come, without fields of a connection", async () => {
    let goOn = () => {};
    target.answer = (_request, socket) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nLink: </b.css>\r\nKeep-Alive: 5\r\n\r\n");
      goOn = () => void socket.write("HTTP/1.1 102 X\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    };
    const stream = open("GET /api");
    stream.once("headers", () => goOn());
    const { interim, status, text } = await read(stream);
    expect(interim).toEqual([[103, { link: "</a.css>, </b.css>" }], [102, {}]]);
    expect([status, text]).toEqual([200, "ok"]);
  });

  it("passes no more than 64 KiB of interim responses on", async () => {
    const long = `HTTP/1.1 103 Early Hints\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`;
    target.answer = (_request, socket) =>
      void socket.write(`${long.repeat(9)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
    const { interim, status, text } = await read(open("GET /api"));
    expect([interim.length, status, text]).toEqual([3, 200, "ok"]);
  });

  it("refuses its version in a request of HTTP/1.1", async () => {
    const { status } = await send(before, "GET /api HTTP/2.0\r\nHost: localhost\r\n\r\n");
    expect([status, target.requests]).toEqual([400, []]);
  });

  it("takes Host and authority for one that differ in letters", async () => {
    const fields = { ":authority": `localhost:${port}`, host: `LocalHost:${port}` };
    expect((await ask({ about: "", line: "GET /api", fields })).status).toBe(200);
  });

  it("drops a field whose name not every runtime can send", async () => {
    const long = `x-${"n".repeat(4_094)}: 1\r\n`;
    target.answer = raw(
      `HTTP/1.1 103 Early Hints\r\n${long}\r\nHTTP/1.1 200 OK\r\n${long}X-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `2\r\nok\r\n0\r\n${long}\r\n`,
    );
    const { interim, status, seen, text, code } = await read(open("GET /api", { te: "trailers" }));
    expect([interim, status, text, code]).toEqual([[[103, {}]], 200, "ok", 0]);
    expect(Object.keys(seen).filter((name) => name.startsWith("x-"))).toEqual(["x-a"]);
  });

  it("leaves a caller out that differs in Host and authority", async () => {
    const { status } = await ask({ about: "", line: "GET /api", fields: { host: "evil.test" } });
    expect([status, target.requests]).toEqual([403, []]);
  });

  it("is told in captures and in HAR, with the version of the target", async () => {
    target.answer = raw("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
    const other = await startMounted(runtime, { target: target.origin, capture: "heads" });
    const caller = openSession(other.http2);
    await read(caller.session.request({ ":path": "/api" }));
    await call(other.http1, "GET /api");
    const har = (await call(other.http1, "GET /__proxy__/traffic.har")).json() as Har;
    const told = har.log.entries.map(({ request, response, _fetchvia: { caller } }) =>
      [caller.request, request, response].map(({ httpVersion }) => httpVersion)
    );
    expect(told).toEqual([["HTTP/2", "HTTP/1.1", "HTTP/1.0"], ["HTTP/1.1", "HTTP/1.1", "HTTP/1.0"]]);
    caller.end();
    other.stop();
  });

  describe("ends a stream", () => {
    it.each([
      { about: "of a silent target", answer: silence, hasBody: false, status: 504, code: 0 },
      { about: "of an upload that stops", answer: silence, hasBody: true, status: 408, code: 0 },
      { about: "of an early refusal", answer: undefined, hasBody: true, status: 413, code: 0 },
      {
        about: "of a body that stops",
        answer: raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
        status: 200,
        code: 2,
      },
      {
        about: "of a body that is cut",
        answer: cut(`HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n${"x".repeat(300_000)}`),
        status: 200,
        code: 2,
      },
      {
        about: "of a body that is cut in chunks",
        answer: raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
        isCut: true,
        status: 200,
        code: 2,
      },
    ])(
      "$about: $status, $code",
      async ({ answer = silence, hasBody = false, isCut = false, status, code }) => {
        target.answer = answer;
        target.early = (request, socket) =>
          void (status === 413 && reply(413, { connection: "close" }, "x".repeat(200_000))(request, socket));
        const stream = open("POST /api", {}, hasBody);
        // It never ends.
        void (hasBody && stream.write("abc"));
        // Not before the head has gone on: a response that ends sooner is a 502.
        stream.once("response", () => void (isCut && target.cut()));
        const seen = await read(stream);
        target.early = () => {};
        expect([seen.status, seen.code]).toEqual([status, code]);
        expect(seen.text.length).toBe(status === 413 ? 200_000 : seen.text.length);
      },
    );

    it.each([
      { answer: "HTTP/1.1 204 No Content\r\n\r\n", method: "POST", status: 204 },
      { answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", method: "PUT", status: 200 },
      { answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", method: "POST", status: 200 },
      { answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", method: "HEAD", status: 200 },
    ])("of an early $status to $method, whose upload is not whole", async ({ answer, method, status }) => {
      target.early = raw(answer);
      const arrived = target.next();
      const stream = open(`${method} /api`, {}, true);
      stream.write("abc");
      const [request, seen] = await Promise.all([arrived, read(stream)]);
      target.early = () => {};
      await request.gone;
      expect([seen.status, seen.code, request.state]).toEqual([status, 0, "cut"]);
    });

    it("of a caller that takes nothing, and lets the target go", async () => {
      target.answer = reply(200, {}, Buffer.alloc(20_000_000));
      const arrived = target.next();
      const stream = open("GET /api");
      const closed = new Promise((resolve) => stream.pause().once("close", resolve));
      await (await arrived).gone;
      await closed;
      expect(stream.rstCode).toBe(2);
    });

    it("whole, whose caller opens its window late", async () => {
      target.answer = reply(200, {}, Buffer.alloc(300_000, "x"));
      const stream = open("GET /api");
      await once(stream, "response");
      expect((await read(stream)).text.length).toBe(300_000);
    });

    it("of a caller who leaves with all of its streams", async () => {
      target.answer = silence;
      const arrived = target.next();
      open("POST /api", {}, true).write("abc");
      const request = await arrived;
      end();
      await request.gone;
      expect(request.state).toBe("cut");
    });
  });

  describe("of frames", () => {
    const head = (...more: [string, string][]) => headOf("/api", ...more);
    const headOf = (path: string, ...more: [string, string][]) =>
      literals([
        [":method", "POST"],
        [":path", path],
        [":scheme", "http"],
        [":authority", `127.0.0.1:${port}`],
        ...more,
      ]);
    let caller: RawHttp2;
    beforeEach(async () => {
      caller = await RawHttp2.open(port);
    });
    afterEach(() => caller.destroy());

    it.each([
      { about: "empty ones", frames: [[DATA, 0, ""], [DATA, 0, ""], [DATA, END_STREAM, ""]], body: "" },
      { about: "an empty one at the end", frames: [[DATA, 0, "abc"], [DATA, END_STREAM, ""]], body: "abc" },
      {
        about: "empty ones between",
        frames: [[DATA, 0, "a"], [DATA, 0, ""], [DATA, END_STREAM, "b"]],
        body: "ab",
      },
      { about: "padded ones", frames: [[DATA, PADDED | END_STREAM, "\x02abc\0\0"]], body: "abc" },
    ] as { about: string; frames: [number, number, string][]; body: string }[])(
      "passes a body on in $about",
      async ({ frames, body }) => {
        caller.send(HEADERS, END_HEADERS, head());
        for (const [type, flags, payload] of frames) caller.send(type, flags, payload);
        expect(await caller.ended).toBe("whole");
        expect(target.request.body.toString()).toBe(body);
      },
    );

    it("reads fields in several", async () => {
      caller.send(HEADERS, END_STREAM, head());
      caller.send(CONTINUATION, END_HEADERS, literals([["x-a", "1"]]));
      expect(await caller.ended).toBe("whole");
      expect(target.request.header("x-a")).toBe("1");
    });

    it("reads an address in UTF-8, as the command does", async () => {
      const path = Buffer.from("/api/ü?q=€").toString("latin1");
      caller.send(HEADERS, END_STREAM | END_HEADERS, headOf(path));
      expect(await caller.ended).toBe("whole");
      expect(target.request.line).toBe("POST /api/%C3%BC?q=%E2%82%AC HTTP/1.1");
    });

    it("keeps single fields that a caller says twice", async () => {
      const fields: [string, string][] = [["if-match", '"a"'], ["if-match", '"b"'], ["accept", "a/b"]];
      caller.send(HEADERS, END_HEADERS | END_STREAM, head(...fields));
      await caller.ended;
      expect(
        target.request.headers.filter(([name]) => name === "if-match").flatMap(([, value]) =>
          value.split(", ")
        ),
      )
        .toEqual(['"a"', '"b"']);
    });

    it("takes no line break in a value for one of its own", async () => {
      caller.send(HEADERS, END_HEADERS | END_STREAM, head(["x-a", "1\r\nx-b: 2"]));
      await caller.ended;
      expect(target.requests.map((request) => request.header("x-b"))).not.toContain("2");
    });

    it.each([0, 8])("cuts a body that is reset by code %i", async (code) => {
      const arrived = target.next();
      caller.send(HEADERS, END_HEADERS, head());
      caller.send(DATA, 0, "abc");
      const request = await arrived;
      await expect.poll(() => request.body.toString()).toBe("abc");
      caller.send(RST_STREAM, 0, Buffer.from([0, 0, 0, code]));
      await request.gone;
      expect(request.state).toBe("cut");
    });

    it.each([
      { about: "a length that is wrong", fields: [["content-length", "9"]] },
      { about: "a field of a connection", fields: [["connection", "x"]] },
      { about: "a coding of transfer", fields: [["transfer-encoding", "chunked"]] },
      { about: "upper case", fields: [["X-A", "1"]] },
      { about: "a pseudo-field behind others", fields: [["x-a", "1"], [":path", "/api/other"]] },
      { about: "an unknown pseudo-field", fields: [[":other", "1"]] },
    ] as { about: string; fields: [string, string][] }[])(
      "sends no whole request with $about",
      async ({ fields }) => {
        caller.send(HEADERS, END_HEADERS, head(...fields));
        caller.send(DATA, END_STREAM, "abc");
        await caller.ended;
        expect(target.requests.filter(({ state }) => state === "whole")).toEqual([]);
      },
    );
  });
});
