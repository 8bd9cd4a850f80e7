/** `/__proxy__/capture`: its methods, its body, and whose view it gives. @module */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { SharedCaptures } from "../../../src/parts/capture/capture-share.ts";
import { Captures } from "../../../src/parts/capture/captures.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { answerCapture, viewerOf } from "../../../src/parts/console/capture-page.ts";
import { captureGet, kept } from "../../console/inspector/captures.ts";
import { exchangeOf, incomingOf, type Request } from "../../support/exchange.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";
const VIEWER = "0123456789abcdef0123456789abcdef";
const PATH = "/__proxy__/capture";

function createCaptures() {
  const captures = new Captures({ capture: "off", captureBytes: 1_048_576, trustedProxies: [] }, "00");
  return { captures, shared: new SharedCaptures(captures, undefined) };
}

async function ask(shared: SharedCaptures, request: Request) {
  const { status, body } = await answerCapture(exchangeOf({ path: PATH, ...request }), shared);
  return { status, json: JSON.parse(new TextDecoder().decode(body as Uint8Array)) as unknown };
}

const post = (shared: SharedCaptures, body: string) =>
  ask(shared, { method: "POST", body: new TextEncoder().encode(body) });

describe("the state of capture", () => {
  it("is told, switched and cleared", async () => {
    const { captures, shared } = createCaptures();
    expect((await ask(shared, {})).json).toMatchObject({ bodyBytes: null, requests: 0 });
    const { json } = await post(shared, '{"mode":65536,"minutes":60}');
    expect(json).toMatchObject({ bodyBytes: 65_536, until: expect.any(Number) });
    captures.begin(new RequestRecord("GET", []), { incoming: incomingOf({}), path: "/", runtime: {} }, []);
    expect((await ask(shared, { method: "DELETE" })).json).toMatchObject({ bodyBytes: 65_536, requests: 0 });
    expect((await post(shared, '{"mode":"console"}')).json).toMatchObject({ until: expect.any(Number) });
    expect((await post(shared, '{"mode":"off"}')).json).not.toHaveProperty("until");
  });

  it("lasts ten minutes where nobody says how long", async () => {
    const { shared } = createCaptures();
    const start = Date.now();
    const { json } = await post(shared, '{"mode":"heads"}');
    const { until = 0 } = json as { until?: number };
    expect(until - 600_000).toBeGreaterThanOrEqual(start);
    expect(until - 600_000).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    { about: "in memory", body: new Uint8Array(1_025) },
    { about: "as a stream", body: new Response(new Uint8Array(1_025)).body },
  ])("takes no long body $about", async ({ body }) => {
    const { shared } = createCaptures();
    await expect(ask(shared, { method: "POST", body })).rejects.toMatchObject({ code: "request_too_large" });
  });

  it("reads a streamed body", async () => {
    const { captures, shared } = createCaptures();
    await ask(shared, { method: "POST", body: new Response('{"mode":"heads"}').body });
    expect(captures.bodyBytes).toBe(0);
  });
});

it.each([
  { value: VIEWER, viewer: VIEWER },
  { value: "short", viewer: null },
  { value: undefined, viewer: null },
])("the viewer of $value is $viewer", ({ value, viewer }) => {
  expect(viewerOf(exchangeOf({ fields: { "x-fetchvia-viewer": value } }))).toBe(viewer);
});

it.each([
  { about: "a key of the table", text: `a ${KEYS["KEY"]}`, coding: "gzip", shown: btoa("a {{KEY}}") },
  { about: "too many codings", text: "a", coding: "gzip,gzip,gzip,gzip,gzip,gzip", shown: undefined },
  { about: "4 MiB and a byte", text: "a".repeat(4_194_305), coding: "gzip", shown: undefined },
])("shows a decoded body with $about", async ({ text, coding, shown }) => {
  const response = {
    status: 200,
    statusText: "",
    headers: [["content-encoding", coding] as [string, string]],
  };
  const bytes = coding.split(",").reduce<Uint8Array>(
    (left) => gzipSync(left),
    new TextEncoder().encode(text),
  );
  const capture = { ...captureGet("https://a.test/"), hops: [], response, responseBody: kept(bytes) };
  const { shared } = createCaptures();
  shared.read = () => Promise.resolve(capture);
  const exchange = exchangeOf({ path: `${PATH}?id=a&decode=gzip` });
  const parts = hooksFor(tableOf({ "api.test": { set: { "x-key": "{{KEY}}" } } }));
  const { body } = await answerCapture({ ...exchange, parts }, shared);
  const { responseBody } = JSON.parse(new TextDecoder().decode(body as Uint8Array));
  expect(responseBody.decoded).toBe(shown);
});
