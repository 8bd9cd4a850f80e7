/**
 * Every setting: its default, its good, border and bad values, from environment, flags and options.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  ConfigError,
  environmentName,
  flagName,
  readConfig,
  readOptions,
  type SettingName,
} from "../../src/settings/config.ts";
import type { Setting } from "../../src/settings/setting.ts";
import { SETTINGS } from "../../src/settings/settings.ts";

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
  { name: "allowTargets", text: "a.test", value: [{ kind: "name", host: "a.test" }] },
  { name: "denyTargets", text: "*.a.test:80", value: [{ kind: "suffix", suffix: ".a.test", port: 80 }] },
  { name: "proxyToken", text: "!~a=b", value: "!~a=b" },
  { name: "signingKey", text: "käy, \u0000; x", value: "käy, \u0000; x" },
  { name: "maxConcurrent", text: "0", value: 0 },
  { name: "maxConcurrent", text: "1000", value: 1000 },
  { name: "rateLimit", text: "100/60s", value: { requests: 100, seconds: 60 } },
  { name: "rateLimit", text: "1/2m", value: { requests: 1, seconds: 120 } },
  { name: "via", text: "edge-1.my_proxy", value: "edge-1.my_proxy" },
  { name: "workers", text: "1", value: 1 },
  { name: "workers", text: "1024", value: 1024 },
  { name: "rateLimitStore", text: "redis://127.0.0.1", value: "redis://127.0.0.1" },
  { name: "rateLimitStore", text: "rediss://u:p@[::1]:6380/15", value: "rediss://u:p@[::1]:6380/15" },
];

const BAD: { name: SettingName; text: string }[] = [
  { name: "host", text: "a b" },
  { name: "host", text: "http://localhost" },
  { name: "host", text: "a\nb" },
  { name: "port", text: "-1" },
  { name: "port", text: "65536" },
  { name: "port", text: "80.5" },
  { name: "port", text: "8e3" },
  { name: "port", text: "0x50" },
  { name: "port", text: "+80" },
  { name: "port", text: "80 81" },
  { name: "port", text: "http" },
  { name: "port", text: "８０" },
  { name: "port", text: "9".repeat(400) },
  { name: "port", text: "   " },
  { name: "proxyDomain", text: "a b" },
  { name: "proxyDomain", text: "example.com:8080" },
  { name: "proxyDomain", text: "https://example.com" },
  { name: "proxyDomain", text: "example..com" },
  { name: "proxyDomain", text: ".example.com" },
  { name: "proxyDomain", text: "-a.test" },
  { name: "proxyDomain", text: "a-.test" },
  { name: "proxyDomain", text: "a_b.test" },
  { name: "proxyDomain", text: "*.example.com" },
  { name: "proxyDomain", text: "127.0.0.1" },
  { name: "proxyDomain", text: `a${LABEL_63}.test` },
  { name: "timeoutMs", text: "-1" },
  { name: "timeoutMs", text: "30s" },
  { name: "timeoutMs", text: "30_000" },
  { name: "timeoutMs", text: String(MAX_TIMER_MS + 1) },
  { name: "timeoutMs", text: "Infinity" },
  { name: "idleTimeoutMs", text: "1.5" },
  { name: "idleTimeoutMs", text: String(MAX_TIMER_MS + 1) },
  { name: "maxRequestBytes", text: "1MB" },
  { name: "maxRequestBytes", text: "-5" },
  { name: "maxResponseBytes", text: "1e6" },
  { name: "maxResponseBytes", text: "NaN" },
  { name: "maxRedirects", text: "-1" },
  { name: "maxRedirects", text: "101" },
  { name: "forwardClient", text: "yes" },
  { name: "forwardClient", text: "2" },
  { name: "console", text: "on" },
  { name: "workers", text: "0" },
  { name: "workers", text: "-1" },
  { name: "workers", text: "1.5" },
  { name: "workers", text: "1025" },
  { name: "workers", text: "auto" },
  { name: "rateLimitStore", text: "127.0.0.1:6379" },
  { name: "rateLimitStore", text: "http://:secret@127.0.0.1" },
  { name: "rateLimitStore", text: "redis://" },
  { name: "rateLimitStore", text: "redis://:secret@127.0.0.1/cache" },
  { name: "rateLimitStore", text: "redis://127.0.0.1/0?password=secret" },
  { name: "console", text: "truee" },
  { name: "console", text: "null" },
  { name: "console", text: "constructor" },
  { name: "console", text: "__proto__" },
  { name: "privateTargets", text: "maybe" },
  { name: "privateTargets", text: "constructor" },
  { name: "allowTargets", text: "https://a.test" },
  { name: "allowTargets", text: "a b" },
  { name: "denyTargets", text: "10.0.0.0/33" },
  { name: "denyTargets", text: "a.test:99999" },
  { name: "corsOrigins", text: "a.test" },
  { name: "corsOrigins", text: "https://a.test/path" },
  { name: "corsOrigins", text: "https://a.test,evil" },
  { name: "proxyToken", text: "a b" },
  { name: "proxyToken", text: "a;b" },
  { name: "proxyToken", text: "a,b" },
  { name: "proxyToken", text: "é" },
  { name: "trustedProxies", text: "10.0.0.0/33" },
  { name: "trustedProxies", text: "a.test" },
  { name: "trustedProxies", text: "10.0.0.1,,10.0.0.2" },
  { name: "maxConcurrent", text: "-1" },
  { name: "maxConcurrent", text: "many" },
  { name: "rateLimit", text: "100" },
  { name: "rateLimit", text: "0/60s" },
  { name: "rateLimit", text: "100/0s" },
  { name: "rateLimit", text: "100/60d" },
  { name: "rateLimit", text: "-1/60s" },
  { name: "rateLimit", text: "1e3/60s" },
  { name: "via", text: "a b" },
  { name: "via", text: "a,b" },
  { name: "via", text: "é" },
  { name: "via", text: "a\r\nx: y" },
  { name: "proxyLabels", text: "api" },
  { name: "addressForms", text: "corsanywhere" },
  { name: "addressForms", text: "git,,scalar" },
  { name: "addressForms", text: "all" },
];

describe("names", () => {
  it.each([
    { name: "host", environment: "HOST", flag: "host" },
    { name: "proxyDomain", environment: "PROXY_DOMAIN", flag: "proxy-domain" },
    { name: "maxRequestBytes", environment: "MAX_REQUEST_BYTES", flag: "max-request-bytes" },
    { name: "timeoutMs", environment: "TIMEOUT_MS", flag: "timeout-ms" },
  ])("$name is $environment and --$flag", ({ name, environment, flag }) => {
    expect(environmentName(name)).toBe(environment);
    expect(flagName(name)).toBe(flag);
  });
});

describe("the table", () => {
  it.each(Object.entries(SETTINGS).map(([name, setting]) => ({ name, ...setting })))(
    "documents $name",
    ({ name, unit, expected }) => {
      expect(name).toMatch(/^[a-z]+(?:[A-Z][a-z]+)*$/);
      expect(unit).not.toBe("");
      expect(expected).toMatch(/^\S.*\S$/);
    },
  );
});

describe("defaults", () => {
  it.each([
    { name: "host", value: "127.0.0.1" },
    { name: "port", value: 8080 },
    { name: "proxyDomain", value: "localhost" },
    { name: "proxyLabels", value: new Map() },
    { name: "allowTargets", value: [] },
    { name: "denyTargets", value: [] },
    { name: "privateTargets", value: "auto" },
    { name: "corsOrigins", value: undefined },
    { name: "proxyToken", value: "" },
    { name: "signingKey", value: "" },
    { name: "trustedProxies", value: [] },
    { name: "maxConcurrent", value: 0 },
    { name: "rateLimit", value: undefined },
    { name: "timeoutMs", value: 30_000 },
    { name: "idleTimeoutMs", value: 300_000 },
    { name: "maxRequestBytes", value: 0 },
    { name: "maxResponseBytes", value: 0 },
    { name: "maxRedirects", value: 20 },
    { name: "forwardClient", value: false },
    { name: "console", value: true },
    { name: "via", value: "" },
  ])("$name is $value", ({ name, value }) => {
    const variable = environmentName(name);
    expect(readConfig({})).toHaveProperty(name, value);
    expect(readConfig({ [variable]: "" }), "an empty variable").toHaveProperty(name, value);
    expect(readConfig({ [variable]: undefined }), "no variable").toHaveProperty(name, value);
    expect(readOptions({}), "no options").toHaveProperty(name, value);
    expect(readOptions({ [name]: undefined }), "an option that is undefined").toHaveProperty(name, value);
  });
});

describe.each(GOOD)("$name, given as $text", ({ name, text, value }) => {
  it("comes from the environment", () => {
    expect(readConfig({ [environmentName(name)]: text })).toHaveProperty(name, value);
  });
  it("comes from a flag, which wins", () => {
    const environment = { [environmentName(name)]: "\n bad" };
    expect(readConfig(environment, { [flagName(name)]: text })).toHaveProperty(name, value);
  });
  it("comes from an option", () => {
    expect(readOptions({ [name]: text })).toHaveProperty(name, value);
  });
  it("changes nothing else", () => {
    expect({ ...readOptions({ [name]: text }), [name]: 0 }).toEqual({ ...readOptions({}), [name]: 0 });
  });
});

describe.each(BAD)("$name, given as $text, is refused", ({ name, text }) => {
  const shown = SETTINGS[name].isSecret ? "a secret that can't be used" : JSON.stringify(text);
  const fault = (SETTINGS[name] as Setting<unknown>).findFault?.(text);
  const about = `is ${shown}, ${fault ? `which ${fault}, ` : ""}expected ${SETTINGS[name].expected}`;
  it.each([
    {
      from: "the environment",
      read: () => readConfig({ [environmentName(name)]: text }),
      source: environmentName(name),
    },
    { from: "a flag", read: () => readConfig({}, { [flagName(name)]: text }), source: `--${flagName(name)}` },
    { from: "an option", read: () => readOptions({ [name]: text }), source: name },
  ])("from $from, in one line that names setting, value and expectation", ({ read, source }) => {
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new ConfigError(`${source} ${about}`));
    expect(`${source} ${about}`).not.toContain("\n");
  });
});

describe("a bad variable is named, with its value and what was expected", () => {
  it.each([
    { name: "PORT", value: "70000" },
    { name: "PORT", value: "-1" },
    { name: "PORT", value: "80.5" },
    { name: "PROXY_DOMAIN", value: "http://proxy.test" },
    { name: "ADDRESS_FORMS", value: "corsanywhere" },
    { name: "ADDRESS_FORMS", value: "git,*" },
    { name: "PROXY_LABELS", value: "api" },
    { name: "PROXY_LABELS", value: "api=ftp://a.test" },
    { name: "PROXY_LABELS", value: "a b=http://a.test" },
    { name: "ALLOW_TARGETS", value: "http://a.test" },
    { name: "DENY_TARGETS", value: "10.0.0.0/99" },
    { name: "PRIVATE_TARGETS", value: "maybe" },
    { name: "CORS_ORIGINS", value: "app.test" },
    { name: "TRUSTED_PROXIES", value: "10.0.0.0/99" },
    { name: "FORWARD_CLIENT", value: "maybe" },
    { name: "VIA", value: "no pseudonym" },
    { name: "TIMEOUT_MS", value: "30s" },
    { name: "TIMEOUT_MS", value: "2147483648" },
    { name: "IDLE_TIMEOUT_MS", value: "-1" },
    { name: "MAX_REQUEST_BYTES", value: "1MB" },
    { name: "MAX_RESPONSE_BYTES", value: "1.5" },
    { name: "MAX_CONCURRENT", value: "lots" },
    { name: "MAX_REDIRECTS", value: "-1" },
    { name: "WORKERS", value: "0" },
    { name: "RATE_LIMIT", value: "100" },
    { name: "RATE_LIMIT", value: "0/60s" },
    { name: "LOG", value: "loud" },
    { name: "METRICS", value: "maybe" },
    { name: "CONSOLE", value: "maybe" },
  ])("$name $value", ({ name, value }) => {
    const message = messageOf(() => readConfig({ [name]: value }));
    expect(message).toContain(`${name} is`);
    expect(message).toContain(value);
    expect(message).toContain("expected");
  });
});

function messageOf(read: () => unknown): string {
  try {
    read();
    return "";
  } catch (error) {
    return (error as ConfigError).message;
  }
}
