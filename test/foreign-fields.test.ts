/**
 * The fields and addresses that callers and targets write are read in time linear in their length, all the way through the
 * proxy: with keys of the table, callers' tokens, other proxies' forms, and capture.
 */
import { describe, expect, it } from "vitest";
import { createGate } from "../src/parts/gate/gate.ts";
import { createConfiguredProxy } from "../src/index.ts";
import { readOptions } from "../src/core/settings/config.ts";
import { incoming, target } from "./support/handle.ts";
import { findSteep } from "./support/growth.ts";

/** What escapes, separates, pads or quotes in fields and addresses. */
const UNITS = ["\\", "%25", " ", ";", ",", "=", '"', "/"];
const BROWSER = {
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

const config = readOptions({
  allowTargets: ["a.test", "b.test"],
  targets: {
    "a.test": { set: { "x-key": "Key {{KEY}}" }, keys: ["OTHER"], paths: ["/"] },
    "*.c.test": { paths: ["/v1/"] },
  },
  addressForms: ["cors-anywhere", "corsproxy", "scalar", "git"],
  capture: "heads",
  signingKey: "0123456789abcdef0123456789abcdef",
  proxyDomain: "w.localhost",
  trustedProxies: ["127.0.0.1"],
  corsOrigins: ["https://app.test"],
});
const gate = createGate(config, { KEY: "sk-proj-AbC123/xyz+Q9def0123456789", OTHER: "other-secret" });
const proxy = createConfiguredProxy(config, { settings: gate });

async function ask(
  path: string,
  fields: Record<string, string>,
  answer: [string, string][] = [],
): Promise<number> {
  const { runtime } = target({ status: 401, headers: new Headers(answer) });
  const { status } = await proxy.reply(incoming(path, fields), runtime);
  return status;
}

interface Row {
  name: string;
  /** What stands before the run. */
  begin?: string;
  /** More units that this field has a meaning for. */
  more?: string[];
}

const REQUEST: Row[] = [
  { name: "proxy_host", begin: "https://", more: ["a.", "a-", "@", ":"] },
  { name: "proxy_host", begin: "https://a.test/" },
  { name: "host", more: ["a.", "-"] },
  { name: "cookie", begin: "a=b; ", more: ["a=;", "proxy_set_", "proxy_carried__", "; "] },
  { name: "cookie", begin: "proxy_host=https://a.test" },
  { name: "authorization", begin: "Bearer ", more: ["fv1.", "eyJ."] },
  { name: "proxy_token", more: ["fv1."] },
  { name: "proxy_headers", begin: "eyJh" },
  { name: "connection", more: ["a,"] },
  { name: "accept", more: ["a;q=0,"] },
  { name: "origin", begin: "https://" },
  { name: "referer", begin: "http://localhost:8080/", more: ["//@", "?arg="] },
  { name: "if", begin: "<http://localhost:8080/", more: ["<", ">(", "<http://"] },
  { name: "destination", begin: "http://localhost:8080/" },
  { name: "x-forwarded-for", begin: "10.0.0.1", more: ["10.0.0.1,"] },
  { name: "via", begin: "1.1 a", more: ["1.1 a,"] },
  { name: "content-type", begin: "multipart/form-data; " },
  { name: "x-cors-headers", begin: "{" },
  { name: "x-any", begin: "{{OTHER}}", more: ["{{OTHER", "{{"] },
  { name: "x-any", begin: "https://a.test/?token=", more: ["&key=a", "//@", "eyJ", '"a":"', "?"] },
  { name: "access-control-request-headers", more: ["a,"] },
  { name: "sec-websocket-protocol", more: ["a,"] },
];

const ANSWER: Row[] = [
  { name: "location", begin: "https://a.test/", more: ["//@", "?", "#", "%2f", "then=/__proxy__/?host="] },
  { name: "location", begin: "/?next=" },
  { name: "refresh", begin: "0; url=", more: ["0", "'"] },
  { name: "link", begin: "</x>; rel=", more: ["<", ">,<", "<a>;"] },
  { name: "set-cookie", begin: "a=b", more: ["; path=", "a;", "__Host-", "=;"] },
  { name: "www-authenticate", begin: "Basic ", more: ['a="",', "Basic "] },
  { name: "content-type", begin: "text/html", more: ["; a="] },
  { name: "cache-control", begin: "public", more: ["public,", 'a=",', "s-maxage=0,"] },
  { name: "vary", begin: "a", more: ["a,"] },
  { name: "connection", begin: "a", more: ["a,"] },
  { name: "x-any", more: ["sk-proj-AbC123", "%73k", "\\u0073", "%2525", '{"token":"', "c2st"] },
  { name: "x-fetchvia-head", begin: "e" },
];

const PATHS: Row[] = [
  { name: "/", more: ["../", "%2e%2e/", ";a=b/", "//"] },
  { name: "/p?x=", more: ["&", "{{OTHER", "%7b%7b"] },
  { name: "/__proxy__/?url=", more: ["http://", "?url="] },
  { name: "/__proxy__/?url=https://", more: ["a.", "@"] },
  { name: "/__proxy__/?url=https://a.test/", more: ["&sig=", "&exp=", "&"] },
  { name: "/__proxy__/fetch?arg=", more: ["e"] },
  { name: "/__proxy__/explain?url=https://", more: ["a.", "@", ":"] },
  { name: "/__proxy__/?token=" },
  { name: "/__proxy__/sign-in?back=/" },
  { name: "/https://a.test/", more: ["https://"] },
  { name: "/?https://a.test/", more: ["?"] },
  { name: "/a.test/info/refs?service=git-upload-pack", more: ["a."] },
];

/** What is read in another way where a browser asks. */
const OF_BROWSERS = [
  "authorization",
  "cookie",
  "location",
  "origin",
  "referer",
  "set-cookie",
  "www-authenticate",
];
const ofBrowsers = (rows: Row[]) => rows.filter(({ name }) => OF_BROWSERS.includes(name));

const ASKERS = [
  {
    who: "a program, which a key goes out for",
    as: { proxy_host: "https://a.test" },
    request: REQUEST,
    answer: ANSWER,
  },
  {
    who: "a browser",
    as: { ...BROWSER, proxy_host: "https://b.test" },
    request: ofBrowsers(REQUEST),
    answer: ofBrowsers(ANSWER),
  },
];

describe.each(ASKERS)("what $who", ({ as, request, answer }) => {
  it("asks for is sent", async () => expect(await ask("/p", as)).toBe(401));

  it.each(request)(
    "writes into $name after $begin costs what its length asks",
    async ({ name, begin = "x", more = [] }) => {
      const read = (text: string) => ask("/p", { ...as, [name]: text });
      expect(await findSteep(read, [...UNITS, ...more], [begin, "x"])).toEqual([]);
    },
  );

  it.each(answer)(
    "is answered in $name after $begin costs what its length asks",
    async ({ name, begin = "x", more = [] }) => {
      const read = (text: string) => ask("/p", as, [[name, text]]);
      expect(await findSteep(read, [...UNITS, ...more], [begin, "x"])).toEqual([]);
    },
  );
});

it.each(PATHS)("the address $name costs what its length asks", async ({ name, more = [] }) => {
  const read = (text: string) => ask(text, { proxy_host: "https://a.test" });
  expect(await findSteep(read, [...UNITS, ...more], [name, "x"])).toEqual([]);
});
