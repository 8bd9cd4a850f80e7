/** Paths that the proxy answers itself, read as they came (`isReserved` and `titleOf`: see routes.test.ts). */
import { describe, expect, it } from "vitest";
import { mapLocation } from "../../../src/core/address/location.ts";
import {
  hasAddress,
  isFetch,
  isOwnPath,
  isPageAt,
  parseMountPath,
  pathOnTarget,
  stripMount,
} from "../../../src/core/address/reserved-paths.ts";
import { rewriteSetCookie } from "../../../src/core/http/set-cookie.ts";
import { createProxy } from "../../../src/index.ts";
import { type Fields, incoming, target } from "../../support/handle.ts";
import { grouped, words } from "../../support/rows.ts";

it.each([
  { path: "/__proxy__/?url=http://a.test/", is: true },
  { path: "/__proxy__?url=http://a.test/", is: true },
  { path: "/__proxy__/?url=", is: true },
  { path: "/__proxy__/?x=1&url=http://a.test/", is: true },
  { path: "/__proxy__/at/a-test/x", is: true },
  { path: "/__proxy__/at?x", is: true },
  { path: "/__proxy__/atlas", is: false },
  { path: "/__proxy__/At/a-test/x", is: false },
  { path: "/at/a-test/x", is: false },
  { path: "/__proxy__/", is: false },
  { path: "/__proxy__/?", is: false },
  { path: "/__proxy__/?xurl=http://a.test/", is: false },
  { path: "/__proxy__//?url=http://a.test/", is: false },
  { path: "/__proxy__/fetch?url=http://a.test/", is: false },
  { path: "/__proxy__x?url=http://a.test/", is: false },
  { path: "/?url=http://a.test/", is: false },
])("hasAddress: $path: $is", ({ path, is }) => expect(hasAddress(path)).toBe(is));

it.each([
  { path: "/x?y", place: undefined, found: "/x?y" },
  { path: "/__proxy__/x", place: undefined, found: undefined },
  { path: "/__proxy__/at/a/x?y", place: "/__proxy__/at/a", found: "/x?y" },
  { path: "/__proxy__/at/a", place: "/__proxy__/at/a", found: "/" },
  { path: "/__proxy__/at/ab/x", place: "/__proxy__/at/a", found: undefined },
  { path: "/x", place: "/__proxy__/at/a", found: undefined },
])(
  "pathOnTarget: $path at $place: $found",
  ({ path, place, found }) => expect(pathOnTarget(path, place)).toBe(found),
);

describe("isOwnPath", () => {
  it.each(grouped(["is", "path"], [
    [true, words(`/__proxy__ /__proxy__/x /__proxy__?x /__proxy__#x /p/__proxy__/ /p/p/__proxy__/`)],
    [false, words(`/p/p/p/__proxy__/ /p /p//__proxy__/ /x/__proxy__/ /__proxy__x /#/__proxy__/`)],
  ]))("$path behind /p: $is", ({ path, is }) => expect(isOwnPath(path, "/p")).toBe(is));

  it.each([
    { path: "/__proxy__/", is: true },
    { path: "/p/__proxy__/", is: false },
  ])("$path at the root: $is", ({ path, is }) => expect(isOwnPath(path, "")).toBe(is));
});

it.each(grouped(["is", "path"], [
  [true, ["/__proxy__/health", "/__proxy__/health?x=1"]],
  [
    false,
    words(`
      /__proxy__/health/ /__proxy__/health/x /__proxy__/healthy /__proxy__/Health /__proxy__//health /health
      /?/__proxy__/health
    `),
  ],
]))("isPageAt health: $path: $is", ({ path, is }) => expect(isPageAt(path, "health")).toBe(is));

it.each([
  { path: "/__proxy__/fetch", is: true },
  { path: "/__proxy__/fetch?arg=e30", is: true },
  { path: "/__proxy__/fetch/", is: true },
  { path: "/__proxy__/fetch/?arg=e30", is: true },
  { path: "/__proxy__/fetch//", is: false },
  { path: "/__proxy__/fetch/x", is: false },
  { path: "/__proxy__/fetches", is: false },
  { path: "/__proxy__/?url=/__proxy__/fetch", is: false },
])("isFetch: $path: $is", ({ path, is }) => expect(isFetch(path)).toBe(is));

const PROXY = "http://localhost:8080";
const MOUNTED = { mountPath: "/in/proxy" };
const HEADER = { proxy_host: "https://a.test" };

async function ask(path: string, fields: Fields = {}, options = {}, answer = {}) {
  const { sent, runtime } = target({ headers: new Headers(answer) });
  const response = await createProxy({ ...MOUNTED, ...options }).handle(incoming(path, fields), runtime);
  return { sent, response };
}

describe("a mount path", () => {
  it.each([
    { text: "/", path: "" },
    { text: "/proxy", path: "/proxy" },
    { text: "/proxy/", path: "/proxy" },
    { text: "/a/b.c/~d_e-1", path: "/a/b.c/~d_e-1" },
  ])("$text is $path", ({ text, path }) => expect(parseMountPath(text)).toBe(path));

  it.each([
    ...words(`
      proxy //proxy /proxy// /a//b /a/../b /. /a%20b /a?b /a;b /__proxy__ /a/__proxy__/b https://a.test/proxy
    `),
    "",
    "/a b",
  ])("is not %s", (text) => expect(parseMountPath(text)).toBeUndefined());
});

it.each([
  { path: "/p", rest: "/" },
  { path: "/p/", rest: "/" },
  { path: "/p?x", rest: "/?x" },
  { path: "/p#x", rest: "/#x" },
  { path: "/p/a//b?c", rest: "/a//b?c" },
  { path: "/p//evil.test", rest: "//evil.test" },
  { path: "/p/p/a", rest: "/p/a" },
  { path: "/pa", rest: undefined },
  { path: "/", rest: undefined },
  { path: "/a/p/b", rest: undefined },
  { path: "//p/a", rest: undefined },
])("stripMount: $path behind /p is $rest", ({ path, rest }) => {
  expect(stripMount(path, "/p")).toBe(rest);
  expect(stripMount(path, "")).toBe(path);
});

describe("a mounted proxy", () => {
  it.each([
    { path: "/in/proxy/__proxy__/health", body: { status: "ok" } },
    { path: "/__proxy__/health", body: { status: "ok" } },
    { path: "/in/proxy/__proxy__", body: { host: null, selector: null } },
    { path: "/in/proxy/__proxy__/fetch", body: { title: "Fetch API Error" } },
    { path: "/in/proxy/x", body: { path: "/x", msg: "Please set host first!" } },
  ])("answers itself at $path", async ({ path, body }) => {
    expect(await (await ask(path)).response.json()).toMatchObject(body);
  });

  it.each([
    { referer: `${PROXY}/in/proxy/a?b`, sent: "https://a.test/a?b" },
    { referer: `${PROXY}/in/proxy`, sent: "https://a.test/" },
    { referer: `${PROXY}/in/proxy/__proxy__/`, sent: null },
    { referer: `${PROXY}/dashboard?secret`, sent: null },
    { referer: `${PROXY}/in/proxyed`, sent: null },
    { referer: PROXY, sent: null },
    { referer: "https://b.test/a", sent: "https://b.test/a" },
  ])("shows the target the referer $referer as $sent", async ({ referer, sent }) => {
    const { sent: [request] } = await ask("/in/proxy/x", { ...HEADER, referer });
    expect(request?.headers.get("referer")).toBe(sent);
  });
});

describe("cookies of a mounted proxy", () => {
  it("keep the token there", async () => {
    const fields = { accept: "text/html", "sec-fetch-dest": "document" };
    const { response } = await ask("/in/proxy/__proxy__/?token=t", fields, { proxyToken: "t" });
    expect(response.headers.get("location")).toBe("/in/proxy/__proxy__/");
    expect(response.headers.get("set-cookie")).toBe("proxy_token=t; Path=/in/proxy; HttpOnly; SameSite=Lax");
  });

  const context = {
    origin: { hosts: ["a.test"], isTrusted: true },
    secure: true,
    basePath: "",
    mountPath: "/p",
    path: "map" as const,
  };
  it.each([
    { given: {}, line: "a=1; Path=/", sent: "a=1; Path=/p" },
    { given: {}, line: "a=1; Path=/x/", sent: "a=1; Path=/p/x/" },
    { given: {}, line: "a=1; Path=/p", sent: "a=1; Path=/p/p" },
    { given: {}, line: "a=1", sent: "a=1" },
    { given: { basePath: "/v1" }, line: "a=1; Path=/v1", sent: "a=1; Path=/p" },
    { given: { basePath: "/v1" }, line: "a=1; Path=/v1/x", sent: "a=1; Path=/p/x" },
    { given: { basePath: "/v1" }, line: "a=1; Path=/v2", sent: "a=1; Path=/p/v2" },
    { given: { path: "widen" as const }, line: "a=1; Path=/x", sent: "a=1; Path=/p" },
  ])("of targets stay there: $given, $line", ({ given, line, sent }) => {
    expect(rewriteSetCookie(line, { ...context, ...given })).toEqual([sent]);
  });
});

describe("addresses in answers of a mounted proxy", () => {
  const base = {
    origin: new URL("https://a.test"),
    basePath: "",
    requestUrl: "https://a.test/dir/page",
    proxyOrigin: PROXY,
    isHeard: false,
    mountPath: "/p",
    proxyDomain: "localhost",
    labels: new Map(),
    isFollowed: true,
  };
  it.each(
    [
      { selector: "header", value: "/next?x#f", arrives: "/p/next?x#f" },
      { selector: "header", value: "next", arrives: "/p/dir/next" },
      { selector: "header", value: "../../../next", arrives: "/p/next" },
      { selector: "header", value: "//a.test//evil.test/", arrives: "/p//evil.test/" },
      { selector: "header", value: "https://a.test", arrives: "/p/" },
      { selector: "header", value: "https://b.test/x", arrives: "https://b.test/x" },
      { selector: "header", value: "/__proxy__/x", arrives: link("https://a.test/__proxy__/x") },
      { selector: "header", value: `${PROXY}/login`, arrives: `${PROXY}/login` },
      { selector: "header", value: `${PROXY}/p/x`, arrives: `${PROXY}/p/x` },
      {
        selector: "header",
        value: `${PROXY}/p/__proxy__/?host=https://b.test`,
        arrives: link(`${PROXY}/p/__proxy__/?host=https://b.test`),
      },
      {
        selector: "cookie",
        value: "https://b.test/x",
        arrives: "/p/__proxy__/?host=https%3A%2F%2Fb.test&then=%2Fx",
      },
      { selector: "cookie", value: "https://b.test/__proxy__/", arrives: link("https://b.test/__proxy__/") },
      { selector: "label", value: "https://b.test/__proxy__/", arrives: link("https://b.test/__proxy__/") },
      {
        selector: "label",
        value: "https://b.test/p/__proxy__/?host=x",
        arrives: link("https://b.test/p/__proxy__/?host=x"),
      },
      {
        selector: "cookie",
        value: "/p/__proxy__/?host=x",
        arrives: link("https://a.test/p/__proxy__/?host=x"),
      },
      {
        selector: "cookie",
        value: `${PROXY}/__proxy__/?host=x`,
        arrives: link(`${PROXY}/__proxy__/?host=x`),
      },
      { selector: "label", value: "https://b.test/x", arrives: "http://b-test.w.localhost:8080/p/x" },
      { selector: "url", value: "next", arrives: link("https://a.test/dir/next") },
      { selector: "arg", value: "next", arrives: "next" },
    ] as const,
  )("$selector: $value arrives as $arrives", ({ selector, value, arrives }) => {
    expect(mapLocation(value, { ...base, selector })).toBe(arrives);
  });
});

it("shows a console whose links stay there", async () => {
  const { response } = await ask("/in/proxy/__proxy__/", { accept: "text/html" });
  const links = [...(await response.text()).matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, to]) => to);
  expect(links).toHaveLength(7);
  expect(links.filter((to) => !to?.startsWith("/in/proxy/"))).toEqual([]);
});

function link(address: string): string {
  return `${PROXY}/p/__proxy__/?url=${encodeURIComponent(address)}`;
}
