/**
 * The APIs that `fetchvia run` knows: one table of data, and those that `--preset` adds (rule 22.3).
 * @module
 */

import { ConfigError } from "../../core/settings/config.ts";
import { nameKnown } from "../../core/settings/nearest.ts";

/** One key of an API: where it is kept, and how it travels. */
export interface Preset {
  readonly name: string;
  /** The base address that programs have without a variable for it. */
  readonly base: string;
  /** The header in which the key travels, and what stands before the key; `""` for nothing. */
  readonly header: string;
  readonly scheme: string;
  /** True where git clones and pushes: the key is a password, and git gets the base address by its own configuration. */
  readonly isGit: boolean;
  /** Variables with the key; the first that is set holds it, as the official clients have it. */
  readonly keys: readonly string[];
  /** Variables from which programs read the base address. */
  readonly variables: readonly string[];
  /** True if `--preset` asked for it: then it must have a key. */
  readonly isAsked?: boolean;
}

/** How a key travels, where not by a header of its own alone. */
const FORMS: Readonly<Record<string, readonly [header: string, scheme: string]>> = {
  bearer: ["authorization", "Bearer"],
  git: ["authorization", "Basic"],
};

/** Name, base address, form or header, variables of the key; variables of the base address. All as the official SDKs have them. */
const TABLE = `
openai https://api.openai.com/v1 bearer OPENAI_API_KEY; OPENAI_BASE_URL OPENAI_API_BASE
anthropic https://api.anthropic.com x-api-key ANTHROPIC_API_KEY; ANTHROPIC_BASE_URL
anthropic https://api.anthropic.com bearer ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN; ANTHROPIC_BASE_URL
google https://generativelanguage.googleapis.com x-goog-api-key GOOGLE_API_KEY GEMINI_API_KEY; GOOGLE_GEMINI_BASE_URL
mistral https://api.mistral.ai bearer MISTRAL_API_KEY; MISTRAL_BASE_URL
groq https://api.groq.com bearer GROQ_API_KEY; GROQ_BASE_URL
deepseek https://api.deepseek.com bearer DEEPSEEK_API_KEY; DEEPSEEK_BASE_URL
openrouter https://openrouter.ai/api/v1 bearer OPENROUTER_API_KEY; OPENROUTER_BASE_URL
xai https://api.x.ai/v1 bearer XAI_API_KEY; XAI_BASE_URL
cohere https://api.cohere.com bearer CO_API_KEY COHERE_API_KEY; CO_API_URL COHERE_BASE_URL
together https://api.together.ai/v1 bearer TOGETHER_API_KEY; TOGETHER_BASE_URL
perplexity https://api.perplexity.ai bearer PERPLEXITY_API_KEY; PERPLEXITY_BASE_URL
huggingface https://router.huggingface.co/v1 bearer HF_TOKEN; HUGGINGFACE_BASE_URL
huggingface https://huggingface.co bearer HF_TOKEN; HF_ENDPOINT
replicate https://api.replicate.com/v1 bearer REPLICATE_API_TOKEN; REPLICATE_BASE_URL
elevenlabs https://api.elevenlabs.io xi-api-key ELEVENLABS_API_KEY; ELEVENLABS_BASE_URL
cerebras https://api.cerebras.ai bearer CEREBRAS_API_KEY; CEREBRAS_BASE_URL
github https://api.github.com bearer GH_TOKEN GITHUB_TOKEN; GITHUB_API_URL
github https://github.com git GH_TOKEN GITHUB_TOKEN; GITHUB_SERVER_URL
`;

/** The APIs that need no flag. */
export const PRESETS: readonly Preset[] = TABLE.trim().split("\n").map(readRow);

function readRow(row: string): Preset {
  const [key = "", variables = ""] = row.split("; ");
  const [name = "", base = "", form = "", ...keys] = key.split(" ");
  const [header, scheme] = FORMS[form] ?? [form, ""];
  return { name, base, header, scheme, isGit: form === "git", keys, variables: variables.split(" ") };
}

/** A name, and after `=` a base address and members. */
const OWN = /^([a-z][a-z0-9-]*)=([^,]+)((?:,.*)?)$/;
/** What `--preset` takes beside the base address. */
const MEMBERS = ["key", "header", "scheme", "variable"] as const;

/**
 * Adds a value of `--preset` to the presets: the name of one, or `name=base` with members, such as
 * `acme=https://api.acme.com/v1,key=ACME_SECRET,header=x-api-key`.
 *
 * @throws {ConfigError} for an unknown preset or member
 */
export function addPreset(presets: readonly Preset[], text: string): Preset[] {
  const [, name = text, base, members = ""] = OWN.exec(text) ?? [];
  const stem = name.toUpperCase().replaceAll("-", "_");
  const unknown = readRow(`${name} - bearer ${stem}_API_KEY ${stem}_TOKEN ${stem}_KEY; ${stem}_BASE_URL`);
  const others = presets.filter((preset) => preset.name !== name);
  const known = presets.filter((preset) => preset.name === name);
  if (base !== undefined) {
    const [first = unknown, ...more] = known;
    const moved = [first, ...more.filter((preset) => preset.base === first.base)];
    return [
      ...others,
      ...moved.map((preset) => ({ ...preset, base, ...readMembers(name, members), isAsked: true })),
    ];
  }
  if (known.length > 0) return [...others, ...known.map((preset) => ({ ...preset, isAsked: true }))];
  const expected = nameKnown(name, [...new Set(presets.map((preset) => preset.name))]);
  throw new ConfigError(`Unknown preset ${JSON.stringify(name)}, expected ${expected}, or name=address`);
}

function readMembers(preset: string, text: string): Partial<Preset> {
  const given = new Map(text.split(",").slice(1).map((pair) => pair.split(/=(.*)/s) as [string, string]));
  const [key, header, scheme, variable] = MEMBERS.map((member) => given.get(member));
  MEMBERS.forEach((member) => given.delete(member));
  for (const [unknown] of given) {
    throw new ConfigError(
      `--preset ${preset} has ${JSON.stringify(unknown)}, expected ${nameKnown(unknown, MEMBERS)}`,
    );
  }
  return {
    ...key && { keys: [key] },
    ...header && { header: header.toLowerCase(), scheme: "" },
    ...scheme !== undefined && { scheme },
    ...variable && { variables: [variable] },
  };
}
