/** Answers as Bun's server needs them. */
import { describe, expect, it } from "vitest";
import { takeBody } from "../../../src/core/exchange/web-standard.ts";
import { toStandard } from "../../../src/core/http/body.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { keepContentLength } from "../../../src/runtimes/bun/content-length.ts";

const answerOf = (body: Uint8Array<ArrayBuffer> | FlowBody, type?: string) => ({
  status: 200,
  statusText: "OK",
  headers: new Fields(type === undefined ? [] : [["content-type", type]]),
  body,
});

describe("keepContentLength", () => {
  it.each([
    { about: "short bytes with a type", size: 12_288, type: "text/plain", isStream: false },
    { about: "no bytes with a type", size: 0, type: "text/plain", isStream: false },
    { about: "long bytes", size: 12_289, type: "text/plain", isStream: true },
    { about: "bytes without a type", size: 1, type: undefined, isStream: true },
    { about: "bytes with an empty type", size: 1, type: "", isStream: true },
  ])("hands on $about as a stream: $isStream", async ({ size, type, isStream }) => {
    const answer = keepContentLength(answerOf(new Uint8Array(size).fill(7), type));
    expect(answer.body instanceof FlowBody).toBe(isStream);
    expect(answer.isWhole ?? false).toBe(isStream);
    expect(await new Response(toStandard(takeBody(answer.body))).bytes())
      .toEqual(new Uint8Array(size).fill(7));
  });

  it("reads nothing ahead of a body that is still to come", () => {
    const body = new FlowBody({ pause() {}, resume() {}, cancel() {} });
    expect(keepContentLength(answerOf(body)).body).toBe(body);
    expect(body.aheadBytes).toBe(0);
  });
});
