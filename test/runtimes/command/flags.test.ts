/**
 * Flags, and those that npm took for its own.
 * @module
 */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/index.ts";
import { readFlags } from "../../../src/runtimes/command/flags.ts";

const START = { npm_package_name: "fetchvia", npm_lifecycle_event: "start" };

describe("flags", () => {
  it.each([
    { args: ["--port", "9000", "--proxy-token=secret"], flags: { port: "9000", "proxy-token": "secret" } },
    { args: ["--port", "-1"], flags: { port: "-1" } },
    { args: [], flags: {} },
  ])("$args", ({ args, flags }) => {
    expect({ ...readFlags(args, {}) }).toEqual(flags);
  });

  it.each([
    { args: ["9000"], named: "'9000'" },
    { args: ["--prot=9000"], named: "'--prot'" },
    { args: ["-p", "9000"], named: "'-p'" },
    { args: ["--port"], named: "'--port <value>'" },
  ])("that nobody understands: $args", ({ args, named }) => {
    expect(() => readFlags(args, {})).toThrow(named);
  });
});

describe("flags that npm took for its own", () => {
  it.each([
    {
      script: "start",
      environment: { npm_config_port: "9000" },
      line: "npm took --port for its own, expected -- in front of it: npm start -- --port=9000",
    },
    {
      script: "start",
      environment: { npm_config_port: "1", npm_config_proxy_token: "secret" },
      line:
        "npm took --port, --proxy-token for its own, expected -- in front of them: npm start -- --port=1 --proxy-token=…",
    },
    {
      script: "start:node",
      environment: { npm_config_proxy_token: "secret" },
      line:
        "npm took --proxy-token for its own, expected -- in front of it: npm run start:node -- --proxy-token=…",
    },
    {
      script: "start",
      environment: { npm_config_target: "https://a.test" },
      line: "npm took --target for its own, expected -- in front of it: npm start -- --target=https://a.test",
    },
    {
      script: "start",
      environment: { npm_config_target: "https://me:secret@a.test" },
      line: "npm took --target for its own, expected -- in front of it: npm start -- --target=…",
    },
    {
      script: "start",
      environment: { npm_config_port: "true", npm_config_console: "true" },
      line:
        "npm took --port, --console for its own, expected -- in front of them: npm start -- --port=… --console=true",
    },
    {
      script: "start",
      environment: { npm_config_host: "a b; c" },
      line: "npm took --host for its own, expected -- in front of it: npm start -- --host=…",
    },
  ])("stop $script, and no secret is shown: $line", ({ script, environment, line }) => {
    expect(() => readFlags([], { ...START, npm_lifecycle_event: script, ...environment })).toThrow(
      new ConfigError(line),
    );
  });

  it.each([
    { about: "another package", environment: { ...START, npm_package_name: "app", npm_config_port: "1" } },
    { about: "another script", environment: { ...START, npm_lifecycle_event: "test", npm_config_port: "1" } },
    { about: "a version for native builds", environment: { ...START, npm_config_target: "30.0.0" } },
    {
      about: "a setting of npm",
      environment: { ...START, npm_config_registry: "https://a.test", npm_config_loglevel: "x" },
    },
    { about: "no npm", environment: { npm_config_port: "1" } },
  ])("are none: $about", ({ environment }) => {
    expect({ ...readFlags(["--port=2"], environment) }).toEqual({ port: "2" });
  });
});
