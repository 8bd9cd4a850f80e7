/** The environment of a program that must not hold the keys. */
import { describe, expect, it } from "vitest";
import { handOn } from "../../../src/command/run/program-variables.ts";
import { planRun } from "../../../src/command/run/run-plan.ts";
import { readPresets } from "../../../src/command/run/presets.ts";

const KEYS = { OPENAI_API_KEY: "sk-0123456789", GITHUB_TOKEN: "ghp_0123456789" };

function hand(environment: Record<string, string>, pass: string[] = []) {
  const plan = planRun(readPresets([]), KEYS, (name) => KEYS[name as keyof typeof KEYS]);
  const tokens = new Map([...plan.tokens.keys()].map((name) => [name, `fv1.${name}`]));
  const origin = "http://127.0.0.1:9";
  return handOn({ ...KEYS, ...environment }, {
    plan,
    keys: Object.values(KEYS),
    pass: new Set(pass),
    tokens,
    origin,
  });
}

const KEPT: [name: string, value: string][] = [
  ["AWS_SECRET_ACCESS_KEY", "x"],
  ["AWS_SESSION_TOKEN", "x"],
  ["STRIPE_KEY", "x"],
  ["APIKEY", "x"],
  ["PGPASSWORD", "x"],
  ["MYSQL_PWD", "x"],
  ["GOOGLE_APPLICATION_CREDENTIALS", "/key.json"],
  ["REDISCLI_AUTH", "x"],
  ["MY_SECRET", "x"],
  ["A", "sk-ant-api03-abcdefgh"],
  ["A", "github_pat_abcdefgh"],
  ["A", "AKIAIOSFODNN7EXAMPLE"],
  ["A", "xoxb-0123456789"],
  ["A", "eyJhbGciOi.eyJzdWIiOiIx"],
  ["A", "-----BEGIN RSA PRIVATE KEY-----"],
  ["A", "redis://:hunter2@a.test:6379"],
  ["A", `--key=${KEYS.OPENAI_API_KEY}`],
];
const HANDED: [name: string, value: string][] = [
  ["PWD", "/home"],
  ["OLDPWD", "/home"],
  ["XDG_SESSION_TYPE", "x11"],
  ["DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/0/bus"],
  ["SSH_AUTH_SOCK", "/tmp/ssh"],
  ["GIT_ASKPASS", "/bin/true"],
  ["TOKENIZERS_PARALLELISM", "false"],
  ["MAX_TOKENS", "4096"],
  ["MODEL_MAX_OUTPUT_TOKENS", "auto"],
  ["KEYBOARD", "de"],
  ["EDITOR", "vim"],
  ["ANTHROPIC_API_KEY", "fv1.of-another-run"],
  ["A", "https://a.test/?x=1:2@3"],
  ["A", "risk-free-and-long-text"],
];

describe("a variable", () => {
  it.each(KEPT.map(([name, value]) => ({ name, value })))("stays: $name=$value", ({ name, value }) => {
    const { environment, withheld } = hand({ [name]: value });
    expect([environment[name], withheld]).toEqual([undefined, [name]]);
    expect(hand({ [name]: value }, [name]).environment[name]).toBe(value);
  });

  it.each(HANDED.map(([name, value]) => ({ name, value })))(
    "is handed on: $name=$value",
    ({ name, value }) => {
      const { environment, withheld } = hand({ [name]: value });
      expect([environment[name], withheld]).toEqual([value, []]);
    },
  );
});

describe("the program", () => {
  it("has tokens, base addresses, and settings of git behind its own", () => {
    const { environment } = hand({
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "a.b",
      OPENAI_API_KEY_FILE: "/key",
    });
    const place = "http://127.0.0.1:9/__proxy__/at/github-com";
    expect(environment).toMatchObject({
      OPENAI_API_KEY: "fv1.OPENAI_API_KEY",
      OPENAI_BASE_URL: "http://127.0.0.1:9/__proxy__/at/api-openai-com/v1",
      GIT_CONFIG_COUNT: "3",
      GIT_CONFIG_KEY_0: "a.b",
      GIT_CONFIG_KEY_1: `url.${place}/.insteadOf`,
      GIT_CONFIG_VALUE_1: "https://github.com/",
      GIT_CONFIG_KEY_2: `http.${place}/.extraHeader`,
      GIT_CONFIG_VALUE_2: "Authorization: Bearer fv1.GITHUB_TOKEN",
    });
    expect(environment["OPENAI_API_KEY_FILE"]).toBeUndefined();
  });

  it.each<{ has: Record<string, string>; direct: string | undefined }>([
    { has: {}, direct: undefined },
    { has: { http_proxy: "http://a.test" }, direct: "127.0.0.1" },
    { has: { ALL_PROXY: "http://a.test", NO_PROXY: "b.test" }, direct: "b.test,127.0.0.1" },
  ])("reaches the proxy past $has", ({ has, direct }) => {
    const { environment } = hand(has);
    expect([environment["NO_PROXY"], environment["no_proxy"]]).toEqual([direct, direct]);
  });
});
