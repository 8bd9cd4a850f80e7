/** What options may be beside text, configured labels, and what a configuration is as a whole. */
import { describe, expect, it } from "vitest";
import { formatAddress } from "../../../src/core/address/address.ts";
import { type Config, ConfigError, environmentName } from "../../../src/core/settings/config.ts";
import { type Options, type OptionValue, readConfig } from "../../../src/core/settings/config.ts";
import { readOptions, type SettingName } from "../../../src/core/settings/config.ts";
import { createProxy as createCore } from "../../../src/core/index.ts";
import { createProxy } from "../../../src/index.ts";
import { findLabelsFault } from "../../../src/core/settings/list-values.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";
import { rowsOf, words } from "../../support/rows.ts";

const written = ({ proxyLabels }: Config) =>
  Object.fromEntries([...proxyLabels].map(([label, base]) => [label, formatAddress(base)]));

const PLAIN: { options: Options; value: unknown }[] = [
  { options: { maxRedirects: 0 }, value: 0 },
  { options: { maxRedirects: 100 }, value: 100 },
  { options: { console: false }, value: false },
  { options: { forwardClient: true }, value: true },
  { options: { privateTargets: false }, value: false },
  { options: { timeoutMs: 1000 }, value: 1000 },
  { options: { via: "a" }, value: "a" },
];

const BAD: { options: Options; text: string }[] = [
  { options: { maxRedirects: -1 }, text: "-1" },
  { options: { maxRedirects: 101 }, text: "101" },
  { options: { maxRedirects: 1.5 }, text: "1.5" },
  { options: { maxRedirects: NaN }, text: "NaN" },
  { options: { timeoutMs: Infinity }, text: "Infinity" },
  { options: { maxRequestBytes: 1e21 }, text: "1e+21" },
  { options: { via: "" }, text: '""' },
  { options: { allowTargets: "" }, text: '""' },
  { options: { allowTargets: " " }, text: '" "' },
  { options: { allowTargets: [""] }, text: '[""]' },
  { options: { allowTargets: [] }, text: "[]" },
  { options: { allowTargets: ["a.test,b.test"] }, text: '["a.test,b.test"]' },
  { options: { denyTargets: [" "] }, text: '[" "]' },
  { options: { trustedProxies: ["127.0.0.1,::1"] }, text: '["127.0.0.1,::1"]' },
  { options: { corsOrigins: ["https://a.test,*"] }, text: '["https://a.test,*"]' },
  { options: { proxyLabels: { "a=https://a.test/": "x" } }, text: '{"a=https://a.test/":"x"}' },
];

/** Values of a wrong type, which only code without types can give. */
const WRONG: { name: SettingName; value: unknown; shown: string }[] = [
  { name: "allowTargets", value: new Set(["only.test"]), shown: "[object Set]" },
  { name: "denyTargets", value: new Set(["127.0.0.1"]), shown: "[object Set]" },
  { name: "denyTargets", value: { "127.0.0.1": true }, shown: '{"127.0.0.1":true}' },
  { name: "denyTargets", value: {}, shown: "{}" },
  { name: "allowTargets", value: [null], shown: "[null]" },
  { name: "allowTargets", value: [["a.test"]], shown: "[[object Array]]" },
  { name: "allowTargets", value: true, shown: "true" },
  { name: "allowTargets", value: null, shown: "null" },
  { name: "trustedProxies", value: new Map(), shown: "[object Map]" },
  { name: "corsOrigins", value: new Set(), shown: "[object Set]" },
  { name: "proxyLabels", value: new Map([["a", "https://a.test"]]), shown: "[object Map]" },
  { name: "proxyLabels", value: { a: new URL("https://a.test") }, shown: '{"a":[object URL]}' },
  { name: "proxyLabels", value: null, shown: "null" },
  { name: "target", value: null, shown: "null" },
  { name: "target", value: new URL("https://a.test"), shown: "[object URL]" },
  { name: "maxRedirects", value: 80n, shown: "80n" },
  { name: "maxRedirects", value: true, shown: "true" },
  { name: "maxRedirects", value: "", shown: '""' },
  { name: "console", value: 2, shown: "2" },
  { name: "metrics", value: ["x"], shown: '["x"]' },
  { name: "via", value: ["127.0.0.1"], shown: '["127.0.0.1"]' },
  { name: "via", value: true, shown: "true" },
  { name: "via", value: () => "::1", shown: "[function]" },
  { name: "proxyToken", value: Symbol("x"), shown: "[symbol]" },
  { name: "proxyToken", value: ["sesame"], shown: "[object]" },
  { name: "proxyToken", value: 1234, shown: "[number]" },
  { name: "signingKey", value: false, shown: "[boolean]" },
  { name: "signingKey", value: { key: "sesame" }, shown: "[object]" },
];

const UNKNOWN: { options: Record<string, OptionValue>; name: string }[] = [
  { options: { prot: 1 }, name: "prot" },
  { options: { PORT: 1 }, name: "PORT" },
  { options: { "proxy-domain": "x" }, name: "proxy-domain" },
  { options: { constructor: "x" }, name: "constructor" },
  { options: { toString: "x" }, name: "toString" },
];

describe("options", () => {
  it.each(PLAIN)("may be plain values: $options", ({ options, value }) => {
    expect(Object.values(options).length).toBe(1);
    expect(readOptions(options)).toHaveProperty(Object.keys(options)[0] ?? "", value);
  });

  it.each(BAD)("are refused as text would be: $options", ({ options, text }) => {
    const name = Object.keys(options)[0] ?? "";
    expect(() => readOptions(options)).toThrow(ConfigError);
    expect(() => readOptions(options)).toThrow(`${name} is ${text}, expected `);
    expect(() => createProxy(options)).toThrow(ConfigError);
  });

  it.each(WRONG)("are refused for their type: $name $shown", ({ name, value, shown }) => {
    const options = { [name]: value } as Options;
    const { expected } = SETTINGS[name];
    expect(() => createProxy(options)).toThrow(new ConfigError(`${name} is ${shown}, expected ${expected}`));
  });

  it.each([
    { options: null, kind: "Null" },
    { options: "allowTargets=a.test", kind: "String" },
    { options: [{ allowTargets: "a.test" }], kind: "Array" },
    { options: new Map([["allowTargets", "a.test"]]), kind: "Map" },
    { options: () => ({}), kind: "Function" },
  ])("are a plain object: $kind", ({ options, kind }) => {
    const message = `Cannot use options: they are [object ${kind}], expected a plain object`;
    expect(() => createProxy(options as Options)).toThrow(new ConfigError(message));
  });

  it.each(
    [
      { name: "denyTargets", value: [] },
      { name: "trustedProxies", value: [] },
      { name: "proxyLabels", value: new Map() },
      { name: "corsOrigins", value: { any: false, listed: new Set() } },
    ] as const,
  )("may be an empty list, which names nothing: $name", ({ name, value }) => {
    expect(readOptions({ [name]: [] })).toHaveProperty(name, value);
  });

  it.each(UNKNOWN)("must be known: $name", ({ options, name }) => {
    const read = () => readOptions(options as Options);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`${name}.* unknown, expected .*\\bproxyDomain\\b`));
  });

  it.each(["host", "port", "workers", "log", "tlsCert", "tlsKey"])("are none for a listener: %s", (name) => {
    const message =
      `Cannot use option ${name}: it has no effect in another server, expected it in the options`;
    expect(() => createProxy({ [name]: "1" })).toThrow(message);
    expect(() => createCore({ [name]: "1" })).toThrow(message);
    expect(() => createProxy({ [name]: undefined })).not.toThrow();
  });

  it("name what takes the place of rateLimitStore", () =>
    expect(() => createProxy({ rateLimitStore: "redis://a.test" } as Options))
      .toThrow("Cannot use option rateLimitStore: it has no effect in another server, expected a rateStore"));

  it("are named with the nearest one first", () =>
    expect(() => readOptions({ allow_target: "*" } as Options)).toThrow(
      "Cannot use option allow_target: it is unknown, expected allowTargets, or one of proxyDomain, mountPath, ",
    ));
});

const LABELS = rowsOf(["given", "labels"], [
  ["api=https://api.test", { api: "https://api.test" }],
  ["API=https://api.test/v1/", { api: "https://api.test/v1" }],
  [" a=http://a.test:81 , b=https://b.test ", { a: "http://a.test:81", b: "https://b.test" }],
  ["a=https://a.test/x=y", { a: "https://a.test/x=y" }],
  [`${"a".repeat(63)}=https://a.test`, { ["a".repeat(63)]: "https://a.test" }],
  ["x--y-1=https://a.test,0=https://a.test", { "x--y-1": "https://a.test", "0": "https://a.test" }],
  ["constructor=https://a.test", { constructor: "https://a.test" }],
  [["a=https://a.test", "b=https://b.test"], { a: "https://a.test", b: "https://b.test" }],
  [{ a: "https://a.test", b: "https://b.test" }, { a: "https://a.test", b: "https://b.test" }],
  [{ a: "https://a.test/x,b=https://b.test" }, { a: "https://a.test/x,b=https://b.test" }],
  [["a=https://a.test/x,y"], { a: "https://a.test/x,y" }],
  [[], {}],
  [{}, {}],
]);

describe("proxyLabels", () => {
  it.each(LABELS)("$given", ({ given, labels }) => {
    expect(written(readOptions({ proxyLabels: given }))).toEqual(labels);
  });

  it.each([
    ...words`api api= =https://a.test api=a.test api=ftp://a.test a.b=https://a.test a_b=https://a.test
      -a=https://a.test a-=https://a.test bücher=https://a.test a=https://a.test,A=https://b.test
      a=https://a.test,b,c=https://c.test`,
    ...["a b=https://a.test", `${"a".repeat(64)}=https://a.test`],
  ])("is refused as %s", (given) => {
    const environment = { PROXY_LABELS: given };
    expect(() => readConfig(environment)).toThrow(ConfigError);
    expect(() => readConfig(environment)).toThrow(
      `PROXY_LABELS is ${JSON.stringify(given)}, which ${findLabelsFault(given)}, expected a list such as`,
    );
  });
});

it.each(rowsOf(["name", "value", "shown"], [
  ["PROXY_LABELS", "api=https://u:p@a.test", "api=https://***@a.test"],
  ["PROXY_LABELS", "b=http://b,api=https://u:p@ss@a.test/x@y", "b=http://b,api=https://***@a.test/x@y"],
  ["TARGET", "http://u:s3cret@a.test", "http://***@a.test"],
  ["TARGET", "https:u:s3 cret@a.test", "https:***@a.test"],
  ["TARGET", "https:\\\\u:s3cret@a.test", "https:\\\\***@a.test"],
  ["TARGET", "\\\\u:s3cret@a.test/x@y", "\\\\***@a.test/x@y"],
  ["TARGET", "https://a.test/?key=s3cret", "https://a.test/?***"],
  ["PROXY_LABELS", "a=https://a.test/?key=s3cret,b=https://b.test", "a=https://a.test/?***,b=https://b.test"],
]))("credentials in an address that can't be used are not shown: $value", ({ name, value, shown }) => {
  const line = new RegExp(`^${name} is "[^"]*", which .*has (?:credentials|no scheme|a query), expected`);
  expect(() => readConfig({ [name]: value })).toThrow(line);
  expect(() => readConfig({ [name]: value })).toThrow(`${name} is ${JSON.stringify(shown)}, which`);
});

it.each(rowsOf(["about", "value", "shown"], [
  ["a long value", "x".repeat(1_000_000), `"${"x".repeat(299)}…"`],
  ["many quotes", '"\\'.repeat(100_000), `${JSON.stringify('"\\'.repeat(100_000)).slice(0, 300)}…"`],
  ["a private key", "-----BEGIN EC PRIVATE KEY-----\ns3cret\n-----END EC PRIVATE KEY-----", '"***"'],
  ["a caller's token", "fv1.s3cret.s3cret", '"***"'],
  ["a token behind its scheme", "Bearer fv1.s3cret.s3cret", '"***"'],
  ["a password with a slash", "http://u:a/s3cret@h.test/@", '"http://***@"'],
]))("a message about $about shows no more than it has to", ({ value, shown }) => {
  expect(() => readConfig({ CALLER_TOKENS: value })).toThrow(
    new ConfigError(`CALLER_TOKENS is ${shown}, expected true or false`),
  );
});

describe("a configuration", () => {
  it("reads environment and flags together", () => {
    const environment = { PORT: "1", HOST: "::", UNRELATED: "x", port: "9" };
    expect(readConfig(environment, { port: "2", "proxy-domain": "p.test" }))
      .toEqual({ ...readConfig({}), host: "::", port: 2, proxyDomain: "p.test" });
  });

  it.each([
    { environment: { METRICS: true }, config: { metrics: true } },
    { environment: { CONSOLE: false }, config: { console: false } },
    { environment: { MAX_CONCURRENT: 100 }, config: { maxConcurrent: 100 } },
    { environment: { PORT: 0 }, config: { port: 0 } },
    { environment: { PORT: null }, config: {} },
  ])("reads numbers and booleans as their text: $environment", ({ environment, config }) => {
    expect(readConfig(environment)).toEqual({ ...readConfig({}), ...config });
  });

  it.each([
    { variable: "TARGET", value: { fetch() {} }, shown: '{"fetch":[function]}' },
    { variable: "ALLOW_TARGETS", value: ["a.test"], shown: '["a.test"]' },
    { variable: "LOG", value: new Map(), shown: "[object Map]" },
    { variable: "TIMEOUT_MS", value: 1.5, shown: "1.5" },
    { variable: "SIGNING_KEY", value: false, shown: "[boolean]" },
    { variable: "MAX_CONCURRENT", value: "9999999999999999", shown: '"9999999999999999"' },
  ])("refuses anything else in the environment: $variable $shown", ({ variable, value, shown }) => {
    const read = () => readConfig({ [variable]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`${variable} is ${shown}, expected `);
  });

  it.each(
    [
      "port",
      "workers",
      "maxConcurrent",
      "timeoutMs",
      "idleTimeoutMs",
      "maxRequestBytes",
      "maxResponseBytes",
      "maxRedirects",
    ] as const,
  )("tells how large a number may be: %s", (name) => {
    const [, most = ""] = / to (\d+)$/.exec(SETTINGS[name].expected) ?? [];
    const read = (text: string) => readConfig({ [environmentName(name)]: text });
    expect(read(most)).toHaveProperty(name, Number(most));
    expect(() => read(`${BigInt(most) + 1n}`)).toThrow(` to ${most}`);
  });

  it("is frozen, and leaves what it was read from as it was", () => {
    const options = { timeoutMs: 1, proxyLabels: { a: "https://a.test" } };
    expect(Object.isFrozen(readOptions(options))).toBe(true);
    expect(options).toEqual({ timeoutMs: 1, proxyLabels: { a: "https://a.test" } });
  });

  it("takes no setting from a prototype", () =>
    expect(readConfig(Object.create(null))).toEqual(readConfig({})));

  it("refuses an empty flag, which somebody meant to fill", () =>
    expect(() => readConfig({ PORT: "1" }, { port: "" })).toThrow('--port is "", expected'));
});
