/** Flags, and those that npm took for its own. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/index.ts";
import { readFlags } from "../../src/command/flags.ts";
import { rowsOf } from "../support/rows.ts";

const START = { npm_package_name: "fetchvia", npm_lifecycle_event: "start" };

describe("flags", () => {
  it.each([
    { args: ["--port", "9000", "--proxy-token=secret"], flags: { port: "9000", "proxy-token": "secret" } },
    { args: ["--port", "-1"], flags: { port: "-1" } },
    { args: [], flags: {} },
  ])("$args", ({ args, flags }) => expect({ ...readFlags(args, {}) }).toEqual(flags));

  it.each([
    { args: ["9000"], named: "Unexpected argument '9000', expected flags such as --port 8080 (see --help)" },
    { args: ["--prot=9000"], named: "Unknown option '--prot', expected --port (see --help)" },
    {
      args: ["--proxy_token", "x"],
      named: "Unknown option '--proxy_token', expected --proxy-token (see --help)",
    },
    { args: ["-p", "9000"], named: "Unknown option '-p', expected flags such as --port 8080 (see --help)" },
    {
      args: ["--port"],
      named: "Option '--port <value>' argument missing, expected flags such as --port 8080 (see --help)",
    },
  ])(
    "that nobody understands: $args",
    ({ args, named }) => expect(() => readFlags(args, {})).toThrow(new ConfigError(named)),
  );
});

describe("flags that npm took for its own", () => {
  it.each(rowsOf(["script", "environment", "line"], [
    [
      "start",
      { npm_config_port: "9000" },
      "npm took --port for its own, expected -- in front of it: npm start -- --port=9000",
    ],
    [
      "start",
      { npm_config_port: "1", npm_config_proxy_token: "secret" },
      "npm took --port, --proxy-token for its own, expected -- in front of them: npm start -- --port=1 --proxy-token=…",
    ],
    [
      "start:node",
      { npm_config_proxy_token: "secret" },
      "npm took --proxy-token for its own, expected -- in front of it: npm run start:node -- --proxy-token=…",
    ],
    [
      "start",
      { npm_config_target: "https://a.test" },
      "npm took --target for its own, expected -- in front of it: npm start -- --target=https://a.test",
    ],
    [
      "start",
      { npm_config_target: "https://me:secret@a.test" },
      "npm took --target for its own, expected -- in front of it: npm start -- --target=…",
    ],
    [
      "start",
      { npm_config_port: "true", npm_config_console: "true" },
      "npm took --port, --console for its own, expected -- in front of them: npm start -- --port=… --console=true",
    ],
    [
      "start",
      { npm_config_audit: "/var/log/audit.jsonl" },
      "npm took --audit for its own, expected -- in front of it: npm start -- --audit=/var/log/audit.jsonl",
    ],
    [
      "start",
      { npm_config_host: "a b; c" },
      "npm took --host for its own, expected -- in front of it: npm start -- --host=…",
    ],
  ]))("stop $script, and no secret is shown: $line", ({ script, environment, line }) => {
    expect(() => readFlags([], { ...START, npm_lifecycle_event: script, ...environment })).toThrow(
      new ConfigError(line),
    );
  });

  it.each(rowsOf(["about", "environment"], [
    ["another package", { ...START, npm_package_name: "app", npm_config_port: "1" }],
    ["another script", { ...START, npm_lifecycle_event: "test", npm_config_port: "1" }],
    ["a version for native builds", { ...START, npm_config_target: "30.0.0" }],
    ["npm's own audit, off", { ...START, npm_config_audit: "" }],
    ["npm's own audit, on", { ...START, npm_config_audit: "true" }],
    ["a setting of npm", { ...START, npm_config_registry: "https://a.test", npm_config_loglevel: "x" }],
    ["no npm", { npm_config_port: "1" }],
  ]))("are none: $about", ({ environment }) => {
    expect({ ...readFlags(["--port=2"], environment) }).toEqual({ port: "2" });
  });
});
