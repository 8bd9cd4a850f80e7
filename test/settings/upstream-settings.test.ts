/**
 * The settings for another proxy.
 * @module
 */
import { expect, it } from "vitest";
import { readConfig } from "../../src/settings/config.ts";

it.each([
  {
    name: "UPSTREAM_PROXY",
    value: "http//secret",
    says: /^UPSTREAM_PROXY is a secret that can't be used, expected an/,
  },
  { name: "NO_UPSTREAM", value: "a b", says: /^NO_UPSTREAM is "a b", expected a list such as/ },
  { name: "UPSTREAM_DNS", value: "there", says: /^UPSTREAM_DNS is "there", expected local or remote$/ },
])("$name must be usable", ({ name, value, says }) => {
  expect(() => readConfig({ [name]: value })).toThrow(says);
});

it("are read", () => {
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

it("show no password in a flag", () => {
  const read = (flag: string) => () => readConfig({}, { "upstream-proxy": flag });
  expect(read("http://user:secret@a.test")).toThrow("expected it in the variable UPSTREAM_PROXY");
  expect(read("http://user:secret@a.test")).not.toThrow("secret@");
  expect(read("http://a.test")).not.toThrow();
});
