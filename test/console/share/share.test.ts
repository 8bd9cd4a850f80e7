/** The six ways to hand a request on. That they do what they say is tried in test/console-e2e. @module */
import { describe, expect, it } from "vitest";
import { decodeArg } from "../../../src/core/address/arg.ts";
import { writeBody } from "../../../src/console/builder/fetch-argument.ts";
import type { FetchArgument } from "../../../src/client/client.ts";
import { listShares, type ShareContext, writeFetch } from "../../../src/console/share/share.ts";
import { rowsOf, typedRows } from "../../support/rows.ts";

const CONTEXT: ShareContext = {
  base: "http://localhost:8080",
  domain: "localhost",
  labels: [],
  needsToken: false,
};
const POST = {
  url: "https://a.test/p?q=1",
  method: "POST",
  headers: { "x-a": "it's" },
  body: '{ "a" : 1.0 }',
};

const shares = async (argument: FetchArgument, context: Partial<ShareContext> = {}) => {
  const { url, method = "GET", redirect = "follow" } = argument;
  const { headers, text: body } = writeBody(argument);
  const request = { method, url, headers: Object.entries(headers), redirect };
  const listed = await listShares({ ...request, ...(body !== undefined && { body }) }, {
    ...CONTEXT,
    ...context,
  });
  return Object.fromEntries(listed.map((share) => [share.name, share]));
};

describe("listShares", () => {
  it("gives an arg link that holds the whole request", async () => {
    const { text = "" } = (await shares(POST))["arg link"] ?? {};
    const [start, arg = ""] = text.split("?arg=");
    expect(start).toBe("http://localhost:8080/__proxy__/fetch");
    expect(decodeArg(arg)).toEqual(POST);
  });

  it("gives a url link, and says what that leaves out", async () => {
    expect((await shares(POST))["url link"]).toMatchObject({
      text: "http://localhost:8080/__proxy__/?url=https%3A%2F%2Fa.test%2Fp%3Fq%3D1",
      note: "Carries the address only, without method, headers, body",
    });
    expect((await shares({ url: "https://a.test/" }))["url link"]?.note).toBeUndefined();
  });

  it.each(rowsOf(["about", "url", "text", "note"], [
    ["an address", "https://a.test:81/p?q", "http://a-test-81.w.localhost:8080/p?q"],
    ["a configured one", "https://api.test/v1/p?q", "http://api.w.localhost:8080/p?q"],
    ["its base itself", "https://api.test/v1", "http://api.w.localhost:8080/"],
    ["a path beside its base", "https://api.test/v10", "http://api-test.w.localhost:8080/v10"],
    ["one that is taken", "https://b.test/", "", /another host/],
    ["a host that has none", "https://[::1]/", "", /does not fit/],
    ["the proxy's own paths", "https://a.test/__proxy__/health", "", /__proxy__/],
    ["those behind a base", "https://api.test/v1/__proxy__?x", "", /__proxy__/],
    ["a path behind a base", "https://own.test/__proxy__/p", "http://own.w.localhost:8080/p"],
    ["a user", "https://me:secret@a.test/", "", /user and password/],
    ["dot segments", "https://a.test/a/%2e%2e/b", "", /change this path/],
    ["what a browser encodes", "https://a.test/?q='a'", "", /change this path/],
  ]))("gives the label of $about", async ({ url, text, note }) => {
    const labels: ShareContext["labels"] = [
      ["api", "https://api.test/v1"],
      ["b-test", "https://other.test"],
      ["own", "https://own.test/__proxy__"],
    ];
    const { label } = await shares({ url }, { labels });
    expect(label?.text).toBe(text);
    expect(label?.note ?? "").toMatch(note ?? /^$/);
  });

  it.each(rowsOf(["about", "url", "text", "note"], [
    ["an address", "https://a.test:81/p?q", "http://localhost:8080/__proxy__/at/a-test-81/p?q"],
    ["a configured one", "https://api.test/v1", "http://localhost:8080/__proxy__/at/api/"],
    [
      "paths that the proxy has too",
      "https://a.test/__proxy__/x",
      "http://localhost:8080/__proxy__/at/a-test/__proxy__/x",
    ],
    ["a host that has no label", "https://[::1]/", "", /does not fit/],
    ["a user", "https://me:secret@a.test/", "", /user and password/],
  ]))("gives the base address of $about", async ({ url, text, note }) => {
    const ways = await shares({ url }, { labels: [["api", "https://api.test/v1"]] });
    expect(ways["base address"]?.text).toBe(text);
    expect(ways["base address"]?.note ?? "").toMatch(note ?? /^$/);
  });

  it("leads to a proxy that is mounted", async () => {
    const ways = await shares({ url: "https://a.test/p" }, { base: "http://localhost:8080/in/proxy" });
    expect(ways["url link"]?.text)
      .toBe("http://localhost:8080/in/proxy/__proxy__/?url=https%3A%2F%2Fa.test%2Fp");
    expect(ways.label?.text).toBe("http://a-test.w.localhost:8080/in/proxy/p");
    expect(ways["base address"]?.text).toBe("http://localhost:8080/in/proxy/__proxy__/at/a-test/p");
    expect(ways.curl?.text).toContain("'http://localhost:8080/in/proxy/__proxy__/?url=");
  });

  it.each([
    { argument: { url: "https://a.test/" } },
    { argument: POST, note: "Does not follow redirects" },
    { argument: { ...POST, redirect: "manual" as const } },
    { argument: { ...POST, headers: { origin: "https://b.test" } } },
  ])("says where curl follows no redirects: $argument", async ({ argument, note }) => {
    expect((await shares(argument)).curl?.note).toBe(note);
  });

  it.each(
    typedRows<{ about: string; argument: Partial<FetchArgument>; name: string; note: RegExp }>([
      "about",
      "argument",
      "name",
      "note",
    ], [
      ["a header", { headers: { Authorization: "x" } }, "arg link", /Carries authorization/],
      ["a cookie", { headers: { cookie: "a=1" } }, "arg link", /Carries cookie/],
      ["a token", { url: "https://a.test/?access_token=1" }, "url link", /access_token/],
      ["a password", { url: "https://me:x@a.test/" }, "arg link", /a password/],
      ["nothing", { headers: { accept: "x" } }, "arg link", /^$/],
      ["an empty one", { headers: { Authorization: "" } }, "arg link", /^$/],
    ]),
  )("warns calmly of a link with $about (defect 31)", async ({ argument, name, note }) => {
    expect((await shares({ url: "https://a.test/", ...argument }))[name]?.note ?? "").toMatch(note);
  });

  it("says what a file does to each way", async () => {
    const content = new Blob(["x"]);
    const files = {
      fields: [{ name: "a", value: "it's" }, {
        name: "f",
        value: "",
        file: { name: 'p".bin', type: "a/b", content },
      }],
    };
    const request = {
      method: "POST",
      url: "https://a.test/",
      headers: [],
      redirect: "follow" as const,
      body: content,
      files,
    };
    const ways = Object.fromEntries((await listShares(request, CONTEXT)).map((share) => [share.name, share]));
    expect([ways["arg link"], ways.fetch].map((way) => [way?.text, way?.note]))
      .toEqual(Array(2).fill(["", "A link or argument holds no file"]));
    expect(ways.curl?.text).toContain(`--form-string 'a=it'\\''s' \\\n  -F 'f=@"p\\".bin";type=a/b'`);
  });

  it.each(["arg link", "url link", "label"])("names the token for %s (defect 16)", async (name) => {
    expect((await shares({ url: "https://a.test/" }, { needsToken: true }))[name]?.note).toMatch(/token/);
  });
});

it("writeFetch is code that posts the argument", async () => {
  const run = new Function(
    "fetch",
    "PROXY_TOKEN",
    `return (async () => { ${writeFetch(POST, { ...CONTEXT, needsToken: true })} return response; })()`,
  );
  const [address, { method, headers, body }] = await run((...args: unknown[]) => args, "t");
  expect([address, method, headers]).toEqual([
    "http://localhost:8080/__proxy__/fetch",
    "POST",
    { "content-type": "application/json", proxy_token: "t" },
  ]);
  expect(JSON.parse(body)).toEqual(POST);
});
