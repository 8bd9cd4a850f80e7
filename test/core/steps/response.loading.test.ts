/**
 * Step 5 before what few answers need is loaded: the first answers that need it, and what happens if it can't be loaded.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { takeAnswer } from "../../../src/core/exchange/web-standard.ts";
import type { Answer, Prepared, Target } from "../../../src/core/exchange/exchange.ts";
import { exchangeOf } from "../../support/exchange.ts";

const MAPPING = "../../../src/core/way/answer-mapping.ts";
const COOKIES = { host: undefined, sendsCookies: false, owner: undefined, isCrossing: false };

const exchange = exchangeOf();
const target: Target = { selector: "header", origin: new URL("https://a.test"), basePath: "", path: "/p" };
const { headers } = exchange.incoming;
const request: Prepared = {
  ...target,
  method: "GET",
  headers,
  body: null,
  addresses: undefined,
  cookies: COOKIES,
};

function answerOf(fields: HeadersInit): Answer {
  return takeAnswer({ status: 200, statusText: "", headers: new Headers(fields), body: null });
}

beforeEach(() => void vi.resetModules());
afterEach(() => void vi.doUnmock(MAPPING));

describe("the first answers of a process", () => {
  it("are there at once without fields to map", async () => {
    const { buildResponse } = await import("../../../src/core/steps/response.ts");
    expect(buildResponse(answerOf({ "x-a": "1" }), request, exchange, target)).not.toBeInstanceOf(Promise);
  });

  it("are mapped alike if several come together", async () => {
    const { buildResponse } = await import("../../../src/core/steps/response.ts");
    const fields = { "location": "https://a.test/y", "set-cookie": "a=1; Domain=a.test; Path=/" };
    const replies = await Promise.all(
      [1, 2, 3].map(() => buildResponse(answerOf(fields), request, exchange, target)),
    );
    const mapped = replies.map((reply) => [reply.headers.get("location"), reply.headers.get("set-cookie")]);
    expect(mapped).toEqual([1, 2, 3].map(() => ["/y", "a=1; Path=/"]));
  });

  it("end with an error if that can't be loaded", async () => {
    vi.doMock(MAPPING, () => {
      throw new Error("too many open files");
    });
    const { buildResponse } = await import("../../../src/core/steps/response.ts");
    await expect(buildResponse(answerOf({ location: "/y" }), request, exchange, target)).rejects.toThrow();
  });
});
