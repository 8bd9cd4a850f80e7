/** Bodies that are read from something: while somebody wants them, and not before. */
import { describe, expect, it, vi } from "vitest";
import { fromStream, readAlong } from "../../../src/core/http/read-along.ts";
import { bytes, NotedSink } from "../../support/flow.ts";
import { waitFor } from "../../support/wait.ts";

describe("a web stream as a body", () => {
  it("is left alone until somebody reads", async () => {
    const pull = vi.fn((controller: ReadableStreamDefaultController) => controller.close());
    const stream = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    const body = fromStream(stream);
    expect([stream.locked, pull.mock.calls.length]).toEqual([false, 0]);
    expect([await new Response(body.stream()).text(), stream.locked]).toEqual(["", true]);
  });

  it.each(["before", "after"])(
    "is cancelled %s it was read, and a failure of that is nobody's",
    async (when) => {
      const cancel = vi.fn(() => Promise.reject(new Error("refused")));
      const body = fromStream(new ReadableStream({ cancel }));
      const begin = { before: () => {}, after: () => body.pipe(new NotedSink()) }[when];
      begin?.();
      body.cancel("enough");
      await Promise.resolve();
      expect(cancel).toHaveBeenCalledWith("enough");
    },
  );

  it("that somebody else reads is cut", async () => {
    const stream = new Response("abc").body!;
    stream.getReader();
    await expect(new Response(fromStream(stream).stream()).text()).rejects.toThrow();
  });

  it.each([
    { about: "text", chunk: "text" },
    { about: "an empty text", chunk: "" },
    { about: "null", chunk: null },
    { about: "wider elements", chunk: new Uint16Array(2) },
    { about: "a view", chunk: new DataView(new ArrayBuffer(2)) },
    { about: "a buffer", chunk: new ArrayBuffer(2) },
  ])("that has no bytes in it is cut, and says so: $about", async ({ chunk }) => {
    const stream = new ReadableStream({
      start: (controller) => {
        controller.enqueue(chunk);
        controller.close();
      },
    });
    await expect(new Response(fromStream(stream).stream()).text())
      .rejects.toThrow("other chunks than Uint8Array");
  });
});

describe("a reader", () => {
  it("is asked again only when its bytes are wanted", async () => {
    const read = vi.fn(() => Promise.resolve(bytes("a")));
    const body = readAlong({ read, cancel: () => Promise.resolve() });
    const sink = new NotedSink(2);
    body.pipe(sink);
    await waitFor(() => expect(sink.given).toEqual(["a", "a"]));
    expect(read).toHaveBeenCalledTimes(2);
    sink.room = 2;
    sink.listeners["drain"]?.();
    await waitFor(() => expect(sink.given).toHaveLength(4));
    expect(read).toHaveBeenCalledTimes(4);
  });

  it("that fails with no error cuts the body with one", async () => {
    const body = readAlong({ read: () => Promise.reject("odd"), cancel: () => Promise.resolve() });
    const sink = new NotedSink();
    body.pipe(sink);
    await waitFor(() => expect(sink.given).toEqual(["!cut"]));
  });
});
