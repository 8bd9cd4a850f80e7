/** The table of settings: complete, documented, and each row reads what it says. */
import { describe, expect, it } from "vitest";
import { type Options, readConfig, readOptions } from "../../../src/core/settings/config.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";
import { revokedFileOf } from "../../../src/core/settings/values.ts";
import { rowsOf } from "../../support/rows.ts";

const ROWS = Object.entries(SETTINGS).map(([name, setting]) => ({ name, setting }));

/** The defaults that are documented. */
const DEFAULTS = {
  host: "127.0.0.1",
  port: 8080,
  workers: 1,
  proxyDomain: "localhost",
  mountPath: "",
  proxyLabels: new Map(),
  addressForms: [],
  allowTargets: [],
  denyTargets: [],
  privateTargets: "auto",
  hosts: [],
  trustNames: false,
  upstreamProxy: undefined,
  noUpstream: [],
  upstreamDns: "local",
  corsOrigins: undefined,
  proxyToken: "",
  signingKey: "",
  callerTokens: false,
  revokedTokens: [],
  trustedProxies: [],
  forwardClient: false,
  via: "",
  timeoutMs: 30_000,
  idleTimeoutMs: 300_000,
  maxRequestBytes: 0,
  maxResponseBytes: 0,
  maxConcurrent: 0,
  maxRedirects: 20,
  rateLimit: undefined,
  rateLimitStore: "",
  gate: "enforce",
  audit: undefined,
  log: "auto",
  metrics: false,
  console: true,
  capture: "console",
  captureBytes: 67_108_864,
  tlsCert: "",
  tlsKey: "",
};

describe("settings", () => {
  it("are those that are documented, with their defaults", () => expect(readOptions({})).toEqual(DEFAULTS));

  it.each(ROWS)("tell what is expected: $name", ({ setting }) => expect(setting.expected).toMatch(/^\S/));

  it.each(ROWS)("read no empty text: $name", ({ setting }) => expect(setting.parse("")).toBeUndefined());
});

describe("PRIVATE_TARGETS in code", () => {
  it.each<{ value: Options["privateTargets"]; read: unknown }>([
    { value: true, read: true },
    { value: "auto", read: "auto" },
    { value: ["auto"], read: "auto" },
    { value: ["AUTO", " a.test "], read: [{ kind: "name", host: "a.test" }] },
    { value: "auto,a.test:81", read: [{ kind: "name", host: "a.test", port: 81 }] },
  ])("$value is read", ({ value, read }) => {
    expect(readOptions({ privateTargets: value }).privateTargets).toEqual(read);
  });

  it.each<{ value: Options["privateTargets"] }>([
    { value: [] },
    { value: ["a.test"] },
    { value: ["auto", "*"] },
    { value: ["auto", ""] },
    { value: "auto,,a" },
  ])(
    "$value is refused",
    ({ value }) =>
      expect(() => readOptions({ privateTargets: value })).toThrow(/^privateTargets is .*, expected true/),
  );
});

describe("the settings about tokens", () => {
  it("are off by default", () =>
    expect(readOptions({})).toMatchObject({ callerTokens: false, revokedTokens: [] }));

  it.each([
    { text: "ci, old-laptop", read: ["ci", "old-laptop"] },
    { text: "@revoked.txt", read: ["@revoked.txt"] },
    { text: "ci,@/etc/revoked", read: ["ci", "@/etc/revoked"] },
  ])("read REVOKED_TOKENS=$text", ({ text, read }) => {
    expect(readConfig({ REVOKED_TOKENS: text }).revokedTokens).toEqual(read);
  });

  it.each(["ci,", "a b", "@", "ci;x"])("refuse REVOKED_TOKENS=%s", (text) => {
    expect(() => readConfig({ REVOKED_TOKENS: text }))
      .toThrow("expected a list of ids such as ci,old-laptop");
  });

  it.each([
    { entry: "@revoked.txt", file: "revoked.txt" },
    { entry: "ci", file: undefined },
    { entry: "@", file: undefined },
  ])("name the file of $entry: $file", ({ entry, file }) => expect(revokedFileOf(entry)).toBe(file));
});

it("capture is refused by name, with what was expected", () => {
  expect(() => readConfig({ CAPTURE: "bodies" })).toThrow(
    'CAPTURE is "bodies", expected off, console, heads or a size from 1 to 16MiB such as 64KiB',
  );
});

it.each(rowsOf(["name", "value", "says"], [
  ["UPSTREAM_PROXY", "http//secret", /^UPSTREAM_PROXY is a secret that can't be used, expected an/],
  ["NO_UPSTREAM", "a b", /^NO_UPSTREAM is "a b", expected a list such as/],
  ["UPSTREAM_DNS", "there", /^UPSTREAM_DNS is "there", expected local or remote$/],
]))("$name must be usable", ({ name, value, says }) => {
  expect(() => readConfig({ [name]: value })).toThrow(says);
});

it("the settings for another proxy are read", () => {
  const config = readConfig({
    UPSTREAM_PROXY: "http://a.test",
    NO_UPSTREAM: "b.test",
    UPSTREAM_DNS: "Remote",
  });
  expect(config).toMatchObject({
    upstreamProxy: { http: { upstream: { host: "a.test:80" } } },
    upstreamDns: "remote",
  });
});

it("the settings for another proxy show no password in a flag", () => {
  const read = (flag: string) => () => readConfig({}, { "upstream-proxy": flag });
  expect(read("http://user:secret@a.test")).toThrow("expected it in the variable UPSTREAM_PROXY");
  expect(read("http://user:secret@a.test")).not.toThrow("secret@");
  expect(read("http://a.test")).not.toThrow();
});

describe("TARGETS", () => {
  it.each<{ value: Options["targets"]; read: unknown }>([
    { value: "targets.json", read: "targets.json" },
    { value: '{"a.test":{}}', read: '{"a.test":{}}' },
    { value: { "a.test": { methods: ["GET"] } }, read: { "a.test": { methods: ["GET"] } } },
    { value: undefined, read: undefined },
  ])("$value is read", ({ value, read }) => expect(readOptions({ targets: value }).targets).toEqual(read));

  it.each([{ value: "" }, { value: " " }, { value: 5 }, { value: ["a.json"] }, { value: true }])(
    "$value is refused",
    ({ value }) => {
      expect(() => readOptions({ targets: value as string })).toThrow(/^targets is .*, expected a JSON file/);
    },
  );

  it("is not set where the variable is empty", () =>
    expect(readConfig({ TARGETS: "" }).targets).toBeUndefined());
});
