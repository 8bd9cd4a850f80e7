/** Bodies that write straight to the caller's connection, whose part is played. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { toDirect } from "../../../src/runtimes/bun/direct-stream.ts";
import { waitFor } from "../../support/wait.ts";

interface Source {
  type: string;
  pull(sink: object): Promise<void>;
  cancel(reason: unknown): void;
}

const turn = () => new Promise((resolve) => setTimeout(resolve));
const bytes = (text: string) => new TextEncoder().encode(text);

let sources: Source[] = [];

beforeEach(() => {
  sources = [];
  vi.stubGlobal("ReadableStream", function (source: Source) {
    sources.push(source);
  });
});
afterEach(() => void vi.unstubAllGlobals());

function start(write: (chunk: Uint8Array) => number | Promise<number> = ({ length }) => length) {
  const target = { pause: vi.fn(), resume: vi.fn(), cancel: vi.fn() };
  const body = new FlowBody(target);
  toDirect(body);
  const [source] = sources as [Source];
  const sink = { write: vi.fn(write), end: vi.fn() };
  return { target, body, source, sink, over: source.pull(sink) };
}

describe("toDirect", () => {
  it("writes each chunk as it comes, and ends", async () => {
    const { body, source, sink, target, over } = start();
    expect(source.type).toBe("direct");
    expect(target.resume).toHaveBeenCalledOnce();
    body.push(bytes("a"));
    body.push(bytes("b"), true);
    await over;
    expect(sink.write.mock.calls).toEqual([[bytes("a")], [bytes("b")]]);
    expect(sink.end).toHaveBeenCalledOnce();
    expect(target.pause).not.toHaveBeenCalled();
  });

  it("ends a body whose end comes alone", async () => {
    const { body, sink, over } = start();
    body.end();
    await over;
    expect(sink.end).toHaveBeenCalledOnce();
  });

  it("pauses the target until the connection has taken a chunk", async () => {
    let settle = (_sent: number) => {};
    const sent = new Promise<number>((resolve) => (settle = resolve));
    const { body, target } = start(() => sent);
    body.push(bytes("a"));
    expect([target.pause.mock.calls.length, target.resume.mock.calls.length]).toEqual([1, 1]);
    settle(1);
    await waitFor(() => expect(target.resume).toHaveBeenCalledTimes(2));
  });

  it("is not over before its last bytes have been sent", async () => {
    let settle = (_sent: number) => {};
    const sent = new Promise<number>((resolve) => (settle = resolve));
    const { body, sink, over } = start(() => sent);
    let isOver = false;
    void over.then(() => (isOver = true));
    let endSink = () => {};
    sink.end.mockReturnValue(new Promise<void>((resolve) => (endSink = resolve)));
    body.push(bytes("a"), true);
    await turn();
    expect(sink.end).not.toHaveBeenCalled();
    settle(1);
    await waitFor(() => expect(sink.end).toHaveBeenCalledOnce());
    await turn();
    expect(isOver).toBe(false);
    endSink();
    await over;
  });

  it("fails when the caller's connection can't be ended", async () => {
    const { body, sink, over } = start();
    sink.end.mockImplementation(() => {
      throw new Error("closed");
    });
    body.end();
    await expect(over).rejects.toThrow("closed");
  });

  it("cuts the connection when the body is cut", async () => {
    const { body, sink, over } = start();
    body.push(bytes("a"));
    body.end(new Error("cut"));
    await expect(over).rejects.toThrow("cut");
    expect(sink.end).not.toHaveBeenCalled();
  });

  it("gives the body up when the caller does", () => {
    const { source, target } = start();
    source.cancel("gone");
    expect(target.cancel).toHaveBeenCalledWith("gone");
  });

  it("leaves a body that has arrived, and bytes, as they are", () => {
    vi.unstubAllGlobals();
    const body = new FlowBody({ pause() {}, resume() {}, cancel() {} });
    body.push(bytes("a"), true);
    expect(toDirect(body)).toBeInstanceOf(ReadableStream);
    expect([toDirect(null), toDirect(bytes("b"))]).toEqual([null, bytes("b")]);
  });
});
