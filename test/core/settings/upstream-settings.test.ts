/** The settings for another proxy. */
import { expect, it } from "vitest";
import { readConfig } from "../../../src/core/settings/config.ts";
import { rowsOf } from "../../support/rows.ts";

it.each(rowsOf(["name", "value", "says"], [
  ["UPSTREAM_PROXY", "http//secret", /^UPSTREAM_PROXY is a secret that can't be used, expected an/],
  ["NO_UPSTREAM", "a b", /^NO_UPSTREAM is "a b", expected a list such as/],
  ["UPSTREAM_DNS", "there", /^UPSTREAM_DNS is "there", expected local or remote$/],
]))("$name must be usable", ({ name, value, says }) => {
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
