/** A proxy that is mounted: which mount paths there are, and that everything it answers stays behind its own. */
import { describe, expect, it } from "vitest";
import { mapLocation } from "../../../src/core/address/location.ts";
import { parseMountPath, stripMount } from "../../../src/core/address/mount.ts";
import { createProxy } from "../../../src/index.ts";
import { rewriteSetCookie } from "../../../src/core/http/set-cookie.ts";
import { words } from "../../support/rows.ts";
import { type Fields, incoming, target } from "../../support/handle.ts";

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
