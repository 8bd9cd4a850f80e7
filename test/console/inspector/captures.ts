/** Captured requests for tests: a plain one, one with a redirect, a failure, and WebSockets. @module */
import type { Capture, CapturedBody, FieldLine } from "../../../src/parts/capture/capture.ts";

/** A body that was kept as a whole. */
export function kept(content: string | Uint8Array): CapturedBody {
  const bytes = Buffer.from(content as string);
  return { base64: bytes.toString("base64"), size: bytes.length, isOver: true };
}

/** A POST of JSON by the header `proxy_host`, answered with JSON. */
export function capturePost(changes: Partial<Capture> = {}): Capture {
  const request = '{ "a" : 1.0, "id": 12345678901234567890 }';
  return {
    id: "c0ffee000001",
    time: Date.UTC(2030, 0, 2, 3, 4, 5, 678),
    selector: "header",
    callerId: "shop",
    isRunning: false,
    request: {
      method: "POST",
      url: "http://localhost:8080/order?draft=1&q=a+b",
      headers: [
        ["Host", "localhost:8080"],
        ["proxy_host", "https://api.test"],
        ["Content-Type", "application/json"],
        ["Content-Length", String(request.length)],
        ["Connection", "keep-alive"],
        ["Cookie", 'sid=1; theme="dark"'],
        ["X-A", "1"],
        ["X-A", "2"],
      ],
    },
    response: {
      status: 201,
      statusText: "Created",
      headers: [
        ["content-type", "application/json; charset=utf-8"],
        ["set-cookie", "sid=2; Path=/; HttpOnly"],
        ["vary", "proxy_host, Cookie"],
      ],
    },
    hops: [{
      request: {
        method: "POST",
        url: "https://api.test/order?draft=1&q=a+b",
        headers: [
          ["content-type", "application/json"],
          ["content-length", String(request.length)],
          ["cookie", 'sid=1; theme="dark"'],
          ["x-a", "1"],
          ["x-a", "2"],
          ["host", "api.test"],
          ["cdn-loop", "fetchvia-1"],
        ],
      },
      response: {
        status: 201,
        statusText: "Created",
        headers: [
          ["content-type", "application/json; charset=utf-8"],
          [
            "set-cookie",
            "sid=2; Domain=api.test; Path=/; Expires=Wed, 02 Jan 2030 03:04:05 GMT; HttpOnly; Secure",
          ],
          ["connection", "close"],
        ],
      },
      addresses: ["192.0.2.7"],
      times: {
        startMs: 1,
        lookedUpMs: 4,
        connectedMs: 24,
        securedMs: 64,
        sentMs: 65,
        firstByteMs: 165,
        endMs: 170.5,
        isReused: false,
      },
    }],
    requestBody: kept(request),
    responseBody: kept('{"ok":true,"name":"Köln"}'),
    headMs: 166,
    totalMs: 171,
    ...changes,
  };
}

/** A POST with trailers on all sides, whose target said 100 and 103 first. */
export function captureTrailers(): Capture {
  const capture = capturePost();
  const [hop] = capture.hops;
  const hints = { status: 103, statusText: "Early Hints", headers: [["Link", "</a.css>; rel=preload"]] };
  return {
    ...capture,
    request: { ...capture.request, trailers: [["X-Sum", "a"], ["Authorization", "***(1 bytes, 0000)"]] },
    interims: [{ atMs: 121, ...hints, headers: [["Link", "</mapped.css>; rel=preload"]] }],
    response: { ...capture.response!, trailers: [["X-Sum", "b"]] },
    hops: [{
      ...hop!,
      request: { ...hop!.request, trailers: [["X-Sum", "a"]] },
      interims: [
        { atMs: 100, status: 100, statusText: "Continue", headers: [] },
        { atMs: 120, ...hints, headers: [["Link", "</a.css>; rel=preload"]] },
      ],
      response: { ...hop!.response!, trailers: [["X-Sum", "b"], ["Expires", "0"]] },
    }],
  };
}

/** A GET of a path, answered with these fields and bytes. */
export function captureGet(
  url: string,
  { status = 200, headers = [], body }: {
    status?: number;
    headers?: FieldLine[];
    body?: string | Uint8Array;
  } = {},
  id = "c0ffee000002",
): Capture {
  const request = { method: "GET", url, headers: [["accept", "*/*"]] as FieldLine[] };
  const response = { status, statusText: "", headers };
  return {
    id,
    time: Date.UTC(2030, 0, 2),
    selector: "url",
    isRunning: false,
    request: { ...request, url: `http://localhost:8080/__proxy__/?url=${encodeURIComponent(url)}` },
    response,
    hops: [{ request, response, times: { startMs: 0, sentMs: 1, firstByteMs: 3, endMs: 4, isReused: true } }],
    ...(body !== undefined && { responseBody: kept(body) }),
    headMs: 3,
    totalMs: 4,
  };
}

/** A WebSocket with a message from each side, still open. */
export function captureSocket(changes: Partial<Capture> = {}): Capture {
  const socket = captureGet("http://ws.test/chat", { status: 101, headers: [["upgrade", "websocket"]] });
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return {
    ...socket,
    isRunning: true,
    messages: [
      { atMs: 10, from: "caller", kind: "text", size: 5, base64: base64("hallo") },
      {
        atMs: 20.5,
        from: "target",
        kind: "binary",
        size: 3,
        base64: Buffer.of(0, 255, 65).toString("base64"),
      },
      { atMs: 30, from: "target", kind: "close", size: 2, base64: Buffer.of(3, 232).toString("base64") },
    ],
    ...changes,
  };
}
