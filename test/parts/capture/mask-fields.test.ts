/** Secrets in fields: names, schemes and attributes stay. @module */
import { describe, expect, it } from "vitest";
import { decodeArg, encodeArg } from "../../../src/core/address/arg.ts";
import { decodeHead, encodeHead } from "../../../src/core/address/sealed-head.ts";
import type { Capture } from "../../../src/parts/capture/capture.ts";
import { maskCapture, maskField } from "../../../src/parts/capture/mask-fields.ts";
import type { Masker } from "../../../src/parts/capture/masker.ts";
import { SECRET_FIELDS } from "../../support/secret-names.ts";
import { alike } from "../../support/rows.ts";

const masker: Masker = {
  hide: (secret) => secret && `***${secret.length}`,
  hideInAddress: (secret) => `***${secret.length}`,
};

const FIELDS = [
  { name: "authorization", value: "Bearer abc", masked: "Bearer ***3" },
  { name: "authorization", value: "abc def", masked: "***7" },
  ...alike("name", { value: "abc", masked: "***3" })`authorization x-api-key`,
  { name: "authorization", value: "Bearer", masked: "***6" },
  { name: "proxy-authorization", value: "basic  abc", masked: "basic ***3" },
  { name: "cookie", value: "a=1; sid=abc;c", masked: "a=***1; sid=***3;***1" },
  { name: "cookie", value: "", masked: "" },
  { name: "cookie", value: `${"a=1;".repeat(500)}b=2;c=3`, masked: `${"a=***1;".repeat(500)}***7` },
  { name: "set-cookie", value: `a=1${";b".repeat(501)}`, masked: `a=***1${";***1".repeat(499)};***3` },
  {
    name: "set-cookie",
    value: "sid=abc; Path=/; HttpOnly; Max-Age=5; secret=x",
    masked: "sid=***3; Path=/; HttpOnly; Max-Age=5; secret=***1",
  },
  { name: "set-cookie", value: "path=abc; secure", masked: "path=***3; secure" },
  { name: "location", value: "/x?token=abc", masked: "/x?token=***3" },
  { name: "referer", value: "https://u:p@a.test/", masked: "https://***3@a.test/" },
  { name: "proxy_host", value: "https://u:p@a.test", masked: "https://***3@a.test" },
  {
    name: "link",
    value: "</x?sig=abc>; rel=next, <https://a.test/>",
    masked: "</x?sig=***3>; rel=next, <https://a.test/>",
  },
  ...[
    [
      "realtime, openai-insecure-api-key.sk-a.b, openai-beta.realtime-v1",
      "realtime, openai-insecure-api-key.***6, openai-beta.realtime-v1",
    ],
    [
      "base64url.bearer.authorization.k8s.io.abc,v4.channel.k8s.io",
      "base64url.bearer.***24,v4.channel.k8s.io",
    ],
    ["access_token, abc, graphql-transport-ws", "access_token, ***3, graphql-transport-ws"],
    [`chat, ${"a1B2".repeat(6)}`, "chat, ***24"],
    [`${"a,".repeat(500)}b,c`, `${"a,".repeat(500)}***3`],
  ].map(([value = "", masked = ""]) => ({ name: "sec-websocket-protocol", value, masked })),
  { name: "refresh", value: "5; url=/x?token=abc", masked: "5; url=/x?token=***3" },
  { name: "x-anything", value: "see fv1.a.b", masked: "see ***7" },
  ...[
    ["a=1; token=abc", "a=1; token=***3"],
    ['session="abc d", b;api_key = abc&x', "session=***7, b;api_key = ***3&x"],
    [`${"sid=1;".repeat(500)}sid=2`, `${"sid=***1;".repeat(500)}sid=***`],
    ["max-age=5, token", "max-age=5, token"],
    ["/p?sid=abc token=abc; u=https://a.test/?key=abc", "/p?sid=***3 token=***3; u=https://a.test/?key=***3"],
    ['otp-credentials=(), pin="a b', "otp-credentials=(), pin=***4"],
    [`${"a".repeat(65_536)}=${" ".repeat(9)}`, `${"a".repeat(65_536)}=${" ".repeat(9)}`],
  ].map(([value = "", masked = ""]) => ({ name: "x-data", value, masked })),
  { name: "accept", value: "text/html,*/*;q=0.8", masked: "text/html,*/*;q=0.8" },
  { name: "user-agent", value: "curl/8 (+https://a.test/bot)", masked: "curl/8 (+https://a.test/bot)" },
  { name: "x-cors-headers", value: '{"cookie":"a=b","x":"y"}', masked: '{"cookie":"a=***1","x":"y"}' },
  { name: "x-cors-headers", value: "nonsense", masked: "***8" },
  ...alike("name", { value: "!", masked: "***1" })`proxy_headers x-fetchvia-head`,
];

describe("a field", () => {
  it.each(FIELDS)("$name: $value → $masked", ({ name, value, masked }) => {
    expect(maskField(name, value, masker)).toBe(masked);
  });

  it.each(SECRET_FIELDS)("%s loses its value", (name) => {
    expect(maskField(name, "a=PLANTED", masker)).not.toContain("PLANTED");
  });

  it("with other fields in Base64 keeps their names", () => {
    const masked = maskField("proxy_headers", encodeArg({ Authorization: "Bearer abc", gone: null }), masker);
    expect(decodeArg(masked)).toEqual({ Authorization: "Bearer ***3", gone: null });
  });

  it("with a sealed head keeps all but its secrets", () => {
    const head = {
      status: 200,
      statusText: "OK",
      headers: [["set-cookie", "a=bcd"], ["x", "y"]] as [string, string][],
    };
    expect(decodeHead(maskField("x-fetchvia-head", encodeHead(head), masker)))
      .toEqual({ ...head, headers: [["set-cookie", "a=***3"], ["x", "y"]] });
  });
});

it("a capture is masked on all four sides, before heads and behind bodies too", () => {
  const line = (name: string): [string, string][] => [[name, "a=abc"]];
  const head = { method: "GET", url: "/?token=abc", headers: line("Cookie"), trailers: line("X-Api-Key") };
  const response = { status: 200, statusText: "", headers: line("Set-Cookie"), trailers: line("X-Token") };
  const interims = [{ atMs: 1, status: 103, statusText: "", headers: line("X-Session") }];
  const capture: Capture = {
    id: "1",
    time: 0,
    isRunning: false,
    request: head,
    interims,
    response,
    hops: [{ request: head, interims, response, times: { startMs: 0 } }, {
      request: head,
      times: { startMs: 1 },
    }],
    headMs: 1,
    totalMs: 2,
  };
  const masked = maskCapture(capture, masker);
  expect(JSON.stringify(masked)).not.toContain("abc");
  expect(masked.hops).toHaveLength(2);
  for (const side of [masked, masked.hops[0]!]) {
    expect([side.request.trailers, side.response?.trailers, side.interims]).toEqual([
      [["X-Api-Key", "***5"]],
      [["X-Token", "***5"]],
      [{ ...interims[0], headers: [["X-Session", "***5"]] }],
    ]);
  }
  expect(masked.hops[1]).not.toHaveProperty("response");
});
