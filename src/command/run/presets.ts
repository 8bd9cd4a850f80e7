/**
 * The APIs that `fetchvia run` knows: one table of data, and those that `--preset` adds (rule 22.3).
 * @module
 */

import { ConfigError } from "../../core/settings/config.ts";
import { nameKnown } from "../../core/settings/nearest.ts";

/** One key of an API, and the base address where no variable has another one. */
export type Preset = Readonly<ReturnType<typeof readRow>>;

/** How a key travels, where not by a header of its own alone: the header, and what stands before the key there. */
const FORMS: Readonly<Record<string, readonly [header: string, scheme: string]>> = {
  bearer: ["authorization", "Bearer"],
  git: ["authorization", "Basic"],
};

/**
 * Name, base address, form or header, variables of the key; variables of the base address. What is missing is `bearer`,
 * `NAME_API_KEY` and `NAME_BASE_URL`. All as the official SDKs have them.
 */
const TABLE = `
openai https://api.openai.com/v1; OPENAI_BASE_URL OPENAI_API_BASE
anthropic https://api.anthropic.com x-api-key
anthropic https://api.anthropic.com bearer ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN
google https://generativelanguage.googleapis.com x-goog-api-key GOOGLE_API_KEY GEMINI_API_KEY; GOOGLE_GEMINI_BASE_URL
mistral https://api.mistral.ai, groq https://api.groq.com, deepseek https://api.deepseek.com, xai https://api.x.ai/v1
openrouter https://openrouter.ai/api/v1, together https://api.together.ai/v1, perplexity https://api.perplexity.ai
elevenlabs https://api.elevenlabs.io xi-api-key, cerebras https://api.cerebras.ai
cohere https://api.cohere.com bearer CO_API_KEY COHERE_API_KEY; CO_API_URL COHERE_BASE_URL
huggingface https://router.huggingface.co/v1 bearer HF_TOKEN, huggingface https://huggingface.co bearer HF_TOKEN; HF_ENDPOINT
replicate https://api.replicate.com/v1 bearer REPLICATE_API_TOKEN
github https://api.github.com bearer GH_TOKEN GITHUB_TOKEN; GITHUB_API_URL
github https://github.com git GH_TOKEN GITHUB_TOKEN; GITHUB_SERVER_URL
`;

/** The APIs that need no flag. */
export const PRESETS: readonly Preset[] = TABLE.trim().split(/, |\n/).map((row) => readRow(row, ["API_KEY"]));

function readRow(row: string, ends: readonly string[]) {
  const [key = "", others] = row.split("; ");
  const [name = "", base = "", form = "bearer", ...named] = key.split(" ");
  const [header, scheme] = FORMS[form] ?? [form, ""];
  const stem = name.toUpperCase().replaceAll("-", "_");
  const keys = named[0] ? named : ends.map((end) => `${stem}_${end}`);
  const variables = others?.split(" ") ?? [`${stem}_BASE_URL`];
  // git gets key and base address by its own configuration. What `--preset` asks for must have a key.
  return { name, base, header, scheme, isGit: form === "git", keys, variables, isAsked: false };
}

/** A name, and after `=` a base address and members. */
const OWN = /^([a-z][a-z0-9-]*)=([^,]+)((?:,.*)?)$/;
/** What `--preset` takes beside the base address. */
const MEMBERS = ["key", "header", "scheme", "variable"];

/**
 * Adds a value of `--preset` to the presets: the name of one, or `name=base` with members, such as
 * `acme=https://api.acme.com/v1,key=ACME_SECRET,header=x-api-key`.
 *
 * @throws {ConfigError} for an unknown preset or member
 */
export function addPreset(presets: readonly Preset[], text: string): Preset[] {
  const [, name = text, base, members = ""] = OWN.exec(text) ?? [];
  const known = presets.filter((preset) => preset.name === name);
  if (base === undefined && known.length === 0) {
    const expected = nameKnown(name, [...new Set(presets.map((preset) => preset.name))]);
    throw new ConfigError(`Unknown preset ${JSON.stringify(name)}, expected ${expected}, or name=address`);
  }
  const [first = readRow(name, ["API_KEY", "TOKEN", "KEY"]), ...more] = known;
  const moved = [first, ...more].filter((preset) => base === undefined || preset.base === first.base);
  const own = { ...base && { base, ...readMembers(name, members) }, isAsked: true };
  const others = presets.filter((preset) => preset.name !== name);
  return [...others, ...moved.map((preset) => ({ ...preset, ...own }))];
}

function readMembers(preset: string, text: string): Partial<Preset> {
  const pairs = text.split(",").slice(1);
  const given = new Map(pairs.map((pair) => pair.split(/=(.*)/s) as [string, string]));
  const unknown = [...given.keys()].find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) {
    const expected = nameKnown(unknown, MEMBERS);
    throw new ConfigError(`--preset ${preset} has ${JSON.stringify(unknown)}, expected ${expected}`);
  }
  const bare = pairs.find((pair) => !/=./s.test(pair) && pair !== "scheme=");
  if (bare !== undefined) {
    throw new ConfigError(`--preset ${preset} has ${bare} without a value, expected one`);
  }
  const [key, header, scheme, variable] = MEMBERS.map((member) => given.get(member));
  // What is no name may be the key itself.
  if (key && !/^[A-Za-z_]\w*$/.test(key)) {
    throw new ConfigError(
      `--preset ${preset} has a bad key, expected the name of the variable that holds it`,
    );
  }
  return {
    ...key && { keys: [key] },
    ...header && { header: header.toLowerCase(), scheme: "" },
    ...scheme !== undefined && { scheme },
    ...variable && { variables: [variable] },
  };
}
