import { describe, expect, it } from "vitest";
import { openSocket, repeatCapture, tellMissing } from "../../../src/console/inspector/repeat.ts";
import type { CapturedBody } from "../../../src/parts/capture/capture.ts";
import { captureGet, capturePost, kept } from "./captures.ts";
import { rowsOf } from "../../support/rows.ts";

describe("repeatCapture", () => {
  it("gives the request as the target got it, byte for byte, without what the proxy added", () => {
    const repeat = repeatCapture(capturePost());
    expect(repeat?.request).toEqual({
      method: "POST",
      url: "https://api.test/order?draft=1&q=a+b",
      headers: [["content-type", "application/json"], ["cookie", 'sid=1; theme="dark"'], ["x-a", "1"], [
        "x-a",
        "2",
      ]],
      body: new TextEncoder().encode('{ "a" : 1.0, "id": 12345678901234567890 }'),
    });
    expect(tellMissing(repeat!)).toBeUndefined();
  });

  it.each(rowsOf(["status", "upgrade", "url"], [
    [101, "", "wss://a.test/chat"],
    [403, "WebSocket", "wss://a.test/chat"],
    [200, "h2c", "https://a.test/chat"],
  ]))("opens $url for $status and an upgrade to '$upgrade'", ({ status, upgrade, url }) => {
    const request = { method: "GET", url: "https://a.test/chat", headers: [] };
    expect(openSocket(request, status, { headers: [["Upgrade", upgrade]] }).url).toBe(url);
  });

  it.each<{ what: string; body: Partial<CapturedBody>; said: string }>(rowsOf(["what", "body", "said"], [
    ["was cut", { size: 99 }, "Its body was cut at the limit of capture: 3 of 99 bytes are kept"],
    ["is not kept", { base64: "", size: 9 }, "Its body (9 bytes) is not kept: capture keeps headers only"],
    ["is withheld", { withheld: "it holds a key" }, "Its body is not kept: it holds a key"],
    ["is on its way", { isOver: false }, "Its body was not over when it was kept"],
  ]))("says that the body $what", ({ body, said }) => {
    const repeat = repeatCapture(capturePost({ requestBody: { ...kept("abc"), ...body } }));
    expect(repeat?.request.body).toBeUndefined();
    expect(tellMissing(repeat!)).toBe(said);
  });

  it.each([
    { what: "an address of a file", url: "file:///etc/passwd", method: "GET" },
    { what: "an address that is an option", url: "data:,-o.bashrc", method: "GET" },
    { what: "a method of two lines", url: "https://a.test/", method: "GET\nid" },
    { what: "no method", url: "https://a.test/", method: "" },
  ])("gives nothing for $what, which only a file can hold", ({ url, method }) => {
    const capture = captureGet(url);
    capture.hops[0]!.request.method = method;
    expect(repeatCapture(capture)).toBeUndefined();
  });

  it("names what is masked", () => {
    const capture = captureGet("https://api.test/?token=***(43-bytes,9f3c)");
    capture.hops[0]!.request.headers = [
      ["authorization", "Bearer ***(43 bytes, 9f3c)"],
      ["cookie", "a=***(3 bytes, 0000)"],
      ["x-note", "***"],
    ];
    const repeat = repeatCapture(capture)!;
    expect(repeat.masked).toEqual(["the address", "authorization", "cookie"]);
    expect(tellMissing(repeat)).toBe("Masked, fill in: the address, authorization, cookie");
  });

  it.each([
    { address: "https://api.test/", url: "https://api.test/" },
    { address: undefined, url: undefined },
    { address: "nowhere", url: undefined },
  ])("of a refused request takes the address of its row: $address", ({ address, url }) => {
    expect(repeatCapture(capturePost({ hops: [] }), address)?.request.url).toBe(url);
  });
});
