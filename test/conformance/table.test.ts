/**
 * Measures the conformance table and compares it with the document; `CONFORMANCE=write` writes the document.
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, type Proxy, reply, startProxy, type Upstream } from "../support/topic.ts";
import { FILE, PROBES, readDocument, type Results, RUNTIMES, writeDocument } from "./table/document.ts";

const measured: Results = new Map(PROBES.map(({ behaviour }) => [behaviour, new Map()]));

describe.each(RUNTIMES)("the conformance table on %s", (runtime) => {
  let proxy: Proxy;
  let upstream: Upstream;

  beforeAll(async () => {
    [proxy, upstream] = await Promise.all([startProxy(runtime, {}), listen()]);
  });
  afterAll(async () => await Promise.all([proxy.stop("SIGKILL"), upstream.close()]));

  it.each(PROBES)("is true of $behaviour", async ({ behaviour, measure }) => {
    const fields = { "User-Agent": "table", "Accept": "*/*", "proxy_host": upstream.origin };
    upstream.answer = reply(200, { "Content-Type": "text/plain" }, "ok");
    const result = await measure({ proxy, upstream, fields });
    measured.get(behaviour)?.set(runtime, result);
    const expected = process.env.CONFORMANCE === "write"
      ? result
      : readDocument().get(behaviour)?.get(runtime);
    expect(result).toBe(expected);
  });
});

it("the document holds all of it, and the reasons", () =>
  expect(readFileSync(FILE, "utf8")).toBe(writeDocument(readDocument())));

afterAll(() => {
  const hasAll = PROBES.every(({ behaviour }) => measured.get(behaviour)?.size === RUNTIMES.length);
  if (process.env.CONFORMANCE === "write" && hasAll) writeFileSync(FILE, writeDocument(measured));
});
