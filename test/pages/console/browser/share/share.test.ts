/**
 * The five ways to hand a request on. That they do what they say is tried in test/console-e2e.
 * @module
 */
import { describe, expect, it } from "vitest";
import { decodeArg } from "../../../../../src/address/arg.ts";
import { readRequest } from "../../../../../src/pages/console/browser/builder/argument.ts";
import type { FetchArgument } from "../../../../../src/client.ts";
import {
  listShares,
  type ShareContext,
  writeFetch,
} from "../../../../../src/pages/console/browser/share/share.ts";

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

const shares = async (argument: FetchArgument, context: Partial<ShareContext> = {}) =>
  Object.fromEntries(
    (await listShares(readRequest(argument), { ...CONTEXT, ...context })).map((share) => [share.name, share]),
  );

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

  it.each([
    { about: "an address", url: "https://a.test:81/p?q", text: "http://a-test-81.w.localhost:8080/p?q" },
    { about: "a configured one", url: "https://api.test/v1/p?q", text: "http://api.w.localhost:8080/p?q" },
    { about: "its base itself", url: "https://api.test/v1", text: "http://api.w.localhost:8080/" },
    {
      about: "a path beside its base",
      url: "https://api.test/v10",
      text: "http://api-test.w.localhost:8080/v10",
    },
    { about: "one that is taken", url: "https://b.test/", text: "", note: /another host/ },
    { about: "a host that has none", url: "https://[::1]/", text: "", note: /does not fit/ },
    { about: "the proxy's own paths", url: "https://a.test/__proxy__/health", text: "", note: /__proxy__/ },
    { about: "those behind a base", url: "https://api.test/v1/__proxy__?x", text: "", note: /__proxy__/ },
    {
      about: "a path behind a base",
      url: "https://own.test/__proxy__/p",
      text: "http://own.w.localhost:8080/p",
    },
    { about: "a user", url: "https://me:secret@a.test/", text: "", note: /user and password/ },
    { about: "dot segments", url: "https://a.test/a/%2e%2e/b", text: "", note: /change this path/ },
    { about: "what a browser encodes", url: "https://a.test/?q='a'", text: "", note: /change this path/ },
  ])("gives the label of $about", async ({ url, text, note }) => {
    const labels: ShareContext["labels"] = [
      ["api", "https://api.test/v1"],
      ["b-test", "https://other.test"],
      [
        "own",
        "https://own.test/__proxy__",
      ],
    ];
    const { label } = await shares({ url }, { labels });
    expect(label?.text).toBe(text);
    expect(label?.note ?? "").toMatch(note ?? /^$/);
  });

  it("leads to a proxy that is mounted", async () => {
    const ways = await shares({ url: "https://a.test/p" }, { base: "http://localhost:8080/in/proxy" });
    expect(ways["url link"]?.text).toBe(
      "http://localhost:8080/in/proxy/__proxy__/?url=https%3A%2F%2Fa.test%2Fp",
    );
    expect(ways.label?.text).toBe("http://a-test.w.localhost:8080/in/proxy/p");
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

  it.each<{ about: string; argument: Partial<FetchArgument>; name: string; note: RegExp }>([
    {
      about: "a header",
      argument: { headers: { Authorization: "x" } },
      name: "arg link",
      note: /Carries authorization/,
    },
    { about: "a cookie", argument: { headers: { cookie: "a=1" } }, name: "arg link", note: /Carries cookie/ },
    {
      about: "a token",
      argument: { url: "https://a.test/?access_token=1" },
      name: "url link",
      note: /access_token/,
    },
    { about: "a password", argument: { url: "https://me:x@a.test/" }, name: "arg link", note: /a password/ },
    { about: "nothing", argument: { headers: { accept: "x" } }, name: "arg link", note: /^$/ },
    { about: "an empty one", argument: { headers: { Authorization: "" } }, name: "arg link", note: /^$/ },
  ])("warns calmly of a link with $about (defect 31)", async ({ argument, name, note }) => {
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
    expect([ways["arg link"], ways.fetch].map((way) => [way?.text, way?.note])).toEqual(
      Array(2).fill(["", "A link or argument holds no file"]),
    );
    expect(ways.curl?.text).toContain(`--form-string 'a=it'\\''s' \\\n  -F 'f=@"p\\".bin";type=a/b'`);
  });

  it.each(["arg link", "url link", "label"])("names the token for %s (defect 16)", async (name) => {
    expect((await shares({ url: "https://a.test/" }, { needsToken: true }))[name]?.note).toMatch(/token/);
  });
});

describe("writeFetch", () => {
  it("is code that posts the argument", async () => {
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
});
