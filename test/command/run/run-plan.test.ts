/** What `fetchvia run` makes of the keys in an environment. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTable } from "../../../src/parts/gate/targets/table.ts";
import { findReplaced, makeEntries, usePresets, useTable } from "../../../src/command/run/run-plan.ts";
import { addPreset, PRESETS } from "../../../src/command/run/presets.ts";
import { rowsOf, typedRows } from "../../support/rows.ts";

type Environment = Record<string, string>;
type Row = { about: string; environment: Environment; presets: string[]; set: object; tokens: object };

/** What a run with these presets and this table of one's own has. */
function plan(environment: Environment, presets: string[] = [], targets: object = {}) {
  const used = usePresets(presets.reduce(addPreset, PRESETS), environment);
  const table = makeEntries(used);
  const git = used.filter(({ isGit }) => isGit).map(({ keyName }) => keyName);
  const variable = (name: string) => environment[name] ?? (git.includes(name) ? "basic" : undefined);
  const own = useTable(readTable(targets, { variable }), new Set(["AWS_ACCESS_KEY_ID", ...git]));
  const uses = [...used, ...own];
  const tokens: Record<string, string[]> = {};
  for (const { keys, target } of uses) {
    for (const key of keys) (tokens[key] ??= []).push(target);
  }
  const places = Object.fromEntries(
    uses.flatMap(({ variables, place }) => variables.map((name) => [name, place])),
  );
  const replaced = findReplaced(used, readTable({ ...table, ...targets }, { variable }));
  return { used, table, tokens, places, replaced };
}

const bearer = (name: string) => ({ authorization: `Bearer {{${name}}}` });
const anthropic = (name: string) => ({ "x-api-key": `{{${name}}}`, ...bearer(name) });
const API = ["api.anthropic.com:443"];
const GEMINI = ["generativelanguage.googleapis.com:443"];

const ROWS = typedRows<Row>(["about", "environment", "presets", "set", "tokens"], [
  ["a key travels as its API takes it", { ANTHROPIC_API_KEY: "a", XAI_API_KEY: "x" }, [], {
    "api.anthropic.com": anthropic("ANTHROPIC_API_KEY"),
    "api.x.ai": bearer("XAI_API_KEY"),
  }, { ANTHROPIC_API_KEY: API, XAI_API_KEY: ["api.x.ai:443"] }],
  [
    "of the keys of one API, the one that SDKs prefer",
    { ANTHROPIC_API_KEY: "a", ANTHROPIC_AUTH_TOKEN: "b" },
    [],
    { "api.anthropic.com": anthropic("ANTHROPIC_API_KEY") },
    { ANTHROPIC_API_KEY: API, ANTHROPIC_AUTH_TOKEN: API },
  ],
  ["names that every object has", { ANTHROPIC_AUTH_TOKEN: "b", X_KEY: "x" }, [
    "x=https://constructor,header=constructor",
  ], {
    "api.anthropic.com": bearer("ANTHROPIC_AUTH_TOKEN"),
    "constructor": { constructor: "{{X_KEY}}" },
  }, { ANTHROPIC_AUTH_TOKEN: API, X_KEY: ["constructor:443"] }],
  [
    "of two variables for one key, the one that SDKs prefer",
    { GEMINI_API_KEY: "b", GOOGLE_API_KEY: "a" },
    [],
    { "generativelanguage.googleapis.com": { "x-goog-api-key": "{{GOOGLE_API_KEY}}" } },
    { GOOGLE_API_KEY: GEMINI, GEMINI_API_KEY: GEMINI },
  ],
  ["a key for the API and for git", { GITHUB_TOKEN: "g" }, [], {
    "api.github.com": bearer("GITHUB_TOKEN"),
    "github.com": { authorization: "Basic {{GITHUB_TOKEN_BASIC}}" },
  }, { GITHUB_TOKEN: ["api.github.com:443", "github.com:443"] }],
  [
    "a base address of the environment",
    { OPENAI_API_KEY: "o", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
    [],
    { "127.0.0.1:9": bearer("OPENAI_API_KEY") },
    { OPENAI_API_KEY: ["127.0.0.1:9"] },
  ],
  ["a preset of one's own", { ACME_TOKEN: "a" }, ["acme=https://a.test:8443/x,header=X-Key,scheme=Key"], {
    "a.test:8443": { "x-key": "Key {{ACME_TOKEN}}" },
  }, { ACME_TOKEN: ["a.test:8443"] }],
  ["another address for a known one", { GROQ_API_KEY: "a" }, ["groq=https://a.test"], {
    "a.test": bearer("GROQ_API_KEY"),
  }, { GROQ_API_KEY: ["a.test:443"] }],
  ["the token of another run is no key", { OPENAI_API_KEY: "fv1.a.b" }, [], {}, {}],
  ["an empty variable is no key", { OPENAI_API_KEY: "" }, [], {}, {}],
]);

describe("a run", () => {
  it.each(ROWS)("$about", ({ environment, presets, set, tokens }) => {
    const made = plan(environment, presets);
    expect(Object.fromEntries(Object.entries(made.table).map(([host, entry]) => [host, entry.set])))
      .toEqual(set);
    expect(Object.entries(made.tokens).map(([name, targets]) => [name, [...new Set(targets)]]))
      .toEqual(Object.entries(tokens));
  });

  it("has base addresses by at, with the path that the SDK has in it", () => {
    const { places, used } = plan({ OPENAI_API_KEY: "o", GROQ_API_KEY: "g", GH_TOKEN: "h", ACME_KEY: "a" }, [
      "acme=https://api.acme.test/v2/",
      "other=https://api.other.test,key=ACME_KEY,header=x-api-key,variable=OTHER_URL",
    ]);
    expect(places).toMatchObject({
      OPENAI_BASE_URL: "/__proxy__/at/api-openai-com/v1",
      GROQ_BASE_URL: "/__proxy__/at/api-groq-com",
      ACME_BASE_URL: "/__proxy__/at/api-acme-test/v2",
      OTHER_URL: "/__proxy__/at/api-other-test",
    });
    expect(used.filter(({ isGit }) => isGit)).toMatchObject([
      { origin: new URL("https://github.com"), place: "/__proxy__/at/github-com", keys: ["GH_TOKEN"] },
    ]);
  });

  it("has a token for each key of a table, and an address for each label", () => {
    const { places, tokens } = plan({ A: "key-a", B: "key-b" }, [], {
      "*.a.test": { set: { "x-a": "{{A}}" } },
      "b.test": { label: "my-b", set: { "x-a": "{{A}}", "x-b": "{{B}}" } },
    });
    expect(tokens).toEqual({ A: ["*.a.test", "b.test"], B: ["b.test"] });
    expect(places).toEqual({ MY_B_BASE_URL: "/__proxy__/at/my-b" });
  });

  it("has what SDKs of AWS read, where a table signs, and no token for what is passed or has no variable", () => {
    const signing = (secret: string) => ({
      sign: { aws: { region: "eu-central-1", service: "sts", key: "AKIA", secret } },
    });
    const { places, tokens } = plan({ OTHER: "key" }, [], {
      "sts.a.test": { label: "sts", ...signing("{{OTHER}}") },
      "*.a.test": signing("the secret"),
    });
    const both = ["sts.a.test", "*.a.test"];
    expect(tokens).toEqual({ OTHER: ["sts.a.test"], AWS_SECRET_ACCESS_KEY: both, AWS_SESSION_TOKEN: both });
    expect(places).toEqual({ AWS_ENDPOINT_URL_STS: "/__proxy__/at/sts" });
  });

  it.each<{ entry: string; members: object; replaced: string[] }>([
    { entry: "github.com", members: { set: { authorization: "Basic {{GH_TOKEN_BASIC}}" } }, replaced: [] },
    { entry: "*.com", members: {}, replaced: [] },
    { entry: "github.com", members: { methods: ["GET"] }, replaced: ["github.com"] },
    { entry: "github.com:443", members: { set: { "x-a": "{{GH_TOKEN}}" } }, replaced: ["github.com:443"] },
  ])("tells that $entry with $members replaces a preset: $replaced", ({ entry, members, replaced }) => {
    const made = plan({ GH_TOKEN: "g" }, [], { [entry]: members });
    expect(made.replaced).toEqual(
      replaced.map((name) =>
        `entry "${name}" of --targets replaces the preset github, without its {{GH_TOKEN_BASIC}}`
      ),
    );
    expect(Object.keys(made.tokens)).toEqual(["GH_TOKEN"]);
  });

  it.each(rowsOf(["base", "says", "other"], [
    ["https://api.x.ai/v1", "second key", { XAI_API_KEY: "b" }],
    ["ftp://a.test", "OPENAI_BASE_URL"],
    ["http://a.test", "is plain http, expected https"],
    ["http://[::1]:8080/v1", "OPENAI_BASE_URL has a host that fits no label"],
    ["https://a.test/v1?key=a", "OPENAI_BASE_URL has a query"],
    ["https://me:secret@a.test/v1", "OPENAI_BASE_URL has credentials"],
  ]))("is refused with the base $base: $says", ({ base, says, other }) => {
    expect(() => plan({ OPENAI_API_KEY: "a", OPENAI_BASE_URL: base, ...other })).toThrow(says);
  });

  it.each(rowsOf(["preset", "says", "environment"], [
    ["opnai", 'Unknown preset "opnai", expected openai, or one of anthropic'],
    ["groq", "--preset groq has no key, expected it in GROQ_API_KEY"],
    ["groq=http://example.com", "--preset groq is plain http, expected https", {
      GROQ_API_KEY: "gsk_0123456789",
    }],
    ["acme=https://a.test,keys=A", '--preset acme has "keys", expected key, or one of header'],
    [
      "acme=https://a.test,key=sk-0123456789",
      "--preset acme has a bad key, expected the name of the variable that holds it",
    ],
    ["acme=https://a.test,header=", "--preset acme has header= without a value, expected one"],
    ["acme=https://a.test,scheme", "--preset acme has scheme without a value, expected one"],
    ["acme=https://a.test,key=toString", "--preset acme has no key, expected it in toString"],
  ]))("is refused with $preset", ({ preset, environment = {}, says }) => {
    expect(() => plan(environment, [preset])).toThrow(says);
  });
});

describe("the table of APIs", () => {
  it("has at least twelve, each with a base address, keys and a header", () => {
    expect(new Set(PRESETS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(12);
    expect(
      PRESETS.filter(({ base, keys }) => !/^https:\/\/[a-z.]+(?:\/[\w/]+)?$/.test(base) || keys.length === 0),
    ).toEqual([]);
  });

  it("is that of docs/agents.md", () => {
    const docs = readFileSync("docs/agents.md", "utf8").split("| --- | --- | --- |")[1]!.split("\n\n")[0]!;
    const regular = PRESETS.flatMap(({ name }) =>
      [`${name}_API_KEY`, `${name}_BASE_URL`].map((text) => text.toUpperCase())
    );
    const irregular = (names: string[]) => new Set(names.filter((name) => !regular.includes(name)));
    const told = [...docs.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name);
    expect(irregular(told))
      .toEqual(irregular(PRESETS.flatMap(({ keys, variables }) => [...keys, ...variables])));
  });

  it.each(PRESETS)("$name makes a table that is good", ({ keys: [key = ""], header, base }) => {
    const { table } = plan({ [key]: "the-key" });
    const { find, keyFields } = readTable(table, { variable: () => "the-key" });
    expect([find(new URL(base))?.ownKeys.size, keyFields.has(header)]).toEqual([1, true]);
  });
});
