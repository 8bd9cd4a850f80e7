/** The proxies that the environment names. */
import { describe, expect, it } from "vitest";
import { formatTargets } from "../../../src/core/address/target-lists.ts";
import { readConfig, readOptions } from "../../../src/core/settings/config.ts";
import { rowsOf } from "../../support/rows.ts";

const hostsOf = (environment: Record<string, string | undefined>) => {
  const { upstreamProxy } = readConfig({ UPSTREAM_PROXY: "env", ...environment });
  return [upstreamProxy?.https?.upstream?.host, upstreamProxy?.http?.upstream?.host];
};

describe("the proxies of the environment", () => {
  it.each(rowsOf(["about", "environment", "hosts"], [
    ["none", {}, [undefined, undefined]],
    ["both", { HTTPS_PROXY: "http://a", HTTP_PROXY: "https://b" }, ["a:80", "b:443"]],
    ["one", { HTTPS_PROXY: "socks5://a" }, ["a:1080", undefined]],
    ["lower case first", { https_proxy: "http://a", HTTPS_PROXY: "http://b" }, ["a:80", undefined]],
    ["an empty one", { https_proxy: "", HTTPS_PROXY: "http://b" }, ["b:80", undefined]],
    ["no scheme", { HTTP_PROXY: "a.test:3128" }, [undefined, "a.test:3128"]],
  ]))("are read: $about", ({ environment, hosts }) => expect(hostsOf(environment)).toEqual(hosts));

  it.each([
    { text: "a.test", list: "a.test,*.a.test" },
    { text: ".a.test", list: "*.a.test" },
    { text: "*.a.test", list: "*.a.test" },
    { text: "a.test:8080", list: "a.test:8080,*.a.test:8080" },
    { text: "10.0.0.1, 10.1.0.0/16 ::1", list: "10.0.0.1,10.1.0.0/16,[::1]" },
    { text: "*", list: "*" },
    { text: " , ", list: "" },
  ])("leave out what NO_PROXY names: $text", ({ text, list }) => {
    const { noUpstream } = readConfig({ UPSTREAM_PROXY: "env", NO_PROXY: text });
    expect(formatTargets(noUpstream)).toBe(list);
  });

  it("leave out what NO_UPSTREAM names too", () => {
    const { noUpstream } = readConfig({ UPSTREAM_PROXY: "env", NO_UPSTREAM: "b.test", NO_PROXY: ".a.test" });
    expect(formatTargets(noUpstream)).toBe("b.test,*.a.test");
  });

  it.each([
    { environment: { HTTPS_PROXY: "socks4://user:secret@a.test" }, says: "HTTPS_PROXY can't be used" },
    { environment: { http_proxy: "http://user:secret@" }, says: "http_proxy can't be used" },
    { environment: { NO_PROXY: "a.test,10.*" }, says: "NO_PROXY can't be used" },
  ])("must be usable: $says", ({ environment, says }) => {
    const read = () => readConfig({ UPSTREAM_PROXY: "env", ...environment });
    expect(read).toThrow(says);
    expect(read).not.toThrow("secret");
  });

  it("mean nothing unasked", () =>
    expect(readConfig({ HTTPS_PROXY: "http://a", NO_PROXY: "10.*" }))
      .toMatchObject({ upstreamProxy: undefined, noUpstream: [] }));

  it("are not there for options in code", () =>
    expect(() => readOptions({ upstreamProxy: "env" })).toThrow("expected an address here"));
});
