/** A short body is kept until it is whole, and no longer than there is patience. */
import { describe, expect, it, vi } from "vitest";
import { bytes, sourced } from "../../support/flow.ts";

describe("a body that is gathered", () => {
  const gathered = () => {
    const { body, told } = sourced();
    const done = vi.fn();
    const stop = vi.fn();
    let expire = () => {};
    const wait = (call: () => void) => {
      expire = call;
      return { stop };
    };
    body.gather({ maxBytes: 100_000, joinedBytes: 4, wait }, done);
    return { body, told, done, stop, expire: () => expire() };
  };

  it("is handed on whole when its last chunk is here", () => {
    const { body, done, stop } = gathered();
    body.push(bytes("ab"));
    expect(done).not.toHaveBeenCalled();
    body.push(bytes("c"), true);
    expect(done.mock.calls).toEqual([[bytes("abc"), undefined]]);
    expect(stop).toHaveBeenCalled();
  });

  it("stays in pieces where it is too long to be joined", async () => {
    const { body, done, stop } = gathered();
    body.push(bytes("abc"));
    body.push(bytes("de"), true);
    expect(done.mock.calls).toEqual([[undefined, undefined]]);
    expect(stop).toHaveBeenCalled();
    expect(await new Response(body.stream()).text()).toBe("abcde");
  });

  it("is one piece already, however long", () => {
    const { body, done } = gathered();
    body.push(bytes("abcde"), true);
    expect(done.mock.calls).toEqual([[bytes("abcde"), undefined]]);
  });

  it("may hold more than 64 KiB meanwhile", () => {
    const { body, told } = gathered();
    body.push(new Uint8Array(99_999));
    expect(told).toEqual(["resume"]);
    body.push(new Uint8Array(1));
    expect(told).toEqual(["resume", "pause"]);
  });

  it("is read on as usual when the patience is over", async () => {
    const { body, done, expire } = gathered();
    body.push(bytes("a"));
    expire();
    expect(done.mock.calls).toEqual([[undefined, undefined]]);
    const text = new Response(body.stream()).text();
    body.push(bytes("b"));
    body.end();
    expect(await text).toBe("ab");
    expect(done).toHaveBeenCalledTimes(1);
  });

  it("hands on what cut it", () => {
    const { body, done } = gathered();
    body.push(bytes("a"));
    body.end(new Error("cut"));
    expect(done.mock.calls).toEqual([[undefined, new Error("cut")]]);
  });
});
