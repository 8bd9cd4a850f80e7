import { describe, expect, it } from "vitest";
import type { Capture } from "../../../src/parts/capture/capture.ts";
import type { FlowBody } from "../../../src/core/http/flow.ts";
import { MAX_IDS } from "../../../src/parts/console/page-facts.ts";
import { answerHar, writeHar } from "../../../src/parts/console/har.ts";
import { checkHar } from "../../support/har-check.ts";
import { captureGet, capturePost, captureSocket, kept } from "../../console/inspector/captures.ts";
import { exchangeOf } from "../../console/exchange.ts";

const ALLOW = () => {};
const KEPT = [
  capturePost(),
  captureGet("http://a.test/ü?%zz", { body: Uint8Array.of(0, 255) }),
  captureSocket(),
  capturePost({ id: "c0ffee000009", hops: [], requestBody: kept("") }),
];

type Asked = Parameters<typeof exchangeOf>[0];

/** What is kept of these requests, or of all. */
async function* keep(ids: ReadonlySet<string> | undefined): AsyncGenerator<Capture> {
  for await (const capture of KEPT) if (ids?.has(capture.id) ?? true) yield capture;
}

async function read(
  asked: Asked,
  check: () => void = ALLOW,
): Promise<{ fields: Record<string, string>; text: string }> {
  const reply = await Promise.resolve().then(() => answerHar(exchangeOf(asked), check, keep));
  const text = await new Response((reply.body as FlowBody).stream()).text();
  return { fields: Object.fromEntries(reply.headers), text };
}

describe("writeHar", () => {
  it.each([{ captures: KEPT, count: 4 }, { captures: [], count: 0 }])(
    "is HAR 1.2 with $count entries",
    async ({ captures, count }) => {
      const pieces: string[] = [];
      for await (const piece of writeHar(captures)) pieces.push(piece);
      const file = JSON.parse(pieces.join(""));
      expect(checkHar(file)).toEqual([]);
      expect(file.log.creator.name).toBe("fetchvia");
      expect(file.log.entries).toHaveLength(count);
    },
  );

  it("is checked by something that finds faults", () =>
    expect(checkHar({ log: { version: "1.1", creator: {}, entries: [{ time: -1, extra: 1, _own: 1 }] } }))
      .toEqual([
        '.log.version: "1.1" is no 1.2',
        ".log.creator.name: is missing",
        ".log.creator.version: is missing",
        ".log.entries[0].startedDateTime: is missing",
        ".log.entries[0].time: -1 is no time",
        ".log.entries[0].request: is missing",
        ".log.entries[0].response: is missing",
        ".log.entries[0].cache: is missing",
        ".log.entries[0].timings: is missing",
        ".log.entries[0].extra: is unknown",
      ]));
});

describe("answerHar", () => {
  it("is a file to save, whole", async () => {
    const { fields, text } = await read({ path: "/__proxy__/traffic.har" });
    expect(fields).toEqual({
      "content-type": "application/json",
      "content-disposition": 'attachment; filename="traffic.har"',
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(JSON.parse(text).log.entries).toHaveLength(4);
  });

  it("has only what is asked for", async () => {
    const { text } = await read({ path: "/__proxy__/traffic.har?id=c0ffee000001,nothing" });
    const { entries } = JSON.parse(text).log;
    expect(entries.map(({ _fetchvia }: { _fetchvia: { id: string } }) => _fetchvia.id))
      .toEqual(["c0ffee000001"]);
  });

  it.each([
    { asked: { method: "POST" }, error: /expected GET, HEAD/ },
    { asked: { path: `/__proxy__/traffic.har?id=${"a,".repeat(MAX_IDS)}` }, error: /at most 1000/ },
  ])("refuses $asked: $error", async ({ asked, error }) => {
    await expect(read({ path: "/__proxy__/traffic.har", ...asked })).rejects.toThrow(error);
  });

  it.each([{ method: "GET" }, { method: "HEAD" }])(
    "is only for who may see captures: $method",
    async (asked) => {
      const refuse = () => {
        throw new Error("not you");
      };
      await expect(read(asked, refuse)).rejects.toThrow("not you");
    },
  );

  it("answers HEAD without reading anything", () => {
    const reply = answerHar(exchangeOf({ method: "HEAD", path: "/__proxy__/traffic.har" }), ALLOW, () => {
      throw new Error("read");
    });
    expect(reply).toMatchObject({ status: 200, body: null });
  });
});
