/**
 * Trailers of `node:http` and `node:http2`: what is read of them, and when they are sent.
 * @module
 */
import { describe, expect, it } from "vitest";
import { readWhole } from "../../../src/core/http/body.ts";
import { Fields, linesOf } from "../../../src/core/http/fields.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { endWithTrailers } from "../../../src/runtimes/node/message-trailers.ts";
import { ResponseSink } from "../../../src/runtimes/node/server-response.ts";

const makeBody = () => new FlowBody({ resume() {}, pause() {}, cancel() {} });
const many = (count: number, value = "") =>
  Array.from({ length: count }, (_, at) => [`x-${at}`, value]).flat();

describe("the trailers of a request", () => {
  it.each([
    { about: "none", lines: [], is: undefined },
    { about: "of a framework that makes requests without them", lines: undefined, is: undefined },
    {
      about: "in their letters and order",
      lines: ["X-B", "1", "x-a", "caf\xe9", "x-B", ""],
      is: [["X-B", "1"], ["x-a", "caf\xe9"], ["x-B", ""]],
    },
  ])("end its body: $about", ({ lines, is }) => {
    const body = makeBody();
    endWithTrailers(body, lines);
    expect([body.hasEnded, body.trailers && linesOf(body.trailers)]).toEqual([true, is]);
  });

  it.each([
    { about: "no name", lines: ["", "1"] },
    { about: "a name that is no token", lines: ["x y", "1"] },
    { about: "a pseudo-field", lines: [":path", "/"] },
    { about: "a line break", lines: ["x-a", "1\r\nx-b: 2"] },
    { about: "a value beyond Latin-1", lines: ["x-a", "\u0141"] },
    { about: "more than a thousand lines", lines: many(1_001) },
    { about: "more than 64 KiB", lines: many(1, "v".repeat(65_536)) },
  ])("cut its body where they hold $about", async ({ lines }) => {
    const body = makeBody();
    endWithTrailers(body, lines);
    await expect(readWhole(body)).rejects.toMatchObject({ code: "bad_request" });
    expect(body.trailers).toBeUndefined();
  });

  it.each([
    { about: "a thousand lines", lines: many(1_000) },
    { about: "64 KiB", lines: many(1, "v".repeat(65_533)) },
  ])("may hold $about", async ({ lines }) => {
    const body = makeBody();
    endWithTrailers(body, lines);
    expect((await readWhole(body)).length).toBe(0);
    expect(body.trailers?.lines.length).toBe(lines.length);
  });
});

describe("the trailers of a response", () => {
  const makeSink = (log: unknown[]) => ({
    write: (chunk: Uint8Array) => log.push(["write", chunk.length]),
    end: (last?: Uint8Array) => log.push(["end", last?.length]),
    destroy: (failure: Error) => log.push(["destroy", failure.message]),
    on: () => {},
    writableLength: 7,
  });
  const sinkOf = (log: unknown[], body: FlowBody) =>
    new ResponseSink(makeSink(log), {}, body, { sendTrailers: (trailers) => log.push([...trailers]) });

  it("are sent before the last bytes, without those that stay behind", () => {
    const log: unknown[] = [];
    const body = makeBody();
    body.passTrailers = (trailers) => {
      const left = new Fields(trailers);
      left.delete("x-b");
      return left;
    };
    const sink = sinkOf(log, body);
    body.pipe(sink);
    body.push(new Uint8Array(1));
    body.trailers = new Fields([["x-a", "1"], ["x-b", "2"]]);
    body.push(new Uint8Array(2), true);
    expect([log, sink.writableLength]).toEqual([[["write", 1], [["x-a", "1"]], ["end", 2]], 7]);
  });

  it.each([
    { about: "that has none", end: undefined, is: [["end", undefined]] },
    { about: "that was cut", end: new Error("cut"), is: [["destroy", "cut"]] },
  ])("are not sent behind a body $about", ({ end, is }) => {
    const log: unknown[] = [];
    const body = makeBody();
    body.passTrailers = (trailers) => trailers;
    body.pipe(sinkOf(log, body));
    body.end(end);
    expect(log).toEqual(is);
  });

  it("are left out where nobody takes any", () => {
    const log: unknown[] = [];
    const body = makeBody();
    body.trailers = new Fields([["x-a", "1"]]);
    body.pipe(sinkOf(log, body));
    body.end();
    expect(log).toEqual([["end", undefined]]);
  });
});
