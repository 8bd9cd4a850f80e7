/**
 * Trailers (RFC 9110 §6.5) through the proxy in servers of others, both ways: `node:http2` and `node:http` of each runtime, the
 * middleware and the listener of a proxy (rule 17.14).
 * @module
 */
import { once } from "node:events";
import { constants, type OutgoingHttpHeaders } from "node:http2";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { raw, reply } from "../support/answers.ts";
import { open } from "../support/client.ts";
import type { Header } from "../support/http.ts";
import { readExamples, ServedExamples } from "../support/embedded.ts";
import { openSession } from "../support/http2-session.ts";
import { type MountedProgram, startMounted } from "../support/mounted.ts";
import type { ProgramRuntime } from "../support/package.ts";
import { DATA, END_HEADERS, END_STREAM, HEADERS, literals, RawHttp2 } from "../support/raw-http2.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const RUNTIMES: ProgramRuntime[] = ["node", "bun", "deno"];
const FRONTS = ["http2", "http1", "handler"] as const;
const OPTIONS = { timeoutMs: 2_000, idleTimeoutMs: 2_000, allowTargets: ["127.0.0.1"] };

/** A response in chunks. */
const answered = (trailers: readonly string[], fields: readonly string[] = [], body = "ok") =>
  [
    "HTTP/1.1 200 OK",
    "Transfer-Encoding: chunked",
    ...fields,
    "",
    ...(body ? [body.length.toString(16), body] : []),
    "0",
    ...trailers,
    "",
    "",
  ].join("\r\n");

/** Those that no message may have behind its body. */
const NEVER = [
  "Content-Length: 9",
  "Transfer-Encoding: x",
  "Host: b.test",
  "Connection: close",
  "Content-Type: a/b",
  "Cache-Control: no-store",
  "Proxy-Authorization: x",
];

const ANSWERS = [
  {
    about: "that it announces",
    answer: answered(["X-Sum: a", "Server-Timing: b"], [
      "Trailer: X-Sum, Set-Cookie",
      "Trailer: Server-Timing",
    ]),
    trailers: [["x-sum", "a"], ["server-timing", "b"]],
    announced: "X-Sum, Server-Timing",
  },
  { about: "of a name twice", answer: answered(["X-Sum: a", "x-sum: b"]), trailers: [["x-sum", "a, b"]] },
  {
    about: "of gRPC",
    answer: answered(["grpc-status: 0", "grpc-message: caf%C3%A9", "x-bin: AA=="]),
    trailers: [["grpc-status", "0"], ["grpc-message", "caf%C3%A9"], ["x-bin", "AA=="]],
  },
  {
    about: "behind no body",
    answer: answered(["grpc-status: 5"], ["Trailer: grpc-status"], ""),
    trailers: [["grpc-status", "5"]],
    announced: "grpc-status",
    body: "",
  },
  {
    about: "with bytes, and empty",
    answer: answered(["X-A: caf\xe9", "X-B:"]),
    trailers: [["x-a", "caf\xe9"], ["x-b", ""]],
  },
  {
    about: "of which some never go on",
    answer: answered(
      [
        ...NEVER,
        "Set-Cookie: a=1",
        "Location: /x",
        "WWW-Authenticate: Basic",
        "X-Sum: a",
        "Access-Control-Allow-Origin: *",
      ],
      ["Trailer: Set-Cookie, Location"],
    ),
    trailers: [["x-sum", "a"]],
  },
  {
    about: "of which the table removes one, and sets one",
    answer: answered(["X-Gone: 1", "X-Set: 1", "X-Sum: a"], ["Trailer: X-Gone, X-Sum"]),
    trailers: [["x-sum", "a"]],
    announced: "X-Sum",
  },
  { about: "that never come", answer: answered([], ["Trailer: X-Sum"]), announced: "X-Sum" },
  {
    about: "that are announced beside a length",
    answer: "HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\nok",
  },
  {
    about: "that are announced beside a long length",
    answer: `HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 500000\r\n\r\n${"x".repeat(500_000)}`,
    body: "x".repeat(500_000),
  },
  {
    about: "that are announced by 204",
    answer: "HTTP/1.1 204 No Content\r\nTrailer: X-Sum\r\n\r\n",
    body: "",
  },
  {
    about: "that a long body precedes",
    answer: answered(["X-Sum: a"], [], "x".repeat(900_000)),
    trailers: [["x-sum", "a"]],
    body: "x".repeat(900_000),
  },
  {
    about: "that are large",
    answer: answered(["X-Sum: a", ...Array.from({ length: 7 }, (_, at) => `X-${at}: ${"v".repeat(8_000)}`)]),
    trailers: [["x-sum", "a"], ...Array.from({ length: 7 }, (_, at) => [`x-${at}`, "v".repeat(8_000)])],
  },
];

const UPLOADS = [
  {
    about: "that it announces",
    fields: { trailer: "X-Sum, Authorization" },
    trailers: [["x-sum", "a"], ["x-b", "caf\xe9"]],
    received: [["x-sum", "a"], ["x-b", "caf\xe9"]],
    announced: "X-Sum",
  },
  {
    about: "of a name twice",
    trailers: [["x-sum", "a"], ["x-sum", "b"]],
    received: [["x-sum", "a"], ["x-sum", "b"]],
  },
  { about: "behind no body", body: "", trailers: [["x-sum", "a"]], received: [["x-sum", "a"]] },
  { about: "with GET", line: "GET /api", trailers: [["x-sum", "a"]], received: [["x-sum", "a"]] },
  {
    about: "of which some never go on",
    fields: { trailer: "Host, Cookie" },
    trailers: [
      ["authorization", "x"],
      ["cookie", "a=1"],
      ["x-forwarded-for", "1"],
      ["proxy_host", "b.test"],
      ["x-sum", "a"],
      ["host", "b.test"],
    ],
    received: [["x-sum", "a"]],
  },
  { about: "that never come", fields: { trailer: "X-Sum" }, trailers: [], received: [], announced: "X-Sum" },
  {
    about: "behind a long body",
    body: "x".repeat(900_000),
    trailers: [["x-sum", "a"]],
    received: [["x-sum", "a"]],
  },
] as {
  about: string;
  line?: string;
  fields?: OutgoingHttpHeaders;
  body?: string;
  trailers: Header[];
  received: Header[];
  announced?: string;
}[];

/** What a caller asks. */
interface Asked {
  line?: string | undefined;
  fields?: OutgoingHttpHeaders | undefined;
  body?: string | undefined;
  trailers?: Header[] | undefined;
}

/** What it gets. */
interface Got {
  status: unknown;
  announced: unknown;
  text: string;
  trailers: Header[];
  isWhole: boolean;
}

/** Lines of equal names as one. */
function joined(lines: readonly Header[]): Header[] {
  const values = new Map<string, string[]>();
  for (const [written, value] of lines) {
    const name = written.toLowerCase();
    values.set(name, [...values.get(name) ?? [], value]);
  }
  return [...values].map(([name, all]) => [name, all.join(", ")]);
}

/** Asks by HTTP/2, by a client of Node. */
async function askHttp2(port: number, { line = "GET /api", fields, body, trailers }: Asked): Promise<Got> {
  const { session, end } = openSession(port);
  const [method, path] = line.split(" ");
  const hasTrailers = trailers !== undefined && trailers.length > 0;
  const stream = session.request({ ":method": method, ":path": path, ...fields }, {
    endStream: body === undefined,
    waitForTrailers: hasTrailers,
  });
  stream.on("error", () => {});
  const sent: Record<string, string[]> = {};
  for (const [name, value] of trailers ?? []) (sent[name] ??= []).push(value);
  stream.on("wantTrailers", () => stream.sendTrailers(sent));
  let head: Record<string, unknown> = {};
  let got: Header[] = [];
  let text = "";
  stream.on("response", (fields) => (head = { ...fields }));
  stream.on("trailers", (fields) => (got = Object.entries(fields) as Header[]));
  stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  stream.end(body);
  await once(stream, "close");
  end();
  const isWhole = stream.rstCode === constants.NGHTTP2_NO_ERROR;
  return { status: head[":status"], announced: head["trailer"], text, trailers: got, isWhole };
}

/** Asks by HTTP/1.1. */
async function askHttp1(
  port: number,
  { line = "GET /api", fields = {}, body, trailers }: Asked,
): Promise<Got> {
  const connection = await open(port);
  const lines = [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  for (const [name, value] of Object.entries(fields)) lines.push(`${name}: ${String(value)}`);
  const chunk = body ? `${body.length.toString(16)}\r\n${body}\r\n` : "";
  const end = `0\r\n${(trailers ?? []).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  const framing = body === undefined ? [] : ["Transfer-Encoding: chunked"];
  const head = [...lines, ...framing, "", ""].join("\r\n");
  connection.write(Buffer.from(`${head}${body === undefined ? "" : chunk + end}`, "latin1"));
  const answer = await connection.answer(line.split(" ")[0]);
  connection.destroy();
  return {
    status: answer.status,
    announced: answer.headersNamed("trailer").join(", ") || undefined,
    text: answer.text,
    trailers: joined(answer.trailers),
    isWhole: answer.ended === "end",
  };
}

const TAKES = { te: "trailers" };

describe.each(RUNTIMES)("trailers on %s", (runtime) => {
  let target: Upstream;
  let program: MountedProgram;

  beforeAll(async () => {
    target = await listen();
    const targets = { "127.0.0.1": { answerRemove: ["x-gone"], answerSet: { "x-set": "2" } } };
    program = await startMounted(runtime, { ...OPTIONS, target: target.origin, targets } as object);
  });
  afterAll(async () => {
    program.stop();
    await target.close();
  });
  beforeEach(() => {
    target.answer = reply(200, {}, "ok");
    target.requests.length = 0;
  });

  describe.each(FRONTS)("by %s", (front) => {
    const connecting = front === "http2" ? {} : { connection: "TE" };
    const ask = (asked: Asked) => (front === "http2" ? askHttp2 : askHttp1)(program[front], asked);

    it.each(ANSWERS)("of a response: $about", async ({ answer, trailers = [], announced, body = "ok" }) => {
      target.answer = raw(Buffer.from(answer, "latin1"));
      const got = await ask({ fields: { ...TAKES, ...connecting } });
      expect({ ...got, status: 0 }).toEqual({ status: 0, announced, text: body, trailers, isWhole: true });
      const [received] = target.requests;
      expect([received!.header("te"), received!.header("connection")]).toEqual(["trailers", "TE"]);
    });

    it("reach nobody who takes none", async () => {
      target.answer = raw(answered(["X-Sum: a"], ["Trailer: X-Sum"]));
      const got = await ask({});
      expect([got.text, got.isWhole, got.trailers, got.announced]).toEqual(["ok", true, [], undefined]);
      expect(target.request.headersNamed("te")).toEqual([]);
    });

    it("are announced by no HEAD", async () => {
      target.answer = raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n");
      const { status, announced, isWhole } = await ask({
        line: "HEAD /api",
        fields: { ...TAKES, ...connecting },
      });
      expect([status, announced, isWhole]).toEqual([200, undefined, true]);
    });

    it("that are malformed go nowhere", async () => {
      target.answer = raw(answered(["X-Sum: a", "X Sum: a"]));
      const { status, trailers } = await ask({ fields: { ...TAKES, ...connecting } });
      expect([status, trailers]).toEqual([502, []]);
    });

    it.each(UPLOADS)(
      "of a request: $about",
      async ({ line = "POST /api", body = "ok", received, announced, ...asked }) => {
        const { status } = await ask({ line, body, ...asked });
        const { request } = target;
        expect([status, request.body.toString(), request.header("trailer")]).toEqual([200, body, announced]);
        expect(request.trailers).toEqual(received);
      },
    );

    it("of a body with a length stay behind, and so does what announces them", async () => {
      const fields = { "content-length": "2", trailer: "x-sum" };
      const asked = front === "http2" ? { body: "ok", trailers: [["x-sum", "a"]] as Header[] } : {};
      target.early = () => {};
      const arrived = target.next();
      void ask({ line: "POST /api", fields, ...asked });
      const request = await arrived;
      expect([request.headersNamed("trailer"), request.header("content-length")]).toEqual([[], "2"]);
    });
  });

  describe("by HTTP/2", () => {
    it("come behind a stream that went both ways", async () => {
      target.answer = () => {};
      target.early = (_request, socket) =>
        void socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
      const arrived = target.next();
      const { session, end } = openSession(program.http2);
      const stream = session.request({
        ":method": "POST",
        ":path": "/api/Greeter/Chat",
        "content-type": "application/grpc",
        te: "trailers",
      }, { waitForTrailers: true });
      stream.on("wantTrailers", () => stream.sendTrailers({ "x-sent": "2" }));
      stream.write("first");
      const request = await arrived;
      expect(String((await once(stream, "data"))[0])).toBe("one");
      target.answer = (_request, socket) => void socket.write("3\r\ntwo\r\n0\r\ngrpc-status: 0\r\n\r\n");
      const trailers = once(stream, "trailers");
      stream.end("second");
      expect(String((await once(stream, "data"))[0])).toBe("two");
      expect((await trailers)[0]).toMatchObject({ "grpc-status": "0" });
      target.early = () => {};
      end();
      expect([request.body.toString(), request.trailers]).toEqual(["firstsecond", [["x-sent", "2"]]]);
    });

    it.each([
      { about: "as large as it takes", bytes: 65_535 - 8 * 32 - 8 * 3, count: 8 },
      { about: "a byte larger", bytes: 65_535 - 8 * 32 - 8 * 3 + 1, count: 0 },
    ])("end a stream cleanly that are $about", async ({ bytes, count }) => {
      const lines = Array.from({ length: 8 }, (_, at) => {
        const length = Math.floor((bytes + at) / 8);
        return `x-${at}: ${"v".repeat(length)}`;
      });
      target.answer = raw(answered(lines));
      const { text, isWhole, trailers } = await askHttp2(program.http2, { fields: TAKES });
      expect([text, isWhole, trailers.length]).toEqual(["ok", true, count]);
    });

    it.each([
      { about: "a pseudo-field", trailer: [":path", "/api/other"] },
      { about: "upper case", trailer: ["X-A", "1"] },
      { about: "a field of a connection", trailer: ["connection", "close"] },
      { about: "a line break", trailer: ["x-a", "1\r\nx-b: 2"] },
    ] as { about: string; trailer: Header }[])("take nothing in that hold $about", async ({ trailer }) => {
      const caller = await RawHttp2.open(program.http2);
      const head = literals([
        [":method", "POST"],
        [":path", "/api"],
        [":scheme", "http"],
        [":authority", `127.0.0.1:${program.http2}`],
      ]);
      caller.send(HEADERS, END_HEADERS, head);
      caller.send(DATA, 0, "abc");
      caller.send(HEADERS, END_HEADERS | END_STREAM, literals([trailer]));
      await caller.ended;
      caller.destroy();
      expect(target.requests.flatMap((request) => request.trailers)).toEqual([]);
      expect(target.targets).not.toContain("/api/other");
    });
  });

  it("keep their letters by HTTP/1.1, and the next request follows", async () => {
    target.answer = raw(answered(["X-SUM: a", "x-Sum: b"]));
    const connection = await open(program.http1);
    const head =
      `POST /api HTTP/1.1\r\nHost: 127.0.0.1\r\nTE: trailers\r\nConnection: TE\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const bytes = `${head}2\r\nok\r\n0\r\nX-ONE: 1\r\nx-One: 2\r\n\r\n`;
    connection.write(bytes + bytes);
    for (const answer of [await connection.answer(), await connection.answer()]) {
      expect([answer.text, answer.trailers]).toEqual(["ok", [["X-SUM", "a"], ["x-Sum", "b"]]]);
    }
    connection.destroy();
    expect(target.requests.map((request) => request.trailers))
      .toEqual([[["X-ONE", "1"], ["x-One", "2"]], [["X-ONE", "1"], ["x-One", "2"]]]);
  });

  it("reach no caller of HTTP/1.0", async () => {
    target.answer = raw(answered(["X-Sum: a"], ["Trailer: X-Sum"]));
    const connection = await open(program.http1);
    connection.write("GET /api HTTP/1.0\r\nHost: 127.0.0.1\r\nTE: trailers\r\nConnection: TE\r\n\r\n");
    const answer = await connection.answer();
    connection.destroy();
    expect([answer.text, answer.headersNamed("trailer")]).toEqual(["ok", []]);
    expect(target.request.headersNamed("te")).toEqual([]);
  });
});

/** `uploaded`: what a caller gets that sends trailers. */
const OTHERS = [
  { runtime: "bun", uploaded: 400 },
  { runtime: "deno", uploaded: 200 },
  { runtime: "serve", uploaded: 200 },
];

describe.each(OTHERS)("trailers in a server that has none, $runtime,", ({ runtime, uploaded }) => {
  let target: Upstream;
  let served: ServedExamples;
  let port: number;
  beforeAll(async () => {
    target = await listen();
    served = new ServedExamples(target);
    ({ port } = await served.start(readExamples().find((example) => example.runtime === runtime)!));
  });
  beforeEach(() => void (target.requests.length = 0));
  afterAll(async () => {
    served.stop();
    await target.close();
  });

  const ask = (trailers: Header[]) => {
    target.answer = raw(answered(["X-Sum: a"], ["Trailer: X-Sum"]));
    const fields = { proxy_host: target.origin, trailer: "X-Sum", ...TAKES };
    return askHttp1(port, { line: "POST /proxy", fields, body: "hi", trailers });
  };

  it("are not asked for, and dropped: the response ends cleanly", async () => {
    expect(await ask([]))
      .toEqual({ status: 200, announced: undefined, text: "ok", trailers: [], isWhole: true });
    expect(target.request.head).not.toMatch(/^(?:te|trailer):/im);
  });

  it("reach no target with an upload", async () => {
    const { status } = await ask([["X-Sum", "a"]]);
    expect([status, target.requests.flatMap((request) => request.trailers)]).toEqual([uploaded, []]);
  });
});
