/**
 * Every request is answered, recorded once, and gets its CORS fields, whatever happens on the way.
 * @module
 */
import { describe, expect, it } from "vitest";
import { type Answerer, receive } from "../../../src/core/door/arrival.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import type { RequestRecord } from "../../../src/core/exchange/record.ts";
import { answerWith } from "../../../src/core/http/answer.ts";
import { toResponse } from "../../../src/core/http/reply.ts";
import { State } from "../../../src/core/state.ts";
import { incomingOf, type Request } from "../../support/exchange.ts";
import { rowsOf } from "../../support/rows.ts";

/** Receives one request; gives the answer, the records, and how often the answerer was asked. */
async function arrive(
  request: Request,
  answerer: Answerer = () => Promise.resolve(answerWith(200, [], "ok")),
) {
  const records: RequestRecord[] = [];
  let asked = 0;
  const state = new State(readOptions(request.options ?? {}), { log: (record) => void records.push(record) });
  const runtime = request.runtime ?? { clientAddress: "192.0.2.1" };
  const answer = await receive(incomingOf(request), runtime, state, (exchange) => {
    asked += 1;
    return answerer(exchange);
  });
  return { answer, records, asked, state };
}

describe("an answer", () => {
  it("is recorded with caller, status and bytes", async () => {
    const { answer, records } = await arrive(
      { method: "PUT" },
      () => Promise.resolve(answerWith(201, [], "ok")),
    );
    expect(answer.status).toBe(201);
    expect(records).toMatchObject([{ method: "PUT", caller: "192.0.2.1", status: 201, bytesOut: 2 }]);
    expect(records[0]?.error).toBeUndefined();
  });

  it.each([
    { about: "the proxy's own", target: undefined, isNamed: true },
    { about: "a target's", target: "a.test", isNamed: false },
  ])("of $about names its line: $isNamed", async ({ target, isNamed }) => {
    const { answer, records } = await arrive({}, ({ record }) => {
      record.target = target;
      return answerWith(200, [], "ok");
    });
    expect(answer.headers.get("x-request-id") === records[0]?.id).toBe(isNamed);
  });

  it.each([
    { about: "HEAD", method: "HEAD", body: "ok" },
    { about: "no body", method: "GET", body: null },
  ])("counts no bytes of $about", async ({ method, body }) => {
    const fields: [string, string][] = [["content-length", "2"]];
    const { records } = await arrive({ method }, () => Promise.resolve(answerWith(200, fields, body)));
    expect(records).toMatchObject([{ bytesOut: 0 }]);
  });

  it("that streams is recorded when it ends", async () => {
    let end = () => {};
    const { records } = await arrive({}, ({ record }) => {
      record.isStreaming = true;
      end = () => record.end();
      return Promise.resolve(answerWith(200, [], "ok"));
    });
    expect(records).toEqual([]);
    end();
    expect(records).toMatchObject([{ status: 200 }]);
  });
});

describe("a failure", () => {
  const cause = new Error("secret");

  it.each(rowsOf(["about", "failure", "status", "error"], [
    ["a known one", new ProxyError("dns_error", "Known", { cause }), 502, "dns_error"],
    ["an unknown one", cause, 500, "internal"],
  ]))("is answered and recorded: $about", async ({ failure, status, error }) => {
    const { answer, records } = await arrive({}, () => Promise.reject(failure));
    expect(answer.status).toBe(status);
    expect(await toResponse(answer, { method: "GET" }).text()).not.toContain("secret");
    expect(records).toMatchObject([{ status, error, cause }]);
  });

  it("of something that streamed already is recorded too", async () => {
    const { records } = await arrive({}, ({ record }) => {
      record.isStreaming = true;
      return Promise.reject(new Error("late"));
    });
    expect(records).toMatchObject([{ status: 500, error: "internal" }]);
  });

  it.each(["TRACE", "CONNECT"])("by %s is one on every path", async (method) => {
    const answers = [await arrive({ method }), await arrive({ method, path: "/__proxy__/health" })];
    expect(answers.map(({ answer, asked }) => [answer.status, asked])).toEqual([[405, 0], [405, 0]]);
  });
});

it("health is open to all, without a count", async () => {
  const options = { proxyToken: "secret", rateLimit: "1/60s", maxConcurrent: 1 };
  const request = { path: "/__proxy__/health", options, fields: { host: "a b" } };
  const { answer, asked, records } = await arrive(request);
  expect([answer.status, asked]).toEqual([200, 0]);
  expect(records).toMatchObject([{ status: 200, caller: "192.0.2.1" }]);
});
