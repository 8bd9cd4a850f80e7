/** The table of settings: complete, documented, and each row reads what it says. */
import { describe, expect, it } from "vitest";
import { type Options, readConfig, readOptions } from "../../../src/core/settings/config.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";
import { revokedFileOf } from "../../../src/core/settings/values.ts";
import { grouped } from "../../support/rows.ts";

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

  it.each(ROWS)("tell unit and what is expected: $name", ({ setting }) => {
    expect(setting.unit).toMatch(/^\S/);
    expect(setting.expected).toMatch(/^\S/);
  });

  it("are in five groups", () => {
    expect([...new Set(ROWS.map(({ setting }) => setting.group))].toSorted()).toEqual(
      ["access", "limits", "listen", "output", "targets"],
    );
  });

  it.each(ROWS)("read no empty text: $name", ({ setting }) => {
    expect(setting.parse("")).toBeUndefined();
  });
});

it.each(grouped(["value", "text"], [
  ["secret", ["secret"]],
  ["!#$%&'()*+-./:<=>?@[\\]^_`{|}~", ["!#$%&'()*+-./:<=>?@[\\]^_`{|}~"]],
  [undefined, ["two words", "a,b", "a;b", 'a"b', "schlüssel", "a\nb"]],
]))("proxyToken: $text: $value", ({ text, value }) => expect(SETTINGS.proxyToken.parse(text)).toBe(value));

it.each(
  [
    {
      name: "privateTargets",
      text: "auto, a.test,*.b.test:81",
      value: [{ kind: "name", host: "a.test" }, { kind: "suffix", suffix: ".b.test", port: 81 }],
    },
    { name: "privateTargets", text: "auto,", value: undefined },
    { name: "privateTargets", text: "auto,*", value: undefined },
    { name: "privateTargets", text: "a.test", value: undefined },
    { name: "privateTargets", text: "true,a.test", value: undefined },
    { name: "hosts", text: "proxy.test", value: [{ kind: "name", host: "proxy.test" }] },
    { name: "hosts", text: "*", value: undefined },
    { name: "log", text: "JSON", value: "json" },
    { name: "log", text: "off", value: "off" },
    { name: "log", text: "auto", value: "auto" },
  ] as const,
)(
  "others: $name $text: $value",
  ({ name, text, value }) => expect(SETTINGS[name].parse(text)).toEqual(value),
);

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
    expect(() => readConfig({ REVOKED_TOKENS: text })).toThrow(
      "expected a list of ids such as ci,old-laptop",
    );
  });

  it.each([
    { entry: "@revoked.txt", file: "revoked.txt" },
    { entry: "ci", file: undefined },
    { entry: "@", file: undefined },
  ])("name the file of $entry: $file", ({ entry, file }) => expect(revokedFileOf(entry)).toBe(file));
});
