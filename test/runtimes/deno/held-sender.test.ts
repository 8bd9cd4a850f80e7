/** Answers on Deno that begin before the upload is over: for how long they are held back. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Outgoing, Upstream } from "../../../src/index.ts";
import { Upload } from "../../../src/wire/client/upload.ts";
import { holdResponse, losesUploads } from "../../../src/runtimes/deno/held-sender.ts";
import type { Wire } from "../../../src/wire/contract.ts";
import { grouped } from "../../support/rows.ts";

it.each(grouped(["loses", "version"], [
  [false, ["2.8.2", "2.9.6", "2.9.10", "2.10.0", "3.8.4", undefined]],
  [true, ["2.8.3", "2.8.10", "2.9.0", "2.9.5", "2.9.5+98f9507"]],
]))("of Deno $version: $loses", ({ version, loses }) => expect(losesUploads(version)).toBe(loses));

describe("an answer", () => {
  const wire = { writableLength: 0, write: () => true } as unknown as Wire;
  const outgoing = { headers: new Fields([["content-length", "1000"]]) } as unknown as Outgoing;
  const answerOf = (status: number): Upstream => ({
    status,
    statusText: "",
    headers: new Fields(),
    body: null,
  });
  let upload: Upload;
  let arrived: Upstream | undefined;
  beforeEach(() => {
    vi.useFakeTimers();
    upload = new Upload(outgoing, wire, { onWhole() {}, fail() {} });
    arrived = undefined;
  });
  afterEach(() => void vi.useRealTimers());

  const hold = async (status = 200) => void (arrived = await holdResponse(answerOf(status), upload));
  /** Lets the upload go on, so many bytes every 500 ms. */
  const goOn = async (pieces: number, size = 1) => {
    for (let piece = 0; piece < pieces; piece += 1) {
      upload.write(new Uint8Array(size));
      await vi.advanceTimersByTimeAsync(500);
    }
  };

  it("without an upload is not even made a promise", () => {
    const answer = answerOf(200);
    expect(holdResponse(answer)).toBe(answer);
  });

  it.each([300, 307, 401, 413, 500])("of %s is not held", (status) => {
    const answer = answerOf(status);
    expect(holdResponse(answer, upload)).toBe(answer);
  });

  it.each([200, 201, 206])("of %s is held", async (status) => {
    void hold(status);
    await goOn(40);
    expect(arrived).toBeUndefined();
  });

  it.each([
    { end: "it is whole", finish: () => upload.end(new Uint8Array(1000)) },
    { end: "it is cut", finish: () => upload.destroy(new Error("cut")) },
    { end: "the target takes no more", finish: () => upload.closed() },
  ])("is let go when $end", async ({ finish }) => {
    void hold();
    finish();
    await vi.advanceTimersByTimeAsync(0);
    expect([arrived?.status, upload.isOver, vi.getTimerCount()]).toEqual([200, true, 0]);
  });

  it("is let go two seconds after the last bytes", async () => {
    void hold();
    await goOn(10);
    await vi.advanceTimersByTimeAsync(1_250);
    expect(arrived).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([arrived?.status, vi.getTimerCount()]).toEqual([200, 0]);
  });
});
