/**
 * The proxy is never its own target, by whatever name or detour (RFC 8586).
 * @module
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectRefusal, expectUntouched } from "../support/refusal.ts";
import { leadTo } from "../support/sentinel.ts";
import type { World } from "../support/world.ts";
import { alike, argOf, ask, rowsOf, selectors } from "../support/topic.ts";

const SELECTORS = selectors("header", "cookie", "url", "arg");

const ON_LOOPBACK = alike("host")`
  127.0.0.1 localhost localhost. 0.0.0.0 [::ffff:127.0.0.1] 2130706433 own.test mapped.test x.w.localhost
  X.W.LOCALHOST`;

const ON_EVERY_ADDRESS = alike("host")`
  127.0.0.1 127.9.9.9 localhost 0.0.0.0 [::1] [::] 10.1.2.3 [::ffff:10.1.2.3] 93.184.216.34 [fd00::1]
  own.test`;

/** Those that fit a label. */
const LABELLED = alike("host", {
  selector: "at" as const,
})`127.0.0.1 localhost own.test mapped.test x.w.localhost`;

const bySelector = <T>(rows: T[]) =>
  SELECTORS.flatMap(({ selector }) => rows.map((row) => ({ selector, ...row })));

export function describeLoops(world: World): void {
  beforeAll(() =>
    world.names({
      "localhost": { a: [["127.0.0.1"]] },
      "own.test": { a: [["127.0.0.1"]] },
      "mapped.test": { aaaa: [["::ffff:7f00:1"]] },
      "start.test": { a: [["10.1.2.3"]] },
      "signed.test": { a: [["93.184.216.34"]] },
    })
  );

  describe("the own listener on loopback", () => {
    const proxy = world.with();
    beforeEach(() => world.forget());

    it.each([...bySelector(ON_LOOPBACK), ...LABELLED])(
      "is no target: $host by $selector",
      async ({ selector, host }) => {
        const answer = await ask(proxy, selector, `http://${host}:${proxy.port}`);
        expectRefusal(answer, "proxy_loop_detected", selector);
      },
    );

    it.each([{ label: "127-0-0-1" }, { label: "localhost" }, { label: "h-x-w-localhost" }])(
      "is no target: label $label",
      async ({ label }) => {
        const fields = { Host: `${label}-${proxy.port}.w.localhost:${proxy.port}` };
        expectRefusal(await proxy.call("GET /p", { fields }), "proxy_loop_detected");
      },
    );

    it.each(selectors("url", "arg"))("is no target of a redirect by $selector", async ({ selector }) => {
      const path = leadTo(`http://own.test:${proxy.port}/p`);
      const answer = await ask(proxy, selector, "http://start.test", `GET ${path}`);
      expectRefusal(answer, "proxy_loop_detected", selector);
      expect((await world.seen()).requests).toHaveLength(1);
    });

    it("is no target of an address nested three times", async () => {
      const own = `http://127.0.0.1:${proxy.port}/__proxy__/?url=`;
      const answer = await proxy.call(`GET /__proxy__/?url=${own}${own}http://10.1.2.3/`);
      expectRefusal(answer, "proxy_loop_detected", "url");
      await expectUntouched(world);
    });

    it("is a target's neighbour: another port is none of the proxy's", async () =>
      expect(await ask(proxy, "url", "http://127.0.0.1:8000")).toMatchObject({ status: 200 }));
  });

  describe.each([{ bound: "0.0.0.0" }, { bound: "::" }])("the own listener on $bound", ({ bound }) => {
    const proxy = world.with({ HOST: bound, PRIVATE_TARGETS: "true" });
    const strict = world.with({ HOST: bound, PRIVATE_TARGETS: "false" });

    it.each(ON_EVERY_ADDRESS)("is no target: $host", async ({ host }) => {
      expectRefusal(await ask(proxy, "header", `http://${host}:${proxy.port}`), "proxy_loop_detected");
    });

    it("is no target where private ones are refused", async () =>
      expectRefusal(await ask(strict, "header", `http://127.0.0.1:${strict.port}`), "proxy_loop_detected"));
  });

  describe("a label of its own", () => {
    const proxy = world.with({ PROXY_DOMAIN: "proxy.test" });

    it.each(rowsOf(["about", "host", "target"], [
      ["a label", "proxy.test:{port}", "http://example-com.w.proxy.test:{port}"],
      ["a label with a final dot", "proxy.test:{port}", "http://a-b.w.proxy.test.:{port}"],
    ]))("is no target, and nobody asks for its address: $about", async ({ host, target }) => {
      const fill = (text: string) => text.replace("{port}", String(proxy.port));
      const fields = { Host: fill(host), proxy_host: fill(target) };
      expectRefusal(await proxy.call("GET /p", { fields }), "proxy_loop_detected");
      expect(await world.queries(new URL(fill(target)).hostname.replace(/\.$/, ""))).toBe(0);
    });
  });

  // Whoever signs its requests writes the target's own Host: what a caller claims makes no target the proxy itself.
  describe("a target that the caller's Host names too", () => {
    const proxy = world.with({ PROXY_DOMAIN: "proxy.test" });
    beforeEach(() => world.forget());
    const call = (host: string, target: string) => {
      const fill = (text: string) => text.replace("{port}", String(proxy.port));
      return proxy.call("GET /p", { fields: { Host: fill(host), proxy_host: fill(target) } });
    };

    it.each([
      { about: "as it is", host: "signed.test", target: "http://signed.test" },
      { about: "with its port", host: "signed.test:8000", target: "http://signed.test:8000" },
      { about: "in other case", host: "SIGNED.test", target: "http://signed.TEST" },
      { about: "with a final dot", host: "signed.test.", target: "http://signed.test" },
      { about: "an address", host: "93.184.216.34", target: "http://93.184.216.34" },
    ])("is reached: $about", async ({ host, target }) => {
      expect(await call(host, target)).toMatchObject({ status: 200, text: "seen /p" });
    });

    it.each([
      { about: "a name", host: "own.test:{port}", target: "http://own.test:{port}" },
      { about: "a name with a final dot", host: "own.test:{port}", target: "http://own.test.:{port}" },
      { about: "an address", host: "127.0.0.1:{port}", target: "http://127.0.0.1:{port}" },
    ])("is none where it leads to the proxy: $about", async ({ host, target }) => {
      expectRefusal(await call(host, target), "proxy_loop_detected");
      await expectUntouched(world);
    });
  });

  // Two proxies that lead to each other.
  describe("a loop through a second fetchvia", () => {
    const first = world.with({}, "first");
    const second = world.with({}, "second");
    beforeEach(() => world.forget());

    it.each([
      { selector: "header" as const, base: "/__proxy__", path: "/?url=" },
      { selector: "cookie" as const, base: "/__proxy__", path: "/?url=" },
      { selector: "url" as const, base: "", path: "/__proxy__/?url=" },
      { selector: "at" as const, base: "", path: "/__proxy__/?url=" },
      { selector: "arg" as const, base: "", path: "/__proxy__/?url=" },
    ])("is met again by $selector", async ({ selector, base, path }) => {
      const back = encodeURIComponent(`${first.origin}/__proxy__/?url=http://10.1.2.3/`);
      const answer = await ask(first, selector, second.origin, `GET ${path}${back}`, { base });
      // The second one hands on what the first answers it, as it would hand on any other answer.
      expect(answer.status).toBe(508);
      expect(answer.json()).toMatchObject({ title: "Proxy Error" });
      await expectUntouched(world);
    });

    it("is met again by label", async () => {
      await world.names({ [`127-0-0-1-${first.port}.w.localhost`]: { a: [["127.0.0.1"]] } });
      const label = `h-127--0--0--1--${first.port}-w-localhost-${second.port}`;
      const fields = { Host: `${label}.w.localhost:${first.port}` };
      expect((await first.call("GET /p", { fields })).status).toBe(508);
      await expectUntouched(world);
    });

    // An argument's request does not carry on the ids that its caller's had.
    it("is met again by arg, where a target leads back", async () => {
      const argue = (url: string) => `/__proxy__/fetch?arg=${argOf({ url })}`;
      const start = (to: string) => `http://start.test${leadTo(to)}`;
      const again = `${first.origin}${argue("http://10.1.2.3/again")}`;
      const answer = await first.call(`GET ${argue(start(`${second.origin}${argue(start(again))}`))}`);
      expect(answer.status).toBe(508);
      expect((await world.seen()).requests).toHaveLength(2);
    });

    it("is none where the second one leads to a target", async () => {
      const answer = await ask(first, "url", second.origin, "GET /__proxy__/?url=http://10.1.2.3/p");
      expect(answer).toMatchObject({ status: 200, text: "seen /p" });
    });
  });
}
