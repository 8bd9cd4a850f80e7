/** The limits of an answer's body, and what its end leaves in the record. @module */
import { describe, expect, it } from "vitest";
import { limitBody } from "../../../src/core/way/response-body.ts";
import type { Target, TargetResponse } from "../../../src/core/exchange/exchange.ts";
import { readWhole } from "../../../src/core/http/body.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { takeBody } from "../../../src/core/exchange/web-standard.ts";
import { exchangeOf } from "../../support/exchange.ts";

const target: Target = { selector: "header", origin: new URL("https://a.test"), basePath: "", path: "/" };

/** A streamed answer of these chunks. */
function streamed(...chunks: string[]): TargetResponse {
  const body = takeBody(new Blob(chunks).stream() as ReadableStream<Uint8Array>);
  return { status: 200, statusText: "OK", headers: new Fields(), body };
}

describe("the body of an answer", () => {
  it("is counted to its end", async () => {
    const exchange = exchangeOf();
    const body = limitBody(streamed("one", "two"), new Fields(), exchange, target);
    expect(exchange.record.isStreaming).toBe(true);
    expect(new TextDecoder().decode(await readWhole(body as never))).toBe("onetwo");
    expect(exchange.record.bytesOut).toBe(6);
  });

  it("is refused by its announced length", () => {
    const exchange = exchangeOf({ options: { maxResponseBytes: 5 } });
    const limit = () => limitBody(streamed("one"), new Fields([["content-length", "6"]]), exchange, target);
    expect(limit).toThrow("Cannot forward the response of a.test: it is too large (limit 5 bytes)");
  });

  it("is cut where it grows too large, and the record says why", async () => {
    const exchange = exchangeOf({ options: { maxResponseBytes: 5 } });
    const body = limitBody(streamed("onetwo"), new Fields(), exchange, target);
    await expect(readWhole(body as never)).rejects.toThrow("it is too large");
    expect(exchange.record.error).toBe("answer_too_large");
  });

  it("stays as it is where it is no stream", () => {
    const bytes = new Uint8Array([1]);
    const answer: TargetResponse = { status: 200, statusText: "OK", headers: new Fields(), body: bytes };
    expect(limitBody(answer, new Fields(), exchangeOf(), target)).toBe(bytes);
  });
});
