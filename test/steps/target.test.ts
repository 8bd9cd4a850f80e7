/**
 * Step 1: the priority of the host selectors, and the path behind the base.
 * @module
 */
import { describe, expect, it } from "vitest";
import { readOptions } from "../../src/settings/config.ts";
import { readCarried } from "../../src/exchange/host-selectors.ts";
import { selectTarget } from "../../src/steps/target.ts";

const CONFIG = readOptions({ proxyLabels: "api=https://api.test/v1" });
const LABEL = "label-test.w.localhost:8080";

const select = (fields: Record<string, string | undefined>, host: string, path = "/") =>
  selectIn(new Headers(fields as Record<string, string>), host, path);

function selectIn(headers: Headers, host: string, path: string) {
  const caller = { isBrowser: headers.has("sec-fetch-site") };
  return selectTarget({ carried: readCarried(headers, host, CONFIG), caller, config: CONFIG }, path);
}

const HEADER = { proxy_host: "https://header.test" };
const COOKIE = { cookie: "proxy_host=https%3A%2F%2Fcookie.test" };

describe("priority", () => {
  it.each([
    { fields: { ...HEADER, ...COOKIE }, host: LABEL, selector: "header", origin: "https://header.test" },
    { fields: HEADER, host: LABEL, selector: "header", origin: "https://header.test" },
    {
      fields: { "proxy-host": "https://header.test", ...COOKIE },
      host: LABEL,
      selector: "header",
      origin: "https://header.test",
    },
    { fields: COOKIE, host: LABEL, selector: "cookie", origin: "https://cookie.test" },
    { fields: COOKIE, host: "localhost", selector: "cookie", origin: "https://cookie.test" },
    { fields: { cookie: "other=1" }, host: LABEL, selector: "label", origin: "https://label.test" },
    { fields: {}, host: LABEL, selector: "label", origin: "https://label.test" },
    { fields: HEADER, host: "", selector: "header", origin: "https://header.test" },
  ])("$fields on $host: $selector", ({ fields, host, selector, origin }) => {
    const target = select(fields, host);
    expect(target?.selector).toBe(selector);
    expect(target?.origin.origin).toBe(origin);
  });

  it.each([
    { fields: {}, host: "localhost:8080" },
    { fields: { cookie: "a=1" }, host: "" },
    { fields: { host: LABEL }, host: "localhost" },
  ])("without a selector there is no target: $fields on $host", ({ fields, host }) => {
    expect(select(fields, host)).toBeUndefined();
  });
});

describe("a cookie in a browser, on a host label", () => {
  const inBrowser = (cookie: string) => ({ cookie, "sec-fetch-site": "none" });

  it("leads nowhere else, because the page of another label may have set it", () => {
    const run = () => select(inBrowser("proxy_host=http://evil.test"), LABEL);
    expect(run).toThrow(expect.objectContaining({ code: "forbidden" }));
    expect(run).toThrow("Cannot use cookie proxy_host on a host label: ");
  });

  it.each([
    { cookie: "proxy_host=https://label.test", host: LABEL, selector: "cookie" },
    { cookie: "proxy_host=https://cookie.test", host: "localhost:8080", selector: "cookie" },
    { cookie: "sid=1", host: LABEL, selector: "label" },
  ])("means what it says elsewhere: $cookie on $host", ({ cookie, host, selector }) => {
    expect(select(inBrowser(cookie), host)?.selector).toBe(selector);
  });

  it("does not count where a header names the target", () => {
    const fields = { ...HEADER, ...inBrowser("proxy_host=http://evil.test") };
    expect(select(fields, LABEL)?.selector).toBe("header");
  });
});

describe("a malformed selector never falls through", () => {
  it.each([
    { fields: { proxy_host: "evil", ...COOKIE }, host: LABEL, culprit: "header proxy_host" },
    { fields: { proxy_host: "", ...COOKIE }, host: LABEL, culprit: "header proxy_host" },
    { fields: { ...HEADER, "proxy-host": "https://b.test" }, host: LABEL, culprit: "header proxy_host" },
    { fields: { cookie: "proxy_host=evil" }, host: LABEL, culprit: "cookie proxy_host" },
    { fields: { cookie: "proxy_host=" }, host: LABEL, culprit: "cookie proxy_host" },
    { fields: {}, host: "-.w.localhost", culprit: "host label -" },
  ])("$culprit in $fields on $host", ({ fields, host, culprit }) => {
    const run = () => select(fields, host);
    expect(run).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(run).toThrow(`Cannot use ${culprit}: `);
  });
});

describe("base and path", () => {
  it.each([
    { base: "https://a.test", path: "/", sent: "/" },
    { base: "https://a.test", path: "/users?x=1", sent: "/users?x=1" },
    { base: "https://a.test/", path: "/users", sent: "/users" },
    { base: "https://a.test/v1", path: "/users?x=1", sent: "/v1/users?x=1" },
    { base: "https://a.test/v1/", path: "/users", sent: "/v1/users" },
    { base: "https://a.test/v1//", path: "/", sent: "/v1/" },
    { base: "https://a.test/v1", path: "/?", sent: "/v1/?" },
    { base: "https://a.test", path: "//evil.test/x", sent: "//evil.test/x" },
    { base: "https://a.test/v1", path: "//evil.test", sent: "/v1//evil.test" },
    { base: "https://a.test", path: "/\\evil.test", sent: "/\\evil.test" },
    { base: "https://a.test", path: "/@evil.test", sent: "/@evil.test" },
    { base: "https://a.test", path: "/http://evil.test/", sent: "/http://evil.test/" },
    { base: "https://a.test", path: "/%2F%7E%zz|'", sent: "/%2F%7E%zz|'" },
    { base: "https://a.test/v1", path: "/../x", sent: "/v1/../x" },
  ])("$base + $path → $sent", ({ base, path, sent }) => {
    const target = select({ proxy_host: base }, "localhost", path);
    expect(target?.path).toBe(sent);
    expect(target?.origin.href).toBe("https://a.test/");
  });

  it.each([
    { fields: { proxy_host: "https://a.test/v1/" }, host: "localhost", basePath: "/v1" },
    { fields: { cookie: "proxy_host=https://a.test/v2" }, host: "localhost", basePath: "/v2" },
    { fields: {}, host: "api.w.localhost", basePath: "/v1" },
    { fields: { proxy_host: "https://a.test" }, host: "localhost", basePath: "" },
    { fields: {}, host: LABEL, basePath: "" },
  ])("the base path $basePath is known: $fields on $host", ({ fields, host, basePath }) => {
    expect(select(fields, host, "/p")).toMatchObject({
      basePath,
      path: `${basePath}/p`,
    });
  });
});

it("leaves the fields as they were", () => {
  const headers = new Headers({ ...HEADER, ...COOKIE, host: LABEL });
  const before = [...headers];
  selectIn(headers, LABEL, "/");
  expect([...headers]).toEqual(before);
});
