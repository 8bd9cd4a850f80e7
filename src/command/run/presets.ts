/**
 * The APIs that `fetchvia run` knows: one table of data, and those that `--preset` adds (rule 22.3).
 * @module
 */

import { type Address, decodeBase } from "../../core/address/address.ts";
import { findBaseFault } from "../../core/address/fault.ts";
import { isLoopbackHost } from "../../core/address/ip.ts";
import { ConfigError } from "../../core/settings/config.ts";
import { nameKnown } from "../../core/settings/nearest.ts";

/** One key of an API: where it is kept, and how it travels. */
export interface Preset {
  readonly name: string;
  /** The base address that programs have without a variable for it. */
  readonly base: string;
  /** Variables with the key; the first that is set holds it, as the official clients have it. */
  readonly keys: readonly string[];
  /** The header in which the key travels. */
  readonly header: string;
  /** What stands before the key; `""` for nothing. */
  readonly scheme: string;
  /** Variables from which programs read the base address. */
  readonly variables: readonly string[];
  /** Where git clones and pushes: the user whose password the key is. Git gets the base by its own configuration. */
  readonly gitUser?: string;
}

/** How a key travels: a header, and what stands before the key. */
const FORMS: Readonly<Record<string, Pick<Preset, "header" | "scheme" | "gitUser">>> = {
  bearer: { header: "authorization", scheme: "Bearer" },
  git: { header: "authorization", scheme: "Basic", gitUser: "x-access-token" },
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
  return { name, base, ...FORMS[form] ?? own(form), keys, variables: variables.split(" ") };
}

function own(header: string): Pick<Preset, "header" | "scheme"> {
  return { header, scheme: "" };
}

/** What `--preset` takes beside the base address. */
const MEMBERS = ["key", "header", "scheme", "variable"] as const;
/** A name, and after `=` a base address and members. */
const OWN = /^([a-z][a-z0-9-]*)=([^,]+)((?:,.*)?)$/;

/** The presets in force, and the names that must have a key. */
export interface Presets {
  readonly rows: readonly Preset[];
  readonly required: ReadonlySet<string>;
}

/**
 * Reads the values of `--preset`: the name of a preset, or `name=base` with members, such as
 * `acme=https://api.acme.com/v1,key=ACME_SECRET,header=x-api-key`.
 *
 * @throws {ConfigError} for an unknown preset or member, and for a bad base address
 */
export function readPresets(texts: readonly string[]): Presets {
  let rows = PRESETS;
  const required = new Set<string>();
  for (const text of texts) {
    const [, name = text, base, members = ""] = OWN.exec(text) ?? [];
    const known = rows.filter((preset) => preset.name === name);
    if (base === undefined && known.length === 0) {
      const expected = nameKnown(name, [...new Set(rows.map((preset) => preset.name))]);
      throw new ConfigError(`Unknown preset ${JSON.stringify(name)}, expected ${expected}, or name=address`);
    }
    required.add(name);
    if (base === undefined) continue;
    const changed = readMembers(name, members);
    const made = (known.length > 0
      ? known.filter((preset) => preset.base === known[0]!.base)
      : [describe(name)])
      .map((preset) => ({ ...preset, base, ...changed }));
    rows = [...rows.filter((preset) => preset.name !== name), ...made];
  }
  return { rows, required };
}

/** A preset of one's own, where nothing but its base address is said. */
function describe(name: string): Preset {
  const stem = name.toUpperCase().replaceAll("-", "_");
  return readRow(`${name} - bearer ${stem}_API_KEY ${stem}_TOKEN ${stem}_KEY; ${stem}_BASE_URL`);
}

function readMembers(name: string, text: string): Partial<Preset> {
  const pairs = text.split(",").slice(1).map((pair) => pair.split(/=(.*)/s));
  const given = new Map(pairs.map(([member = "", value = ""]) => [member, value]));
  for (const member of given.keys()) {
    if ((MEMBERS as readonly string[]).includes(member)) continue;
    const expected = nameKnown(member, MEMBERS);
    throw new ConfigError(`--preset ${name} has ${JSON.stringify(member)}, expected ${expected}`);
  }
  const [key, header, scheme, variable] = MEMBERS.map((member) => given.get(member));
  return {
    ...(key && { keys: [key] }),
    ...(header && own(header.toLowerCase())),
    ...(scheme !== undefined && { scheme }),
    ...(variable && { variables: [variable] }),
  };
}

/**
 * The base address of a preset: that of its variable in the environment, else its own.
 *
 * @throws {ConfigError} for one that is no base address, or that no key may go to (rule 9.2)
 */
export function baseOf(preset: Preset, environment: NodeJS.ProcessEnv): Address {
  const source = preset.variables.find((name) => environment[name]);
  const text = (source && environment[source]) ?? preset.base;
  const from = source ?? `--preset ${preset.name}`;
  const base = decodeBase(text);
  if (!base) {
    throw new ConfigError(`${from} ${findBaseFault(text)}, expected a base such as https://example.com/v1`);
  }
  if (base.origin.protocol === "https:" || isLoopbackHost(base.origin.hostname)) return base;
  throw new ConfigError(`${from} is plain http, expected https: a key goes over https or to this machine`);
}
