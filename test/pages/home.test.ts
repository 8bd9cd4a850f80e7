/**
 * `/__proxy__/`: what `url` forwards, and what is told without either.
 * @module
 */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../src/proxy.ts";
import type { Incoming } from "../../src/exchange/runtime.ts";
import { incoming, target } from "../support/handle.ts";

const ask = (request: Incoming) => createProxy().handle(request, target().runtime);

describe("neither", () => {
  it.each([
    { fields: {}, host: null, selector: null },
    { fields: { proxy_host: "https://a.test" }, host: "https://a.test", selector: "header" },
    {
      fields: { cookie: "proxy_host=https%3A%2F%2Fa.test%2Fv1%2F" },
      host: "https://a.test/v1",
      selector: "cookie",
    },
    { fields: { host: "a-test.w.localhost:8080" }, host: "https://a.test", selector: "label" },
  ])("tells what / would be sent to: $fields", async ({ fields, host, selector }) => {
    const response = await ask(incoming("/__proxy__/?other=1", fields));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ host, selector });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it("tells that TARGET decides, by the name that explain, log and metrics have for it", async () => {
    const { runtime } = target();
    const response = await createProxy({ target: "https://a.test/v1" }).handle(
      incoming("/__proxy__/"),
      runtime,
    );
    expect(await response.json()).toEqual({ host: "https://a.test/v1", selector: "preset" });
  });

  it.each([{ fields: { proxy_host: "evil" } }, { fields: { cookie: "proxy_host=evil" } }])(
    "names a malformed selector: $fields",
    async ({ fields }) => {
      const response = await ask(incoming("/__proxy__/", fields));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ title: "Proxy Error" });
    },
  );

  it.each([
    { console: true, accept: "text/html,*/*;q=0.8", type: "text/html; charset=utf-8" },
    { console: true, accept: "application/json", type: "application/json" },
    { console: true, accept: "*/*", type: "application/json" },
    { console: false, accept: "text/html,*/*;q=0.8", type: "application/json" },
  ])("is $type for $accept (console: $console)", async ({ console, accept, type }) => {
    const response = await createProxy({ console }).handle(
      incoming("/__proxy__/", { accept }),
      target().runtime,
    );
    expect(response.headers.get("content-type")).toBe(type);
  });
});
