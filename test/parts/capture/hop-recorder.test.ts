/** One hop: what went out, what came back, and when. @module */
import { describe, expect, it } from "vitest";
import { HopRecorder } from "../../../src/parts/capture/hop-recorder.ts";
import { KeptHeads } from "../../../src/parts/capture/kept-heads.ts";
import { createMasker } from "../../../src/parts/capture/masker.ts";
import type { Outgoing } from "../../../src/core/runtime.ts";
import { Cancellation } from "../../../src/core/http/cancellation.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Fields } from "../../../src/core/http/fields.ts";

const outgoing: Outgoing = {
  method: "GET",
  origin: new URL("https://a.test"),
  path: "/x?y",
  headers: new Fields([["a", "1"], ["a", "2"]]),
  body: null,
  addresses: ["192.0.2.1"],
  signal: new Cancellation(),
};

function createHop(more: Partial<Outgoing> = {}) {
  let time = 10;
  return new HopRecorder({ ...outgoing, ...more }, { startMs: 1, lookedUpMs: 2 }, {
    now: () => time++,
    numberOf: (connection) => `number of ${String(connection)}`,
    heads: new KeptHeads({ masker: createMasker("00"), guard: undefined }, () => true),
  });
}

describe("a hop", () => {
  it("has its request, its addresses and when it began", () =>
    expect(createHop().hop).toEqual({
      request: { method: "GET", url: "https://a.test/x?y", headers: [["a", "1"], ["a", "2"]] },
      addresses: ["192.0.2.1"],
      times: { startMs: 1, lookedUpMs: 2 },
    }));

  it("names the other proxy without its credentials", () => {
    const upstream = { kind: "http", host: "proxy.test:3128", login: "user:pass" } as never;
    const { hop } = createHop({ route: { upstream }, addresses: undefined });
    expect(hop.upstream).toBe("proxy.test:3128");
    expect(hop).not.toHaveProperty("addresses");
    expect(JSON.stringify(hop)).not.toContain("pass");
  });

  it("has the time of each step", () => {
    const watch = createHop();
    watch.onConnected(["one"]);
    watch.onSecured({ protocol: "TLSv1.3" });
    watch.onSent();
    watch.onFirstByte();
    watch.onVersion("HTTP/1.0");
    watch.answered({ status: 200, statusText: "OK", headers: new Fields([["b", "1"]]) });
    watch.ended();
    watch.ended();
    expect(watch.hop.times).toEqual({
      startMs: 1,
      lookedUpMs: 2,
      connectedMs: 10,
      isReused: false,
      securedMs: 11,
      sentMs: 12,
      firstByteMs: 13,
      endMs: 14,
    });
    expect([watch.hop.connection, watch.hop.tls]).toEqual(["number of one", { protocol: "TLSv1.3" }]);
    expect(watch.hop.response)
      .toEqual({ status: 200, statusText: "OK", httpVersion: "HTTP/1.0", headers: [["b", "1"]] });
  });

  it("has what the target said before its response, as much of it as goes on", () => {
    const watch = createHop();
    const said = (status: number, value: string) => ({
      status,
      statusText: "",
      headers: new Fields([["x-key", value]]),
    });
    watch.onInterim({ status: 100, statusText: "Continue", headers: new Fields() });
    watch.onInterim(said(103, "a"));
    expect(watch.hop.interims).toEqual([
      { atMs: 10, status: 100, statusText: "Continue", headers: [] },
      {
        atMs: 11,
        status: 103,
        statusText: "",
        headers: [["x-key", expect.stringMatching(/^\*{3}\(1 bytes/)]],
      },
    ]);
    watch.onInterim(said(103, "x".repeat(65_536)));
    expect(watch.hop.interims).toHaveLength(2);
    for (let times = 0; times < 200; times += 1) watch.onInterim(said(102, ""));
    expect(watch.hop.interims).toHaveLength(100);
  });

  it("takes the head for the first byte where nobody tells", () => {
    const watch = createHop();
    watch.onReused(["other"], { alpn: "http/1.1" });
    watch.answered({ status: 200, statusText: "", headers: new Fields() });
    expect(watch.hop).toMatchObject({
      connection: "number of other",
      tls: { alpn: "http/1.1" },
      times: { isReused: true, firstByteMs: 10 },
    });
    expect(watch.hop.response).not.toHaveProperty("httpVersion");
    expect(watch.hop.times).not.toHaveProperty("connectedMs");
  });

  it.each([
    { failure: Object.assign(new Error(), { code: "ECONNREFUSED" }), error: "connection_refused" },
    { failure: new ProxyError("response_timeout", "late"), error: "response_timeout" },
  ])("has the code of its failure: $error", ({ failure, error }) => {
    const watch = createHop();
    watch.failed(failure);
    expect(watch.hop).toMatchObject({ error, times: { endMs: 10 } });
  });
});
