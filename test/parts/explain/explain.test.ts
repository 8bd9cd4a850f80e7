/** What is told of a request; that it then meets exactly that: `decisions/explain.test.ts`. @module */
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../../src/parts/explain/explain.ts";
import { createProxy } from "../../../src/index.ts";
import type { Runtime } from "../../../src/core/runtime.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { type Fields, incoming, target } from "../../support/handle.ts";
import { rowsOf } from "../../support/rows.ts";

const NAMES: Record<string, string[]> = {
  "public.test": ["93.184.215.14"],
  "inside.test": ["10.1.2.3"],
};

/** A runtime that knows the names above, counts look-ups, and notes what is sent. */
function network() {
  const { sent, runtime } = target();
  const asked: string[] = [];
  const resolve = (name: string) => {
    asked.push(name);
    const found = NAMES[name];
    return found
      ? Promise.resolve(found)
      : Promise.reject(Object.assign(new Error(name), { code: "ENOTFOUND" }));
  };
  return { sent, asked, runtime: { ...runtime, resolve } };
}

async function explain(query: string, fields: Fields, options: Options, runtime: Runtime) {
  const answer = await createProxy(options).handle(incoming(`/__proxy__/explain?${query}`, fields), runtime);
  return { status: answer.status, headers: answer.headers, told: await answer.json() as Explanation };
}

describe("look-ups", () => {
  const url = `url=${encodeURIComponent("http://inside.test/")}`;

  it("are not made unless asked for, and the cache is not told either", async () => {
    const { asked, runtime } = network();
    const proxy = createProxy();
    await proxy.handle(incoming(`/__proxy__/?${url}`), runtime);
    const answer = await proxy.handle(incoming(`/__proxy__/explain?${url}`), runtime);
    expect([asked, (await answer.json()).verdict.rule]).toEqual([["inside.test"], "not_looked_up"]);
  });

  it.each(rowsOf(["about", "fields", "options"], [
    ["a page of a target", { ...BROWSER.script, cookie: "proxy_host=http://a.test" }, {}],
    ["another machine", { host: "192.0.2.7" }, {}],
    ["everyone, with closed targets", {}, { privateTargets: false }],
  ]))("are refused to $about", async ({ fields, options }) => {
    const { asked, runtime } = network();
    const { status } = await explain(`dns=true&${url}`, fields, options, runtime);
    expect([status, asked]).toEqual([403, []]);
  });
});

describe("what is not told", () => {
  const options: Options = {
    targets: {
      "public.test": {
        set: { authorization: "Bearer {{KEY}}", "?q": "{{KEY}}" },
        keys: ["KEY"],
        remove: ["x-a"],
      },
    },
  };
  const ask = async (query: string, fields: Fields = {}) => {
    const { runtime } = network();
    const proxy = createProxy(options, { environment: { KEY: "s3cret" } });
    return await (await proxy.handle(incoming(`/__proxy__/explain?${query}`, fields), runtime)).text();
  };
  const url = `url=${encodeURIComponent("https://public.test/")}`;

  it("is any value of an entry", async () => {
    const text = await ask(url);
    expect(JSON.parse(text).entry)
      .toEqual({ name: "public.test", set: ["authorization", "?q"], remove: ["x-a"], keys: ["KEY"] });
    expect(text).not.toContain("s3cret");
  });

  it("is an entry to a page of a target", async () => {
    const text = await ask(url, { ...BROWSER.script, cookie: "proxy_host=http://inside.test" });
    expect(JSON.parse(text).entry).toBeNull();
  });

  it.each([
    { query: `url=${encodeURIComponent("http://me:p4ss@public.test/")}` },
    { query: `arg=${btoa('{"url":"http://me:p4ss@public.test/"}')}` },
    { query: "path=/", fields: { proxy_host: "http://me:p4ss@public.test" } },
    { query: "path=/", fields: { cookie: "proxy_host=http://me:p4ss@public.test; sid=p4ss" } },
    { query: "path=/", fields: { proxy_host: "http://public.test", authorization: "p4ss", "x-own": "p4ss" } },
  ])("is a password or a field: $query $fields", async ({ query, fields }) => {
    expect(await ask(query, fields)).not.toContain("p4ss");
  });
});

it("the selectors are all told, and which one counts", async () => {
  const fields = {
    proxy_host: "evil",
    cookie: "proxy_host=http://a.test/v1",
    host: "b-test.w.localhost:8080",
  };
  const { told } = await explain("path=/p", fields, { target: "http://c.test" }, network().runtime);
  expect(told.selectors).toEqual([
    { selector: "header", value: "evil", fault: expect.stringContaining("Cannot use header proxy_host") },
    { selector: "cookie", value: "http://a.test/v1", target: "http://a.test/v1" },
    { selector: "label", value: "b-test", target: "https://b.test" },
    { selector: "preset", value: "http://c.test", target: "http://c.test" },
  ]);
  expect(told)
    .toMatchObject({ chosen: null, target: null, verdict: { allowed: false, rule: "bad_request" } });
});

it("what follows a # is no part of a request, nor of the question about it", async () => {
  const query = `path=${encodeURIComponent("/a#/b?{{K}}")}`;
  const { told } = await explain(query, {}, { target: "http://public.test" }, network().runtime);
  expect(told.target).toBe("http://public.test/a");
});

describe("CORS", () => {
  const listed = { corsOrigins: "https://app.test" };
  it.each(rowsOf(["origin", "options", "grant", "why"], [
    [undefined, listed, "none", "The request has no Origin"],
    ["https://app.test", listed, "listed", "corsOrigins lists the origin"],
    ["http://localhost:1", {}, "listed", "The origin is one of this machine"],
    ["https://x.test", { corsOrigins: "*" }, "any", expect.stringContaining("*")],
  ]))("of $origin with $options", async ({ origin, options, grant, why }) => {
    const { told } = await explain("path=/", origin ? { origin } : {}, options, network().runtime);
    expect(told.cors).toEqual({ origin: origin ?? null, grant, why });
  });
});

describe("the page", () => {
  it("answers HEAD without a body, and refuses other methods", async () => {
    const path = "/__proxy__/explain?path=/";
    const head = await createProxy().handle(incoming(path, {}, "HEAD"), network().runtime);
    const post = await createProxy().handle(incoming(path, {}, "POST"), network().runtime);
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("is never cached", async () => {
    const { headers } = await explain("path=/", {}, {}, network().runtime);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("knows the forms of other proxies", async () => {
    const options = { addressForms: "cors-anywhere" } as Options;
    expect(readOptions(options).addressForms).toEqual(["cors-anywhere"]);
    const { told } = await explain("path=%2Fhttp%3A%2F%2Fpublic.test%2Fa", {}, options, network().runtime);
    expect(told).toMatchObject({ chosen: "url", target: "http://public.test/a" });
  });
});
