import { describe, expect, it } from "vitest";
import { writeHar } from "../../../src/parts/console/har.ts";
import { MAX_ENTRIES, readHar } from "../../../src/console/inspector/har-read.ts";
import type { Capture, CapturedResponse } from "../../../src/parts/capture/capture.ts";
import { captureGet, capturePost, captureSocket, captureTrailers, kept } from "./captures.ts";
import { rowsOf } from "../../support/rows.ts";

async function write(captures: Capture[]): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of writeHar(captures)) pieces.push(piece);
  return pieces.join("");
}

/** A small entry as Chromium writes it. */
const ENTRY = {
  startedDateTime: "2030-01-02T03:04:05.678Z",
  time: 12,
  request: {
    method: "POST",
    url: "https://api.test/a?b",
    headers: [{ name: ":authority", value: "api.test" }, { name: "x-a", value: "1" }],
    postData: { mimeType: "text/plain", text: "hällo" },
  },
  response: {
    status: 200,
    statusText: "",
    headers: [{ name: "content-encoding", value: "br" }],
    content: { size: 3, mimeType: "image/png", text: "AP9B", encoding: "base64" },
  },
  timings: { blocked: 1, dns: 2, connect: 5, ssl: 3, send: 1, wait: 2, receive: 1 },
};
const TLS = {
  protocol: "TLSv1.3",
  cipher: "TLS_AES_128_GCM_SHA256",
  alpn: "http/1.1",
  certificate: {
    subject: "CN=a.test",
    issuer: "CN=authority",
    validTo: "2030-01-02T03:04:05.000Z",
    isUnchecked: true as const,
  },
};
const fileOf = (...entries: unknown[]) => JSON.stringify({ log: { entries } });

describe("readHar", () => {
  it("reads what developer tools write", () => {
    const { captures: [capture], left } = readHar(`\ufeff${fileOf(ENTRY)}`);
    expect(left).toBe(0);
    expect(capture?.request)
      .toEqual({ method: "POST", url: "https://api.test/a?b", headers: [["x-a", "1"]] });
    expect(capture?.hops[0]?.times).toEqual({
      startMs: 1,
      lookedUpMs: 3,
      connectedMs: 5,
      securedMs: 8,
      sentMs: 9,
      firstByteMs: 11,
      endMs: 12,
    });
    expect(Buffer.from(capture!.requestBody!.base64, "base64").toString()).toBe("hällo");
    expect(capture?.responseBody).toEqual({ base64: "AP9B", size: 3, isOver: true, isDecoded: true });
  });

  it("passes over what others write where HAR names nothing", () => {
    const entry = {
      ...ENTRY,
      request: { ...ENTRY.request, _trailers: "x" },
      response: { ...ENTRY.response, _trailers: [1], _interimResponses: [{ headers: 1 }, null] },
    };
    const { captures: [capture] } = readHar(fileOf(entry));
    expect(capture?.hops[0]?.request.trailers).toBeUndefined();
    expect(capture?.hops[0]?.response?.trailers).toBeUndefined();
    expect(capture?.hops[0]?.interims).toEqual([{ atMs: 0, status: 0, statusText: "", headers: [] }]);
  });

  it("reads its own files back", async () => {
    const [hop] = capturePost().hops;
    const seeOther = { status: 303, statusText: "", httpVersion: "HTTP/1.0", headers: [["location", "/b"]] };
    const moved = capturePost({
      request: { ...capturePost().request, httpVersion: "HTTP/2" },
      hops: [
        {
          ...hop!,
          response: seeOther as CapturedResponse,
          connection: "7",
          tls: TLS,
          addresses: ["192.0.2.7"],
        },
        {
          ...captureGet("https://api.test/b", { headers: [["content-type", "text/plain"]] }).hops[0]!,
          times: { startMs: 171, sentMs: 172, firstByteMs: 173, endMs: 174 },
        },
      ],
    });
    const { captures } = readHar(await write([moved, captureSocket(), captureTrailers()]));
    const [first, second, third] = captures;
    const { request, interims, response, hops } = captureTrailers();
    expect(third).toMatchObject({ request, interims, response });
    // A file counts from when the hop began.
    expect(third?.hops).toMatchObject(hops.map((hop) => ({
      request: hop.request,
      response: hop.response,
      interims: hop.interims?.map(({ atMs, ...head }) => ({ ...head, atMs: atMs - 1 })),
    })));
    expect(first).toMatchObject({
      request: moved.request,
      response: moved.response,
      selector: "header",
      callerId: "shop",
    });
    expect(first?.hops[0])
      .toMatchObject({ connection: "7", response: seeOther, tls: TLS, addresses: ["192.0.2.7"] });
    expect(first?.hops.map(({ request }) => request)).toEqual(moved.hops.map(({ request }) => request));
    expect(first?.requestBody).toEqual(moved.requestBody);
    expect(first?.responseBody).toEqual({ ...moved.responseBody, isDecoded: true });
    expect(first?.headMs).toBeCloseTo(172);
    expect(second?.messages?.map(({ atMs, ...message }) => [Math.round(atMs * 10) / 10, message]))
      .toEqual(captureSocket().messages?.map(({ atMs, ...message }) => [atMs, message]));
  });

  it("reads back who answered, and what was not whole", async () => {
    const message = { atMs: 1, from: "caller", kind: "text", size: 9, base64: "qgA=" } as const;
    const messages = [{ ...message, isCompressed: true }, { ...message, base64: btoa("\xef\xbb\xbfa") }];
    const refused = { method: "PUT", url: "http://169.254.169.254/x" };
    const [hop] = capturePost().hops;
    const coded = { ...hop!.response!, headers: [["content-encoding", "x-own"]] } as CapturedResponse;
    const written = [
      capturePost({ id: "a", hops: [], refused, error: "address_prohibited" }),
      capturePost({ id: "b", requestBody: { ...kept("abc"), isOver: false } }),
      capturePost({ id: "c", responseBody: { ...kept("abc"), size: 9 } }),
      capturePost({ id: "d", responseBody: { ...kept("abc"), withheld: "its memory is used up" } }),
      capturePost({ id: "e", hops: [{ ...hop!, response: coded }] }),
      { ...captureSocket(), id: "f", messages, skippedMessages: 3 },
    ];
    const { captures: [own, running, cut, withheld, encoded, socket] } = readHar(await write(written));
    expect(own).toMatchObject({ hops: [], refused, error: "address_prohibited" });
    expect(running?.requestBody).toEqual(written[1]!.requestBody);
    expect(cut?.responseBody).toMatchObject(written[2]!.responseBody!);
    expect(withheld?.responseBody).toMatchObject({ base64: "", withheld: "its memory is used up" });
    expect(encoded?.responseBody).toEqual(written[4]!.responseBody);
    expect(socket)
      .toMatchObject({ messages: messages.map(({ atMs: _, ...rest }) => rest), skippedMessages: 3 });
  });

  it.each(rowsOf(["mimeType", "body"], [
    ["application/x-www-form-urlencoded", "a=1+2&b=%C3%BC"],
    ["multipart/form-data", undefined],
  ]))("reads the parameters of a form that stand alone: $mimeType", ({ mimeType, body }) => {
    const params = [{ name: "a", value: "1 2" }, { name: "b", value: "ü" }];
    const request = { ...ENTRY.request, bodySize: 14, postData: { mimeType, params } };
    const { captures: [capture] } = readHar(fileOf({ ...ENTRY, request }));
    expect(atob(capture!.requestBody!.base64) || undefined).toBe(body);
  });

  it.each([1, { certificate: 1 }, { protocol: {}, certificate: { subject: [], isUnchecked: "yes" } }])(
    "reads texts alone of TLS: %j",
    (_tls) => {
      const { captures: [capture] } = readHar(fileOf({ ...ENTRY, _tls }));
      expect(JSON.stringify(capture?.hops[0]?.tls ?? {})).not.toMatch(/1|\[\]|yes|\{\}\}/);
    },
  );

  it("takes so many and says how many it left", () => {
    const { captures, left } = readHar(fileOf(...Array.from({ length: MAX_ENTRIES + 2 }, () => ENTRY)));
    expect([captures.length, left]).toEqual([MAX_ENTRIES, 2]);
  });

  it.each(rowsOf(["file", "error"], [
    ["<html>", /is no JSON/],
    ["[]", /the file is no object, expected a HAR file/],
    ["{}", /log is missing, expected an object/],
    ['{"log":{}}', /log\.entries is missing, expected an array/],
    [fileOf(1), /log\.entries\[0\] is no object/],
    [fileOf({}), /log\.entries\[0\]\.request is missing/],
    [fileOf({ ...ENTRY, response: 1 }), /log\.entries\[0\]\.response is missing/],
    [fileOf({ ...ENTRY, request: { method: "GET" } }), /request\.url is missing, expected a text/],
    [fileOf({ ...ENTRY, request: { ...ENTRY.request, url: "x" } }), /request\.url is no address/],
    [fileOf({ ...ENTRY, startedDateTime: "now" }), /startedDateTime is no date/],
    [fileOf({ ...ENTRY, request: { ...ENTRY.request, headers: {} } }), /request\.headers is no array/],
    [fileOf({ ...ENTRY, request: { ...ENTRY.request, headers: [1] } }), /request\.headers\[0\] is no object/],
    [
      fileOf({ ...ENTRY, response: { ...ENTRY.response, content: { text: "?", encoding: "base64" } } }),
      /content\.text is no Base64/,
    ],
    [
      fileOf({ ...ENTRY, _fetchvia: { caller: { request: { method: "GET", url: "/", headers: 1 } } } }),
      /caller\.request\.headers is no array/,
    ],
  ]))("says what is wrong: $error", ({ file, error }) => expect(() => readHar(file)).toThrow(error));
});
