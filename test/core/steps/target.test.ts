/** Step 1: the priority of the host selectors, and the path behind the base. */
import { describe, expect, it } from "vitest";
import { readOptions } from "../../../src/core/settings/config.ts";
import { readCarried } from "../../../src/core/who/host-selectors.ts";
import { selectTarget } from "../../../src/core/steps/target.ts";

const CONFIG = readOptions({ proxyLabels: "api=https://api.test/v1" });
const LABEL = "label-test.w.localhost:8080";

const select = (fields: Record<string, string | undefined>, host: string, path = "/") =>
  selectIn(new Headers(fields as Record<string, string>), host, path);

function selectIn(headers: Headers, host: string, path: string) {
  const caller = { isBrowser: headers.has("sec-fetch-site") };
  return selectTarget({ carried: readCarried(headers, host, CONFIG), caller, config: CONFIG }, path);
}

const HEADER = { proxy_host: "https://header.test" };
it.each([
  { fields: {}, host: "localhost:8080" },
  { fields: { cookie: "a=1" }, host: "" },
  { fields: { host: LABEL }, host: "localhost" },
])("priority without a selector there is no target: $fields on $host", ({ fields, host }) => {
  expect(select(fields, host)).toBeUndefined();
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

it.each([
  { fields: { proxy_host: "https://a.test/v1/" }, host: "localhost", basePath: "/v1" },
  { fields: { cookie: "proxy_host=https://a.test/v2" }, host: "localhost", basePath: "/v2" },
  { fields: {}, host: "api.w.localhost", basePath: "/v1" },
  { fields: { proxy_host: "https://a.test" }, host: "localhost", basePath: "" },
  { fields: {}, host: LABEL, basePath: "" },
])("base and path the base path $basePath is known: $fields on $host", ({ fields, host, basePath }) => {
  expect(select(fields, host, "/p")).toMatchObject({ basePath, path: `${basePath}/p` });
});
