/** Whether cookies would go out, and why. @module */
import { describe, expect, it } from "vitest";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { tellCookies } from "../../../src/parts/explain/verdict.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf } from "../../support/exchange.ts";

const HOST = "proxy_host=http://a.test";

function targetOf(address: string, selector: Target["selector"]): Target {
  return { selector, origin: new URL(address), path: "/", basePath: "" };
}

describe("tellCookies", () => {
  it.each(
    [
      { cookie: undefined, selector: "url", sent: false, why: "The request has none but the proxy's own" },
      { cookie: HOST, selector: "cookie", sent: false, why: "The request has none but the proxy's own" },
      { cookie: "sid=1", selector: "url", sent: true, why: "The caller keeps its own cookies" },
      { cookie: `sid=1; ${HOST}`, selector: "cookie", sent: true, why: "They belong to this host" },
      {
        cookie: `sid=1; ${HOST}`,
        selector: "url",
        address: "http://b.test",
        sent: false,
        why: /another host/,
      },
      { cookie: "sid=1", selector: "arg", sent: false, why: /only the fields that it describes/ },
    ] as const,
  )("of $cookie by $selector: $sent", ({ cookie, selector, sent, why, ...row }) => {
    const { address = "http://a.test" } = row as { address?: string };
    const described = selector === "arg" ? { described: exchangeOf().incoming } : {};
    const exchange = { ...exchangeOf({ fields: { cookie } }), ...described };
    expect(tellCookies(exchange, targetOf(address, selector), true))
      .toEqual({ sent, why: typeof why === "string" ? why : expect.stringMatching(why) });
  });

  it("tells of those that an arg describes", () => {
    const described = exchangeOf({ fields: { cookie: "a=1" } }).incoming;
    expect(tellCookies({ ...exchangeOf(), described }, targetOf("http://a.test", "arg"), true).sent)
      .toBe(true);
  });

  it("tells of a page of another label", () => {
    const fields = {
      ...BROWSER.script,
      "sec-fetch-site": "same-site",
      cookie: "sid=1",
      host: "h-a-test.w.localhost:1",
    };
    const told = tellCookies(exchangeOf({ fields }), targetOf("http://a.test", "label"), true);
    expect(told).toEqual({ sent: false, why: "A page of another label asks" });
  });

  it.each([{ target: undefined, is: true }, { target: targetOf("http://a.test", "url"), is: false }])(
    "sends none where nothing goes out",
    ({ target, is }) => {
      const told = tellCookies(exchangeOf({ fields: { cookie: "a=1" } }), target, is);
      expect(told).toEqual({ sent: false, why: "Nothing goes out" });
    },
  );
});
