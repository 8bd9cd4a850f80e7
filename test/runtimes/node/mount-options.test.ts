/** The options of a proxy that is mounted in another server. */
import { describe, expect, it } from "vitest";
import { formatTargets } from "../../../src/core/address/target-lists.ts";
import { isBelow, type MountOptions, readMountOptions } from "../../../src/runtimes/node/mount-options.ts";
import { grouped, rowsOf } from "../../support/rows.ts";

const TARGET = "http://localhost:3000";

describe("readMountOptions", () => {
  it.each([
    { options: {}, paths: ["/__proxy__"] },
    { options: { prefix: undefined, target: undefined }, paths: ["/__proxy__"] },
    { options: { prefix: "/api", target: TARGET }, paths: ["/api", "/__proxy__"] },
    { options: { prefix: "/api/" }, paths: ["/api", "/__proxy__"] },
    { options: { prefix: " /api\n" }, paths: ["/api", "/__proxy__"] },
    { options: { prefix: ["/api", "/auth/v1"] }, paths: ["/api", "/auth/v1", "/__proxy__"] },
    { options: { prefix: [] }, paths: ["/__proxy__"] },
    { options: { mountPath: "/api", target: TARGET }, paths: ["/api", "/api/__proxy__"] },
    { options: { mountPath: "/in", prefix: "/in/api" }, paths: ["/in/api", "/in/__proxy__"] },
  ])("reads the paths of $options", ({ options, paths }) => {
    expect(readMountOptions(options).paths).toEqual(paths);
  });

  it("reads the options of createProxy", () => {
    const { config } = readMountOptions({ prefix: "/api", allowTargets: ["a.test"], timeoutMs: 5 });
    expect(config).toMatchObject({ timeoutMs: 5, mountPath: "" });
    expect(config.allowTargets).toHaveLength(1);
  });

  it.each([
    { options: {}, list: "" },
    { options: { allowTargets: ["a.test"] }, list: "a.test,api.test:443,localhost:3000" },
    { options: { allowTargets: "*" }, list: "*,api.test:443,localhost:3000" },
    { options: { allowTargets: "*", target: "http://[::1]:80/v1" }, list: "*,api.test:443,[::1]:80" },
  ])("allows target and labels beside $options", ({ options, list }) => {
    const proxyLabels = { api: "https://api.test/v1" };
    const { config } = readMountOptions({ prefix: "/api", target: TARGET, proxyLabels, ...options });
    expect(formatTargets(config.allowTargets)).toBe(list);
  });

  it.each(rowsOf(["options", "says"], [
    [{ prefix: "api" }, 'prefix is "api", expected a path such as /api, or a list of paths'],
    [{ prefix: "/" }, 'prefix is "/", expected a path such as /api, or a list of paths'],
    [{ prefix: "/__proxy__" }, 'prefix is "/__proxy__", expected a path such as /api'],
    [{ prefix: 5 }, "prefix is 5, expected a path such as /api, or a list of paths"],
    [{ prefix: ["/api", null] }, "prefix is null, expected a path such as /api"],
    [{ prefix: "/api", mountPath: "/in" }, 'prefix is "/api", expected a path below mountPath /in'],
    [{ target: TARGET }, "Cannot use option target: prefix is not set, expected a path"],
    [{ prefix: "/api", target: "localhost:3000" }, 'target is "localhost:3000", which has no scheme'],
    [{ prefx: "/api" }, "Cannot use option prefx: it is unknown, expected prefix, or one of proxyDomain"],
    [{ changeOrigin: true }, "Cannot use option changeOrigin: leave it out, Host is always the target's"],
    [{ secure: false }, 'Cannot use option secure: write targets: { "<host>": { insecure: true } }'],
    [{ "/api": TARGET }, 'Cannot use option /api: it is a path, write { prefix: "/api", target: "…" }'],
    [
      { port: 80 },
      "Cannot use option port: it has no effect in another server, expected it in the options of",
    ],
    [{ tlsCert: "a.pem" }, "Cannot use option tlsCert: it has no effect in another server"],
    [{ log: "off" }, "Cannot use option log: it has no effect in another server"],
    ["/api", "Cannot use options: they are [object String], expected a plain object"],
    [null, "Cannot use options: they are [object Null], expected a plain object"],
  ]))("refuses $options", ({ options, says }) => {
    const read = () => readMountOptions(options as MountOptions);
    expect(read).toThrow(`fetchvia: ${says}`);
    expect(read).toThrow(expect.objectContaining({ name: "ConfigError" }));
  });
});

it.each(grouped(["is", "path"], [
  [true, ["/api", "/api?x", "/api/users"]],
  [false, ["/apis", "/", "/API", "//api", "http://a.test/api", "*"]],
]))("isBelow is $is for $path", ({ path, is }) => expect(isBelow(["/api"], path)).toBe(is));
