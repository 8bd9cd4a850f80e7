import type { Entry } from "har-format";
import { describe, expect, it } from "vitest";
import { type HarEntry, writeHarEntries } from "../../../src/parts/console/har-entry.ts";
import { checkHar } from "../../support/har-check.ts";
import { captureGet, capturePost, captureSocket } from "../../console/inspector/captures.ts";
import { captureTrailers, kept } from "../../console/inspector/captures.ts";
import { rowsOf } from "../../support/rows.ts";

const first = async (capture: Parameters<typeof writeHarEntries>[0]): Promise<HarEntry> => {
  const [entry] = await writeHarEntries(capture, { left: 1_000 });
  return entry as HarEntry;
};

describe("writeHarEntries", () => {
  it("writes the request and the response as they stood at the target", async () => {
    const { request, response, ...entry } = await first(capturePost());
    expect(entry).toEqual({
      startedDateTime: "2030-01-02T03:04:05.679Z",
      time: 169.5,
      cache: {},
      timings: { blocked: -1, dns: 3, connect: 60, ssl: 40, send: 1, wait: 100, receive: 5.5 },
      serverIPAddress: "192.0.2.7",
      _fetchvia: {
        id: "c0ffee000001",
        selector: "header",
        callerId: "shop",
        hop: 1,
        hops: 1,
        caller: { request: capturePost().request, response: capturePost().response },
      },
    });
    expect(request).toMatchObject({
      method: "POST",
      url: "https://api.test/order?draft=1&q=a+b",
      cookies: [{ name: "sid", value: "1" }, { name: "theme", value: '"dark"' }],
      queryString: [{ name: "draft", value: "1" }, { name: "q", value: "a b" }],
      postData: {
        mimeType: "application/json",
        text: '{ "a" : 1.0, "id": 12345678901234567890 }',
        params: [],
      },
      bodySize: 41,
    });
    expect(request.headers.filter(({ name }) => name === "x-a")).toHaveLength(2);
    expect(response).toMatchObject({
      status: 201,
      statusText: "Created",
      cookies: [{
        name: "sid",
        value: "2",
        domain: "api.test",
        path: "/",
        expires: "2030-01-02T03:04:05.000Z",
        httpOnly: true,
        secure: true,
      }],
      content: { size: 26, mimeType: "application/json; charset=utf-8", text: '{"ok":true,"name":"Köln"}' },
      redirectURL: "",
      bodySize: 26,
    });
  });

  it("says of a cookie why the proxy withheld it", async () => {
    const headers: [string, string][] = [["Set-Cookie", "a=1; Domain=b.test"], ["Set-Cookie", "b=1; Secure"]];
    const [entry] = await writeHarEntries(captureGet("https://api.test/", { headers }), { left: 1_000 });
    expect(entry?.response.cookies.map(({ comment }) => comment))
      .toEqual(["Withheld: its Domain is another host", undefined]);
  });

  it("writes trailers and what came before a response where HAR has no place for them", async () => {
    const entry = await first(captureTrailers());
    expect(entry.request._trailers).toEqual([{ name: "X-Sum", value: "a" }]);
    expect(entry.response._trailers)
      .toEqual([{ name: "X-Sum", value: "b" }, { name: "Expires", value: "0" }]);
    expect(entry.response._interimResponses).toEqual([
      { time: Date.UTC(2030, 0, 2, 3, 4, 5, 778) / 1_000, status: 100, statusText: "Continue", headers: [] },
      {
        time: Date.UTC(2030, 0, 2, 3, 4, 5, 798) / 1_000,
        status: 103,
        statusText: "Early Hints",
        headers: [{ name: "Link", value: "</a.css>; rel=preload" }],
      },
    ]);
    const { request, interims, response } = captureTrailers();
    expect(entry._fetchvia.caller).toEqual({ request, interims, response });
    expect(checkHar({ log: { version: "1.2", creator: { name: "x", version: "1" }, entries: [entry] } }))
      .toEqual([]);
    expect(JSON.stringify(await first(capturePost()))).not.toMatch(/trailers|interim/i);
  });

  it("names the versions of both sides, the connection and its TLS", async () => {
    const { request, hops: [hop] } = capturePost();
    const tls = { protocol: "TLSv1.3", alpn: "http/1.1" };
    const old = { ...hop!, response: { ...hop!.response!, httpVersion: "HTTP/1.0" }, connection: "7", tls };
    const sent = { ...request, httpVersion: "HTTP/2" };
    const rows = [{ request: sent, hops: [old] }, { request: sent, hops: [] }, {}];
    const entries = await Promise.all(rows.map((row) => first(capturePost(row))));
    const versions = entries.map(({ request, response }) => [request.httpVersion, response.httpVersion]);
    expect(versions).toEqual([["HTTP/1.1", "HTTP/1.0"], ["HTTP/2", "HTTP/2"], ["HTTP/1.1", "HTTP/1.1"]]);
    expect(entries.map(({ connection, _tls }) => [connection, _tls]))
      .toEqual([["7", tls], ...Array(2).fill([undefined, undefined])]);
    expect(entries[0]?._fetchvia.caller.request.httpVersion).toBe("HTTP/2");
    expect(checkHar({ log: { version: "1.2", creator: { name: "x", version: "1" }, entries } })).toEqual([]);
  });

  it("fits the types of HAR", async () => {
    const entries: Entry[] = await writeHarEntries(capturePost(), { left: 1_000 }) as (HarEntry & Entry)[];
    expect(entries).toHaveLength(1);
  });

  it("writes one entry for each hop; the body of the answer is the last one's", async () => {
    const [hop] = capturePost().hops;
    const capture = capturePost({
      hops: [
        { ...hop!, response: { status: 303, statusText: "See Other", headers: [["Location", "/done"]] } },
        {
          ...captureGet("https://api.test/done", { headers: [["content-type", "text/plain"]] }).hops[0]!,
          error: "response_timeout",
        },
      ],
    });
    const [before, after] = await writeHarEntries(capture, { left: 1_000 });
    expect(before?.response)
      .toMatchObject({ status: 303, redirectURL: "/done", content: { size: 0 }, bodySize: 0 });
    expect(before?.request.postData?.text).toContain("12345678901234567890");
    expect(after?.request).toMatchObject({ method: "GET", bodySize: 0 });
    expect(after?.request.postData).toBeUndefined();
    expect(after?.response.content.text).toBe('{"ok":true,"name":"Köln"}');
    expect(after?._fetchvia).toMatchObject({ hop: 2, hops: 2, error: "response_timeout" });
  });

  it.each(rowsOf(["what", "type", "body", "postData"], [
    ["a form has parameters", "application/x-www-form-urlencoded", kept("a=1+2&b=%C3%BC"), {
      text: "a=1+2&b=%C3%BC",
      params: [{ name: "a", value: "1 2" }, { name: "b", value: "ü" }],
    }],
    ["bytes are Base64", "application/octet-stream", kept(Uint8Array.of(255, 0)), {
      text: "/wA=",
      encoding: "base64",
      params: [],
    }],
  ]))("of a request's body: $what", async ({ type, body, postData }) => {
    const [hop] = capturePost().hops;
    const request = {
      method: "PUT",
      url: "https://a.test/",
      headers: [["content-type", type]] as [string, string][],
    };
    const entry = await first(capturePost({ hops: [{ ...hop!, request }], requestBody: body }));
    expect(entry.request.postData).toEqual({ mimeType: type, ...postData });
  });

  it("says when the proxy answered by itself", async () => {
    const entry = await first(capturePost({ hops: [], error: "target_forbidden" }));
    expect(entry.comment).toBe("The proxy answered this itself");
    expect(entry.request.url).toBe("http://localhost:8080/order?draft=1&q=a+b");
    expect(entry.response.status).toBe(201);
    expect(entry._fetchvia.error).toBe("target_forbidden");
  });

  it("names the address that was refused, not that of the proxy", async () => {
    const refused = { method: "PUT", url: "http://169.254.169.254/x" };
    const { request, _fetchvia: { caller } } = await first(capturePost({ hops: [], refused }));
    expect(request).toMatchObject(refused);
    expect(caller.request.url).toBe("http://localhost:8080/order?draft=1&q=a+b");
  });

  it("writes status 0 where no answer came", async () => {
    const { response: _, ...hop } = capturePost().hops[0]!;
    const entry = await first(
      capturePost({ hops: [{ ...hop, error: "connection_refused" }], responseBody: undefined }),
    );
    expect(entry.response)
      .toMatchObject({ status: 0, bodySize: -1, content: { size: 0, mimeType: "x-unknown" } });
  });

  it("writes the proxy's own answer to a target's fault as the text it is", async () => {
    const { response: _, ...hop } = capturePost().hops[0]!;
    const capture = capturePost({
      hops: [{ ...hop, error: "connection_refused" }],
      response: { status: 502, statusText: "", headers: [["content-type", "application/json"]] },
      responseBody: kept('{"title":"Proxy Error"}'),
    });
    expect((await first(capture)).response).toMatchObject({
      status: 0,
      headers: [],
      content: { mimeType: "application/json", text: '{"title":"Proxy Error"}' },
    });
  });

  it("writes the messages of a WebSocket", async () => {
    const entry = await first(captureSocket());
    expect(entry._resourceType).toBe("websocket");
    expect(entry._webSocketMessages).toHaveLength(3);
  });
});
