/** The start line and its warnings. Of running proxies: `test/conformance/start.ts`. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { formatStartLine, listWarnings } from "../../../src/runtimes/process/start-line.ts";
import { readConfig } from "../../../src/core/settings/config.ts";
import { rowsOf } from "../../support/rows.ts";

const LISTENING = { port: 81, isLocal: true };
const KEY = "k".repeat(32);

it.each(rowsOf(["settings", "says"], [
  [{}, "listening on http://127.0.0.1:81 "],
  [{}, `(node 1, pid ${process.pid}, private targets allowed), console at http://127.0.0.1:81/__proxy__/`],
  [{ HOST: "0.0.0.0" }, ", console at http://127.0.0.1:81/__proxy__/"],
  [{ HOST: "::", MOUNT_PATH: "/p" }, ", console at http://[::1]:81/p/__proxy__/"],
  [{ TLS_CERT: "a", TLS_KEY: "b", HOST: "localhost" }, ", console at https://localhost:81/__proxy__/"],
  [{ WORKERS: "2" }, `, pid ${process.pid}, 2 workers, `],
  [{ CAPTURE: "heads" }, ", capture on: headers are kept in memory"],
  [{ CAPTURE: "64KiB" }, ", capture on: headers and up to 65536 bytes of each body are kept in memory"],
  [{ PRIVATE_TARGETS: "false" }, "private targets refused), console"],
  [{ PRIVATE_TARGETS: "true" }, "private targets allowed), console"],
]))("the start line for $settings says $says", ({ settings, says }) => {
  expect(formatStartLine("node 1", readConfig(settings), LISTENING, undefined)).toContain(says);
});

const WARNING = ": WARNING, other machines can reach private targets without a token";

it.each(rowsOf(["settings", "targets", "says"], [
  [{}, "refused", ", no token required"],
  [{ PRIVATE_TARGETS: "true" }, "allowed", `, no token required${WARNING}`],
  [{ PRIVATE_TARGETS: "true", PROXY_TOKEN: "a-secret-that-nobody-guesses" }, "allowed", ", token required"],
  [{ ALLOW_TARGETS: "api.test,10.0.0.0/8" }, "refused", `, no token required${WARNING}`],
  [{ ALLOW_TARGETS: "api.test,93.184.216.0/24" }, "refused", ", no token required"],
]))(
  "the start line where others reach the proxy, for $settings, ends with $says",
  ({ settings, targets, says }) => {
    const config = readConfig({ HOST: "0.0.0.0", ...settings });
    const line = formatStartLine("node 1", config, { port: 81, isLocal: false }, undefined);
    expect(line.endsWith(`targets ${targets}), console at http://127.0.0.1:81/__proxy__/${says}`)).toBe(true);
  },
);

it.each(rowsOf(["value", "says"], [
  ["0", "/__proxy__/: WARNING, certificates of targets are not checked (NODE_TLS_REJECT_UNAUTHORIZED=0)"],
  ["1", "/__proxy__/"],
]))("the start line ends with $says where NODE_TLS_REJECT_UNAUTHORIZED is $value", ({ value, says }) => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(formatStartLine("node 1", readConfig({}), LISTENING, undefined).endsWith(says)).toBe(true);
});

it("the start line names no console where there is none", () =>
  expect(formatStartLine("node 1", readConfig({ CONSOLE: "false" }), LISTENING, undefined))
    .toBe(`fetchvia listening on http://127.0.0.1:81 (node 1, pid ${process.pid}, private targets allowed)`));

describe("warnings", () => {
  it.each(rowsOf(["environment", "lines"], [
    [{ PROXY_TOKN: "s3cret" }, ["the variable PROXY_TOKN has no effect. Did you mean PROXY_TOKEN?"]],
    [{ PORXY_TOKEN: "s3cret" }, ["the variable PORXY_TOKEN has no effect. Did you mean PROXY_TOKEN?"]],
    [{ PROXYTOKEN: "s3cret" }, ["the variable PROXYTOKEN has no effect. Did you mean PROXY_TOKEN?"]],
    [{ allow_targets: "x" }, ["the variable allow_targets has no effect. Did you mean ALLOW_TARGETS?"]],
    [
      { SIGNING_KEY_FIL: "x" },
      ["the variable SIGNING_KEY_FIL has no effect. Did you mean SIGNING_KEY_FILE?"],
    ],
    [{ PROXY_TOKN: "" }, []],
    [{ PROXY_TOKEN: KEY, PROXY_TOKN: "t" }, []],
    [{ TARGET: "https://a.test", HOSTS: "a.test" }, []],
    [{ HOME: "/", HOSTNAME: "a", POST: "1", LOGNAME: "me", PROXY_TOK: "t", "PROXY_TOKE\n": "t" }, []],
    [{ SIGNING_KEY: KEY }, []],
    [{ PROXY_TOKEN: "0123456789abcdef" }, []],
    [{ PROXY_TOKEN: "0123456789abcde" }, [
      "PROXY_TOKEN has fewer than 16 characters: whoever can call the proxy can try to guess it. Make one with: " +
      "openssl rand -hex 32",
    ]],
    [{ SIGNING_KEY: KEY.slice(1) }, [
      "SIGNING_KEY has fewer than 32 characters: whoever has a link or token can try to guess it. Make one with: " +
      "openssl rand -hex 32",
    ]],
  ]))("of $environment: $lines", ({ environment, lines }) => {
    expect(listWarnings(readConfig(environment), LISTENING, environment)).toEqual(lines);
  });

  it.each(rowsOf(["environment", "says"], [
    [{ TARGET: "http://localhost:1", PRIVATE_TARGETS: "false" }, [
      "TARGET http://localhost:1 is refused: it is private, and PRIVATE_TARGETS is false.",
    ]],
    [{ PROXY_LABELS: "api=https://api.test,old=https://old.test", ALLOW_TARGETS: "api.test" }, [
      "label old of PROXY_LABELS, https://old.test is refused: ALLOW_TARGETS does not name it.",
    ]],
    [{ TARGET: "http://localhost:3000", PROXY_LABELS: "api=https://api.test" }, []],
  ]))("tell of targets that the settings refuse: $environment", ({ environment, says }) => {
    expect(listWarnings(readConfig(environment), LISTENING, environment))
      .toEqual(says.map((line) => expect.stringContaining(line)));
  });
});
