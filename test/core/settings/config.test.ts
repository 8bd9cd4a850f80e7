/** Every setting: its default, its good, border and bad values, from environment, flags and options. */
import { describe, expect, it } from "vitest";
import { ConfigError, environmentName, flagName, isOption } from "../../../src/core/settings/config.ts";
import { readConfig, readOptions, type SettingName } from "../../../src/core/settings/config.ts";
import type { Setting } from "../../../src/core/settings/setting.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";
import { grouped, rowsOf, words } from "../../support/rows.ts";

const LABEL_63 = "a".repeat(63);
const MAX_TIMER_MS = 2_147_483_647;
const MAX_BYTES = 999_999_999_999_999;

/** The settings whose value is plain; `proxyLabels` has a file of its own. */
const GOOD: { name: SettingName; text: string; value: unknown }[] = [
  { name: "host", text: "0.0.0.0", value: "0.0.0.0" },
  { name: "host", text: "localhost", value: "localhost" },
  { name: "host", text: "::1", value: "::1" },
  { name: "host", text: "[::1]", value: "::1" },
  { name: "host", text: " ::  ".trim(), value: "::" },
  { name: "port", text: "0", value: 0 },
  { name: "port", text: "1", value: 1 },
  { name: "port", text: "65535", value: 65_535 },
  { name: "port", text: " 80 ", value: 80 },
  { name: "proxyDomain", text: "example.com", value: "example.com" },
  { name: "proxyDomain", text: "Proxy.Example.COM.", value: "proxy.example.com" },
  { name: "proxyDomain", text: "a-b.c1", value: "a-b.c1" },
  { name: "proxyDomain", text: "x", value: "x" },
  { name: "proxyDomain", text: "1.a", value: "1.a" },
  { name: "proxyDomain", text: "Bücher.test", value: "xn--bcher-kva.test" },
  { name: "proxyDomain", text: `${LABEL_63}.test`, value: `${LABEL_63}.test` },
  { name: "timeoutMs", text: "0", value: 0 },
  { name: "timeoutMs", text: "1", value: 1 },
  { name: "timeoutMs", text: String(MAX_TIMER_MS), value: MAX_TIMER_MS },
  { name: "idleTimeoutMs", text: "0", value: 0 },
  { name: "idleTimeoutMs", text: String(MAX_TIMER_MS), value: MAX_TIMER_MS },
  { name: "maxRequestBytes", text: "0", value: 0 },
  { name: "maxRequestBytes", text: String(MAX_BYTES), value: MAX_BYTES },
  { name: "maxResponseBytes", text: "0", value: 0 },
  { name: "maxResponseBytes", text: "1048576", value: 1_048_576 },
  { name: "maxRedirects", text: "0", value: 0 },
  { name: "maxRedirects", text: "100", value: 100 },
  { name: "forwardClient", text: "true", value: true },
  { name: "forwardClient", text: "false", value: false },
  { name: "console", text: "false", value: false },
  { name: "console", text: "FALSE", value: false },
  { name: "console", text: "0", value: false },
  { name: "console", text: "1", value: true },
  { name: "console", text: "True", value: true },
  { name: "privateTargets", text: "auto", value: "auto" },
  { name: "privateTargets", text: "AUTO", value: "auto" },
  { name: "privateTargets", text: "true", value: true },
  { name: "privateTargets", text: "false", value: false },
  {
    name: "privateTargets",
    text: "auto, a.test,*.b.test:81",
    value: [{ kind: "name", host: "a.test" }, { kind: "suffix", suffix: ".b.test", port: 81 }],
  },
  { name: "hosts", text: "proxy.test", value: [{ kind: "name", host: "proxy.test" }] },
  { name: "log", text: "JSON", value: "json" },
  { name: "log", text: "off", value: "off" },
  { name: "capture", text: "OFF", value: "off" },
  { name: "capture", text: "console", value: "console" },
  { name: "capture", text: "heads", value: "heads" },
  { name: "capture", text: "1", value: 1 },
  { name: "capture", text: "65536", value: 65_536 },
  { name: "capture", text: "64KiB", value: 65_536 },
  { name: "capture", text: "64 kib", value: 65_536 },
  { name: "capture", text: "16MiB", value: 16_777_216 },
  { name: "captureBytes", text: "1MiB", value: 1_048_576 },
  { name: "captureBytes", text: "4GiB", value: 4_294_967_296 },
  { name: "allowTargets", text: "a.test", value: [{ kind: "name", host: "a.test" }] },
  { name: "denyTargets", text: "*.a.test:80", value: [{ kind: "suffix", suffix: ".a.test", port: 80 }] },
  { name: "proxyToken", text: "!~a=b", value: "!~a=b" },
  { name: "signingKey", text: "käy, \u0000; x", value: "käy, \u0000; x" },
  { name: "maxConcurrent", text: "0", value: 0 },
  { name: "maxConcurrent", text: "1000", value: 1000 },
  { name: "rateLimit", text: "100/60s", value: { requests: 100, seconds: 60 } },
  { name: "rateLimit", text: "1/2m", value: { requests: 1, seconds: 120 } },
  { name: "rateLimit", text: "100/60", value: { requests: 100, seconds: 60 } },
  { name: "rateLimit", text: "999999999/1h", value: { requests: 999_999_999, seconds: 3_600 } },
  { name: "rateLimit", text: "1/596h", value: { requests: 1, seconds: 2_145_600 } },
  { name: "rateLimit", text: "1/2145600s", value: { requests: 1, seconds: 2_145_600 } },
  { name: "via", text: "edge-1.my_proxy", value: "edge-1.my_proxy" },
  { name: "workers", text: "1", value: 1 },
  { name: "workers", text: "1024", value: 1024 },
  { name: "rateLimitStore", text: "redis://127.0.0.1", value: "redis://127.0.0.1" },
  { name: "rateLimitStore", text: "rediss://u:p@[::1]:6380/15", value: "rediss://u:p@[::1]:6380/15" },
];

const BAD = grouped(["name", "text"], [
  // Bun would take "*" for every address.
  ["host", ["a b", "http://localhost", "a\nb", "*"]],
  ["port", ["-1", "65536", "80.5", "8e3", "0x50", "+80", "80 81", "http", "８０", "9".repeat(400), "   "]],
  ["proxyDomain", [
    ...words(`
      example.com:8080 https://example.com example..com .example.com -a.test a-.test a_b.test *.example.com
      127.0.0.1 127.1 0x7f.1 7 a@b.c a/b . a..b http://a.b
    `),
    "a b",
    `a${LABEL_63}.test`,
    `${"a.".repeat(127)}a`,
  ]],
  ["timeoutMs", ["-1", "30s", "30_000", String(MAX_TIMER_MS + 1), "Infinity"]],
  ["idleTimeoutMs", ["1.5", String(MAX_TIMER_MS + 1)]],
  ["maxRequestBytes", ["1MB", "-5"]],
  ["maxResponseBytes", ["1e6", "NaN"]],
  ["maxRedirects", ["-1", "101"]],
  ["forwardClient", ["yes", "2"]],
  ["console", ["on", "truee", "null", "constructor", "__proto__"]],
  ["workers", ["0", "-1", "1.5", "1025", "auto", "many"]],
  [
    "rateLimitStore",
    words(`
      127.0.0.1:6379 http://:secret@127.0.0.1 redis:// redis://:secret@127.0.0.1/cache
      redis://127.0.0.1/0?password=secret
    `),
  ],
  ["privateTargets", ["maybe", "constructor", "auto,", "auto,*", "a.test", "true,a.test"]],
  ["hosts", ["*"]],
  ["allowTargets", ["https://a.test", "a b"]],
  ["denyTargets", ["10.0.0.0/33", "a.test:99999"]],
  ["corsOrigins", ["a.test", "https://a.test/path", "https://a.test,evil"]],
  ["proxyToken", ["a b", "a;b", "a,b", "é", 'a"b', "a\nb"]],
  ["signingKey", ["   "]],
  ["trustedProxies", ["10.0.0.0/33", "a.test", "10.0.0.1,,10.0.0.2"]],
  ["maxConcurrent", ["-1", "many", "lots"]],
  ["rateLimit", words`100 100/ /60s 0/60s 100/0s 100/60d 100/60S -1/60s 1.5/60s 1e3/60s 100/60s/1`],
  // Longer than any timer; the limit would never hold.
  ["rateLimit", ["100 / 60s", "1/597h", "1/999999h"]],
  ["via", ["a b", "a,b", "é", "a\r\nx: y"]],
  ["proxyLabels", ["   ", " , ,", "api", "api=ftp://a.test", "a b=http://a.test"]],
  ["addressForms", ["corsanywhere", "git,,scalar", "all", "git,*"]],
  ["log", ["loud"]],
  ["metrics", ["maybe"]],
  ["gate", ["off"]],
  ["capture", words`all 17MiB 0 64KB 64k 1.5MiB -1 true`],
  ["captureBytes", words`1 4294967297 1048575 heads`],
]);

it.each([
  { name: "host", environment: "HOST", flag: "host" },
  { name: "proxyDomain", environment: "PROXY_DOMAIN", flag: "proxy-domain" },
  { name: "maxRequestBytes", environment: "MAX_REQUEST_BYTES", flag: "max-request-bytes" },
  { name: "timeoutMs", environment: "TIMEOUT_MS", flag: "timeout-ms" },
])("names: $name is $environment and --$flag", ({ name, environment, flag }) => {
  expect(environmentName(name)).toBe(environment);
  expect(flagName(name)).toBe(flag);
});

it.each(Object.keys(SETTINGS) as SettingName[])("defaults: what is not given, or empty, is %s's", (name) => {
  expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]+)*$/);
  const variable = environmentName(name);
  const { [name]: value } = readOptions({});
  expect(readConfig({})).toHaveProperty(name, value);
  expect(readConfig({ [variable]: "" }), "an empty variable").toHaveProperty(name, value);
  expect(readConfig({ [variable]: undefined }), "no variable").toHaveProperty(name, value);
  expect(readOptions({ [name]: undefined }), "an option that is undefined").toHaveProperty(name, value);
});

describe.each(GOOD)("$name, given as $text", ({ name, text, value }) => {
  it("comes from the environment", () =>
    expect(readConfig({ [environmentName(name)]: text })).toHaveProperty(name, value));
  it("comes from a flag, which wins", () => {
    const environment = { [environmentName(name)]: "\n bad" };
    expect(readConfig(environment, { [flagName(name)]: text })).toHaveProperty(name, value);
  });
  it("changes nothing else", () => {
    const config = readConfig({ [environmentName(name)]: text });
    expect({ ...config, [name]: 0 }).toEqual({ ...readConfig({}), [name]: 0 });
  });
});

it.each(GOOD.filter(({ name }) => isOption(name)))(
  "$name, given as $text, comes from an option",
  ({ name, text, value }) => expect(readOptions({ [name]: text })).toHaveProperty(name, value),
);

it.each(BAD.filter(({ name }) => isOption(name)))(
  "$name, given as $text, is refused from an option",
  ({ name, text }) =>
    expect(() => readOptions({ [name]: text })).toThrow(new RegExp(`^${name} is .*expected`)),
);

describe.each(BAD)("$name, given as $text, is refused", ({ name, text }) => {
  const shown = SETTINGS[name].isSecret ? "a secret that can't be used" : JSON.stringify(text);
  const fault = (SETTINGS[name] as Setting<unknown>).findFault?.(text);
  const about = `is ${shown}, ${fault ? `which ${fault}, ` : ""}expected ${SETTINGS[name].expected}`;
  it.each(rowsOf(["from", "read", "source"], [
    ["the environment", () => readConfig({ [environmentName(name)]: text }), environmentName(name)],
    ["a flag", () => readConfig({}, { [flagName(name)]: text }), `--${flagName(name)}`],
  ]))("from $from, in one line that names setting, value and expectation", ({ read, source }) => {
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new ConfigError(`${source} ${about}`));
    expect(`${source} ${about}`).not.toContain("\n");
  });
});
