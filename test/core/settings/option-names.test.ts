/** Settings in the words of who reads a message: variables, flags, options of a library or of a plugin (rule 21.3). @module */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ProxyError } from "../../../src/core/http/error.ts";
import type { Runtime } from "../../../src/core/runtime.ts";
import { environmentName, type Options, readConfig } from "../../../src/core/settings/config.ts";
import { nameOptions, nameOptionsOf } from "../../../src/core/settings/option-names.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";
import { createConfiguredProxy, createProxy } from "../../../src/index.ts";
import { readMountOptions } from "../../../src/runtimes/node/mount-options.ts";
import { rowsOf, textRows } from "../../support/rows.ts";

it.each(textRows(["text", "named"])`
  To allow it, set ALLOW_TARGETS=10.1.2.3:80 | To allow it, set allowTargets: "10.1.2.3:80"
  Add https://a.test to CORS_ORIGINS | Add https://a.test to corsOrigins
  PRIVATE_TARGETS=auto allows that | privateTargets: "auto" allows that
  Set HOSTS=a.test and set PORT=1 | Set hosts: "a.test" and set port: "1"
  NODE_EXTRA_CA_CERTS=a HTTPS_PROXY JSON X_ALLOW_TARGETS | NODE_EXTRA_CA_CERTS=a HTTPS_PROXY JSON X_ALLOW_TARGETS`)(
  "$text",
  ({ text, named }) => expect([nameOptions(text, true), nameOptions(text, false)]).toEqual([named, text]),
);

it("names them in all texts of an error, and keeps the rest", () => {
  const names = ["HOSTS", "RATE_LIMIT"];
  const headers = { allow: "GET" };
  const details = { setting: "HOSTS=a.test", reason: "RATE_LIMIT", cause: 1, headers, names };
  const error = new ProxyError("forbidden", "set HOSTS=a.test", details);
  expect(nameOptionsOf(error, undefined)).toBe(error);
  const { code, message, setting, reason, cause, ...rest } = nameOptionsOf(error, true);
  expect([code, message, setting, reason, cause, rest.headers])
    .toEqual(["forbidden", 'set hosts: "a.test"', 'hosts: "a.test"', "rateLimit", 1, headers]);
});

const RUNTIME: Runtime = {
  clientAddress: "192.0.2.1",
  listensOnLoopback: false,
  resolve: () => Promise.resolve(["93.184.215.14"]),
};
const PAGE = { origin: "https://page.test", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };
const URL_LINK = "/__proxy__/?url=https://a.test/";
const KEYED = { TARGETS: '{"a.test":{"set":{"x":"{{ID}}"}}}' };

type Variables = Record<string, string>;

const flagsOf = (variables: Variables) =>
  Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [name.toLowerCase().replaceAll("_", "-"), text]),
  );
const optionsOf = (variables: Variables): Options =>
  Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [
      name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
      text,
    ]),
  );

/** Who reads: each gives the same settings in its own way. A flag has the name of its variable, which messages show. */
const READERS = rowsOf(["reader", "isOption", "make"], [
  [
    "variables",
    false,
    (set: Variables) => createConfiguredProxy(readConfig(set), { environment: { ID: "k" } }),
  ],
  [
    "flags",
    false,
    (set: Variables) => createConfiguredProxy(readConfig({}, flagsOf(set)), { environment: { ID: "k" } }),
  ],
  [
    "options",
    true,
    (set: Variables) =>
      createProxy(optionsOf(set), { environment: { ID: "k" } } as Parameters<typeof createProxy>[1]),
  ],
  ["a plugin", true, (set: Variables) =>
    createConfiguredProxy(readMountOptions(optionsOf(set)).config, {
      environment: { ID: "k" },
      isEmbedded: true,
    })],
]);

/** What is refused, and what the message names. */
const REMEDIES = rowsOf(["set", "path", "init", "variable", "option"], [
  [
    {},
    "/",
    { headers: { proxy_host: "http://10.1.2.3" } },
    "set ALLOW_TARGETS=10.1.2.3:80 (ALLOW_TARGETS closes",
    'set allowTargets: "10.1.2.3:80" (allowTargets closes',
  ],
  [
    { PRIVATE_TARGETS: "false" },
    "/",
    { headers: { proxy_host: "http://10.1.2.3" } },
    "PRIVATE_TARGETS is false",
    "privateTargets is false",
  ],
  [{ DENY_TARGETS: "a.test" }, URL_LINK, {}, "DENY_TARGETS refuses it", "denyTargets refuses it"],
  [{ ALLOW_TARGETS: "b.test" }, URL_LINK, {}, "ALLOW_TARGETS does not name", "allowTargets does not name"],
  [
    { CORS_ORIGINS: "https://b.test" },
    "/",
    { method: "OPTIONS", headers: { ...PAGE, "access-control-request-method": "PUT" } },
    "CORS_ORIGINS does not list it",
    "corsOrigins does not list it",
  ],
  [{}, "/__proxy__/fetch?arg=e30", { headers: PAGE }, "origin to CORS_ORIGINS", "origin to corsOrigins"],
  [
    { UPSTREAM_PROXY: "http://b.test:1" },
    URL_LINK,
    {},
    "the setting UPSTREAM_PROXY",
    "the setting upstreamProxy",
  ],
  [KEYED, URL_LINK, {}, "set PROXY_TOKEN or CALLER_TOKENS", "set proxyToken or callerTokens"],
  [
    { RATE_LIMIT: "1/60s" },
    "/__proxy__/?nothing=1",
    {},
    "RATE_LIMIT of this proxy",
    "rateLimit of this proxy",
  ],
  [
    { FORWARD_CLIENT: "true" },
    URL_LINK,
    { headers: { proxy_headers: btoa('{"X-Forwarded-For":"1"}') } },
    "which FORWARD_CLIENT leaves",
    "which forwardClient leaves",
  ],
  // Words of the caller stay as they are.
  [{}, URL_LINK, { headers: { proxy_headers: btoa('{"HOST":"PORT=1"}') } }, 'field "HOST"', 'field "HOST"'],
]);

describe.each(READERS)("who sets $reader reads", ({ isOption, make }) => {
  it.each(REMEDIES)("$variable as its own words", async ({ set, path, init, variable, option }) => {
    const proxy = make(set);
    const ask = async () => {
      const request = new Request(`http://localhost:8080${path}`, init as RequestInit);
      const answer = await proxy.handle(request, RUNTIME);
      return `${answer.headers.get("proxy-status")} ${await answer.text()}`.replaceAll("\\", "");
    };
    await ask();
    expect(await ask()).toContain(isOption ? option : variable);
  });
});

it("an option that lacks another is refused in options", () => {
  expect(() => createProxy({ callerTokens: true }))
    .toThrow("callerTokens is true, expected signingKey with it");
  expect(() => createProxy({ targets: { "a.test": 1 } }))
    .toThrow('Cannot use targets: entry "a.test" is no object');
});

it("an error of a request that names a setting says which, so that options can stand in its place", () => {
  const settings = Object.keys(SETTINGS).map(environmentName).filter((name) => name.length > 4);
  const named = new RegExp(`\\b(?:${settings.join("|")})\\b`);
  const errors = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?:core|parts|wire)\/.+\.ts$/.test(file))
    .flatMap((file) => {
      const [, ...made] = readFileSync(`src/${file}`, "utf8").split(/new ProxyError(?=\()/);
      return made.map((text) => ({ file, text: /^\([^]*?\);\n/.exec(text)?.[0] ?? "" }));
    });
  expect(errors.length).toBeGreaterThan(50);
  expect(errors.filter(({ text }) => named.test(text) && !text.includes("names"))).toEqual([]);
});
