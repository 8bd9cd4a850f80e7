/**
 * What a long argument costs: it is bounded, others are served while it is read, and it takes little memory.
 * Times and memory are compared with what else the same machine does, never with a clock alone.
 * @module
 */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { growthOf, longestGap } from "../support/cost.ts";
import { listenSink, type Sink } from "../support/flood.ts";
import { LARGEST, REFUSED, type Shape, TEXTS, TREES, writeArgument } from "../support/large-arguments.ts";
import { expectError, type Pool, type Proxy, startProxy, useLink } from "../support/topic.ts";

const SENT = [...TREES, ...TEXTS];
/** More than any of it takes where others work on the same machine. */
const PATIENT = { timeout: 60_000 };
const TRIES = 3;
/** How long others may wait, in times of reading a tree of the longest length. */
const MOST_TIMES = 0.5;
/** How much memory a byte of an argument may take, beside what forwarding it takes. */
const BYTES_PER_BYTE = 8;

type Caller = Pick<Proxy, "call">;

export function describeArgumentCost(pool: Pool): void {
  describe("a long argument", () => {
    const link = useLink(pool);
    const shape = { name: "blanks", members: '"body":1' };

    it("of the longest length is read", async () => {
      const body = writeArgument(link.upstream.origin, shape);
      const answer = await link.proxy.call("POST /__proxy__/fetch", { body, timeout: 30_000 });
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(link.upstream.request.body.toString()).toBe("1");
    });

    it("of a byte more is a 413 before it is sent", async () => {
      const connection = await link.write("POST /__proxy__/fetch", {
        fields: { "Content-Length": `${LARGEST + 1}` },
      });
      expectError(await connection.answer(), { status: 413, title: "Fetch API Error", names: `${LARGEST}` });
      connection.destroy();
    });

    it("of a byte more is a 413 in chunks", async () => {
      const bytes = writeArgument(link.upstream.origin, shape, LARGEST + 1);
      const connection = await link.write("POST /__proxy__/fetch", {
        fields: { "Transfer-Encoding": "chunked" },
      });
      connection.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes]));
      const answer = await connection.answer("POST", 30_000);
      expectError(answer, { status: 413, title: "Fetch API Error", names: `${LARGEST}` });
      connection.destroy();
    });

    describeTurns(pool);
    describeMemory(pool);
  });
}

function describeTurns(pool: Pool): void {
  describe("lets others be served", () => {
    const proxy = pool.with({ TIMEOUT_MS: "29997" });
    let usual: number;
    beforeAll(() => {
      usual = Math.min(timeParse(), timeParse(), timeParse());
    }, 3 * PATIENT.timeout);
    /**
     * How long others wait, in times of reading a tree of that length on the same machine: of what that takes at its best,
     * or, where the machine holds up the measurement, at the same time.
     */
    const timesOf = async (work: () => Promise<void>) => {
      let gap = await longestGap(proxy, work);
      if (gap / usual < MOST_TIMES) return gap / usual;
      let parse = timeParse();
      for (let left = TRIES - 1; left > 0 && !(gap / parse < MOST_TIMES); left -= 1) {
        gap = Math.min(gap, await longestGap(proxy, work));
        parse = Math.min(parse, timeParse());
      }
      return gap / parse;
    };

    it.each(SENT)("while it is read, and is sent whole: $name", PATIENT, async (shape) => {
      expect(await timesOf(() => post(proxy, shape))).toBeLessThan(MOST_TIMES);
    });

    it.each(REFUSED)("while it is read, and is refused: $name", PATIENT, async (shape) => {
      expect(await timesOf(() => postRefused(proxy, shape))).toBeLessThan(MOST_TIMES);
    });
  });
}

function describeMemory(pool: Pool): void {
  // Each with a process of its own: what a runtime has taken once it keeps for a while.
  it.each(SENT)("takes a few times its length in memory: $name", PATIENT, async (shape) => {
    const proxy = await startProxy(pool.runtime);
    const pid = proxy.process.pid ?? 0;
    await forward(proxy);
    const baseline = await growthOf(pid, () => forward(proxy));
    const grown = await growthOf(pid, () => post(proxy, shape));
    await proxy.stop("SIGKILL");
    expect((grown - baseline) / LARGEST).toBeLessThan(BYTES_PER_BYTE);
  });
}

/** How long this machine takes now for a tree of that length, in milliseconds. */
function timeParse(): number {
  const json = `[${"{},".repeat(LARGEST / 3)}0]`;
  const start = performance.now();
  JSON.parse(json);
  return performance.now() - start;
}

/** Posts an argument, and looks at what its target gets. */
async function post(proxy: Caller, shape: Shape): Promise<void> {
  const expected = Buffer.from(shape.sent ?? "");
  const sink = await listenSink(expected.length);
  const body = writeArgument(sink.origin, shape);
  const answer = await proxy.call("POST /__proxy__/fetch", { body, timeout: 30_000 });
  expect(answer).toMatchObject({ status: 200, text: "ok" });
  await expectSink(sink, expected);
}

async function postRefused(proxy: Caller, shape: Shape): Promise<void> {
  const body = writeArgument("http://127.0.0.1:9", shape);
  const answer = await proxy.call("POST /__proxy__/fetch", { body, timeout: 30_000 });
  expectError(answer, { status: 400, title: "Fetch API Error", names: shape.says ?? "?" });
}

/** Sends as many bytes through the proxy without reading them. */
async function forward(proxy: Caller): Promise<void> {
  const body = Buffer.alloc(LARGEST, "x");
  const sink = await listenSink(LARGEST);
  await proxy.call("POST /p", { body, fields: { proxy_host: sink.origin }, timeout: 30_000 });
  await expectSink(sink, body);
}

async function expectSink(sink: Sink, expected: Buffer): Promise<void> {
  const { size, digest } = await sink.drained;
  sink.close();
  expect({ size, digest })
    .toEqual({ size: expected.length, digest: createHash("sha1").update(expected).digest("hex") });
}
