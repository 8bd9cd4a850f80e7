/** The page of live traffic: who may watch. @module */
import { describe, expect, it } from "vitest";
import { discard } from "../../../src/core/http/body.ts";
import { Traffic } from "../../../src/parts/console/traffic.ts";
import { createConfiguredProxy } from "../../../src/index.ts";
import { readConfig } from "../../../src/core/settings/config.ts";
import { answerTraffic } from "../../../src/parts/console/pages.ts";
import { exchangeOf } from "../../console/exchange.ts";
import { rowsOf } from "../../support/rows.ts";

const BROWSER = { "sec-fetch-site": "same-origin" };

describe("answerTraffic", () => {
  const traffic = new Traffic();
  const path = `/__proxy__/traffic?ticket=${traffic.ticket}`;

  it.each([
    { about: "a program", asked: {}, seesTraffic: true },
    { about: "the console", asked: { fields: BROWSER, path }, seesTraffic: true },
  ])("is an event stream for $about", async ({ asked, seesTraffic }) => {
    const response = await answerTraffic(exchangeOf(asked), traffic, seesTraffic);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
    discard(response.body);
  });

  it.each(rowsOf(["about", "asked", "seesTraffic"], [
    ["where private targets are refused", { fields: BROWSER, path }, false],
    ["for a program there", {}, false],
    ["for a page without the ticket", { fields: BROWSER }, true],
    ["for a page with another", { fields: BROWSER, path: "/__proxy__/traffic?ticket=x" }, true],
  ]))("is forbidden $about", async ({ asked, seesTraffic }) => {
    await expect(answerTraffic(exchangeOf(asked), traffic, seesTraffic))
      .rejects.toThrow(expect.objectContaining({ code: "forbidden" }));
    expect(traffic.watching).toBe(0);
  });

  it("answers HEAD without a stream, and no other method", async () => {
    expect((await answerTraffic(exchangeOf({ method: "HEAD" }), traffic, true)).body).toBeNull();
    await expect(answerTraffic(exchangeOf({ method: "POST" }), traffic, true))
      .rejects.toThrow(expect.objectContaining({ code: "method_not_allowed" }));
  });
});

describe("live traffic of a captured request has its query", () => {
  const proxy = createConfiguredProxy(
    readConfig({ HOSTS: "proxy.test", PRIVATE_TARGETS: "true", CAPTURE: "heads" }),
  );
  const runtime = {
    clientAddress: "127.0.0.1",
    listensOnLoopback: true,
    resolve: () => Promise.resolve(["93.184.215.14"]),
    send: () => Promise.resolve({ status: 200, statusText: "OK", headers: new Headers(), body: null }),
  };
  const ask = (url: string, headers = {}) => proxy.handle(new Request(url, { headers }), runtime);

  it.each([
    { about: "a program on this machine", origin: "http://localhost:8080", isShown: true },
    // A target's page may have asked over plain http: browsers say there of nobody what asks.
    { about: "a name over plain http", origin: "http://proxy.test", isShown: false },
  ])("for $about: $isShown", async ({ origin, isShown }) => {
    await ask("http://localhost:8080/p?page=2", { proxy_host: "https://a.test" });
    const reader = (await ask(`${origin}/__proxy__/traffic`)).body!.getReader();
    const text = new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
    expect([text.includes("https://a.test/p"), text.includes("page=2")]).toEqual([true, isShown]);
  });
});
