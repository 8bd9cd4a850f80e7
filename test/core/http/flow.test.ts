/** The flow of a body: pushed in as it comes, and read once. */
import { describe, expect, it, vi } from "vitest";
import type { FlowBody } from "../../../src/core/http/flow.ts";
import { bytes, NotedSink, sourced } from "../../support/flow.ts";

describe("a body that nobody reads yet", () => {
  it("is paused at 64 KiB", () => {
    const { body, told } = sourced();
    body.push(new Uint8Array(65_535));
    expect(told).toEqual([]);
    body.push(new Uint8Array(1));
    expect(told).toEqual(["pause"]);
  });

  it("is given up, which its watch is told", () => {
    const { body, told } = sourced();
    const onEnd = vi.fn();
    body.watch({ maxBytes: 0, stalled: () => new Error(), tooLarge: () => new Error(), onEnd });
    body.cancel("reason");
    expect(told).toEqual([["cancel", "reason"]]);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });
});

describe("a reader", () => {
  /** Notes what it is handed; it takes so many chunks before it wants to wait. */
  const reading = (room = Infinity) => {
    const { body, told } = sourced();
    const sink = new NotedSink(room);
    const take = (chunk: Uint8Array, isLast: boolean) =>
      (isLast ? sink.end(chunk) : sink.write(chunk)) !== false;
    const end = (failure?: Error) => failure ? sink.destroy(failure) : sink.end();
    return { body, told, given: sink.given, reader: { take, end } };
  };

  it("is handed what came before it, though it asks for nothing", () => {
    const { body, told, given, reader } = reading();
    body.push(bytes("a"));
    body.attach(reader);
    body.push(bytes("b"));
    expect([given, told]).toEqual([["a", "b"], []]);
  });

  it("asks for more, and the source is paused when it has enough", () => {
    const { body, told, reader } = reading(1);
    body.attach(reader);
    body.want();
    body.want();
    body.push(bytes("a"));
    expect(told).toEqual(["resume", "pause"]);
  });

  it("is handed nothing behind the end, nor once the body is given up", () => {
    const [whole, left] = [reading(), reading()];
    whole.body.attach(whole.reader);
    whole.body.push(bytes("a"), true);
    whole.body.push(bytes("b"));
    whole.body.end(new Error("late"));
    left.body.attach(left.reader);
    left.body.cancel();
    left.body.push(bytes("b"));
    left.body.end();
    expect([whole.given, left.given]).toEqual([["a."], []]);
  });
});

describe("a tap", () => {
  /** A body with a tap and a reader that takes so many chunks. */
  const tapped = () => {
    const { body, told } = sourced();
    const seen: (string | "end")[] = [];
    const tap = {
      onBytes: (chunk: Uint8Array) => void seen.push(new TextDecoder().decode(chunk)),
      onEnd: () => void seen.push("end"),
    };
    body.tap(tap);
    const sink = new NotedSink(Infinity);
    const read = () =>
      body.attach({
        take: (chunk, isLast) => (isLast ? sink.end(chunk) : sink.write(chunk)) !== false,
        end: (failure) => failure ? sink.destroy(failure) : sink.end(),
      });
    return { body, told, seen, read, given: sink.given };
  };

  it("sees each byte when the reader does, and the end once", () => {
    const { body, seen, read, told } = tapped();
    body.push(bytes("a"));
    expect(seen).toEqual([]);
    read();
    body.push(bytes("b"));
    body.push(bytes("c"), true);
    body.push(bytes("d"));
    body.cancel();
    expect([seen, told]).toEqual([["a", "b", "c", "end"], []]);
  });

  it.each([
    { about: "cut", act: (body: FlowBody) => body.end(new Error("cut")) },
    { about: "given up", act: (body: FlowBody) => body.cancel() },
  ])("sees the end of a body that is $about", ({ act }) => {
    const { body, seen, read } = tapped();
    read();
    body.push(bytes("a"));
    act(body);
    expect(seen).toEqual(["a", "end"]);
  });
});
