/**
 * Which way a connection takes.
 * @module
 */
import { describe, expect, it } from "vitest";
import { checkRuntime, chooseRoute, isHandedOn, refuseDetour } from "../../src/exchange/route.ts";
import { readConfig } from "../../src/settings/config.ts";

const UPSTREAM_PROXY = "http://proxy.test:3128";
const PUBLIC = "93.184.216.34";

describe("the way of a hop", () => {
  it.each([
    { about: "a public address", origin: "http://a.test", addresses: [PUBLIC], through: true },
    { about: "https", origin: "https://a.test", addresses: [PUBLIC], through: true },
    { about: "a literal", origin: `http://${PUBLIC}`, addresses: [PUBLIC], through: true },
    { about: "IPv6", origin: "http://a.test", addresses: ["2606:4700::1111"], through: true },
    { about: "a name that nobody looked up", origin: "http://a.test", addresses: undefined, through: true },
    { about: "loopback", origin: "http://a.test", addresses: ["127.0.0.1"], through: false },
    { about: "a private address", origin: "http://a.test", addresses: ["10.0.0.1"], through: false },
    {
      about: "a private one among public ones",
      origin: "http://a.test",
      addresses: [PUBLIC, "10.0.0.1"],
      through: false,
    },
    { about: "IPv4 inside IPv6", origin: "http://a.test", addresses: ["64:ff9b::a00:1"], through: false },
    { about: "localhost", origin: "http://localhost", addresses: [PUBLIC], through: false },
    { about: "localhost unseen", origin: "http://a.localhost", addresses: undefined, through: false },
    { about: "a listed name", origin: "http://listed.test", addresses: [PUBLIC], through: false },
    {
      about: "a listed name in capitals",
      origin: "http://LISTED.test",
      addresses: undefined,
      through: false,
    },
    {
      about: "a name below a listed one",
      origin: "http://a.below.test",
      addresses: [PUBLIC],
      through: false,
    },
    { about: "the listed suffix itself", origin: "http://below.test", addresses: [PUBLIC], through: true },
    { about: "a listed port", origin: "http://port.test:81", addresses: [PUBLIC], through: false },
    { about: "another port", origin: "http://port.test", addresses: [PUBLIC], through: true },
    { about: "a listed range", origin: "http://a.test", addresses: [PUBLIC, "8.8.4.4"], through: false },
  ])("to $about goes through the other proxy: $through", ({ origin, addresses, through }) => {
    const config = readConfig({
      UPSTREAM_PROXY,
      NO_UPSTREAM: "listed.test,*.below.test,port.test:81,8.8.4.0/24",
    });
    const route = chooseRoute(config, new URL(origin), addresses);
    expect(route).toBe(through ? config.upstreamProxy?.http : undefined);
  });

  it("is that of its scheme", () => {
    const config = readConfig({
      UPSTREAM_PROXY: "env",
      HTTPS_PROXY: "http://a.test",
      HTTP_PROXY: "http://b.test",
    });
    const hosts = ["https://x.test", "http://x.test"].map((origin) =>
      chooseRoute(config, new URL(origin), [PUBLIC])?.upstream?.host
    );
    expect(hosts).toEqual(["a.test:80", "b.test:80"]);
  });

  it("is direct without the setting", () => {
    expect(chooseRoute(readConfig({}), new URL("http://a.test"), [PUBLIC])).toBeUndefined();
  });
});

describe("names that the other proxy looks up", () => {
  it.each([
    { origin: "http://a.test", remote: true },
    { origin: `http://${PUBLIC}`, remote: false },
    { origin: "http://[::1]", remote: false },
    { origin: "http://localhost", remote: false },
    { origin: "http://intranet", remote: false },
    { origin: "http://a.internal", remote: false },
    { origin: "http://listed.test", remote: false },
  ])("$origin: $remote", ({ origin, remote }) => {
    const settings = { UPSTREAM_PROXY, UPSTREAM_DNS: "remote", NO_UPSTREAM: "listed.test" };
    expect(isHandedOn(readConfig(settings), new URL(origin))).toBe(remote);
    expect(isHandedOn(readConfig({ ...settings, UPSTREAM_DNS: "local" }), new URL(origin))).toBe(false);
    expect(isHandedOn(readConfig({ ...settings, UPSTREAM_PROXY: "" }), new URL(origin))).toBe(false);
  });
});

describe("a runtime that connects directly only", () => {
  const config = readConfig({ UPSTREAM_PROXY });

  it("is refused at the start", () => {
    expect(() => checkRuntime(config, {})).toThrow(/^UPSTREAM_PROXY is set, expected none here/);
  });

  it("is fine without the setting, as every other one is with it", () => {
    expect(() => checkRuntime(readConfig({}), {})).not.toThrow();
    expect(() => checkRuntime(config, { obeysRoute: true })).not.toThrow();
  });

  it("sends nothing directly", () => {
    expect(() => refuseDetour({}, new URL("http://a.test"))).toThrow(
      expect.objectContaining({
        code: "not_implemented",
        message: expect.stringMatching(/^Cannot reach a\.test: /),
      }),
    );
    expect(() => refuseDetour({ obeysRoute: true }, new URL("http://a.test"))).not.toThrow();
  });
});
