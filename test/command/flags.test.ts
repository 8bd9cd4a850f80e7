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

  it.each(rowsOf(["args", "fault", "expected"], [
    [["9000"], "Unexpected argument '9000'", "flags such as --port 8080"],
    [["--prot=9000"], "Unknown option '--prot'", "--port"],
    [["--proxy_token", "x"], "Unknown option '--proxy_token'", "--proxy-token"],
    [["-p", "9000"], "Unknown option '-p'", "flags such as --port 8080"],
    [["--port"], "Option '--port <value>' argument missing", "a value behind it"],
  ]))("that nobody understands: $args", ({ args, fault, expected }) => {
    expect(() => readFlags(args, {})).toThrow(new ConfigError(`${fault}, expected ${expected} (see --help)`));
  });
});

describe("flags that npm took for its own", () => {
  it.each(rowsOf(["script", "environment", "taken", "again"], [
    ["start", { npm_config_port: "9000" }, "--port", "--port=9000"],
    [
      "start",
      { npm_config_port: "1", npm_config_proxy_token: "secret" },
      "--port, --proxy-token",
      "--port=1 --proxy-token=…",
    ],
    ["run start:node", { npm_config_proxy_token: "secret" }, "--proxy-token", "--proxy-token=…"],
    ["start", { npm_config_target: "https://a.test" }, "--target", "--target=https://a.test"],
    ["start", { npm_config_target: "https://me:secret@a.test" }, "--target", "--target=…"],
    [
      "start",
      { npm_config_port: "true", npm_config_console: "true" },
      "--port, --console",
      "--port=… --console=true",
    ],
    ["start", { npm_config_audit: "/var/log/a.jsonl" }, "--audit", "--audit=/var/log/a.jsonl"],
    ["start", { npm_config_host: "a b; c" }, "--host", "--host=…"],
  ]))("stop $script, and no secret is shown: $again", ({ script, environment, taken, again }) => {
    const them = taken.includes(",") ? "them" : "it";
    const line = `npm took ${taken} for its own, expected -- in front of ${them}: npm ${script} -- ${again}`;
    const npm_lifecycle_event = script.replace("run ", "");
    expect(() => readFlags([], { ...START, npm_lifecycle_event, ...environment }))
      .toThrow(new ConfigError(line));
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
