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

const BEARER = { header: "authorization", scheme: "Bearer" };
const BASIC = { header: "authorization", scheme: "Basic" };
const own = (header: string) => ({ header, scheme: "" });

/** Variables and forms are those that the official SDKs read and send. */
export const PRESETS: readonly Preset[] = [
  row("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", BEARER, "OPENAI_BASE_URL OPENAI_API_BASE"),
  row("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", own("x-api-key"), "ANTHROPIC_BASE_URL"),
  row(
    "anthropic",
    "https://api.anthropic.com",
    "ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN",
    BEARER,
    "ANTHROPIC_BASE_URL",
  ),
  row(
    "google",
    "https://generativelanguage.googleapis.com",
    "GOOGLE_API_KEY GEMINI_API_KEY",
    own("x-goog-api-key"),
    "GOOGLE_GEMINI_BASE_URL",
  ),
  row("mistral", "https://api.mistral.ai", "MISTRAL_API_KEY", BEARER, "MISTRAL_BASE_URL"),
  row("groq", "https://api.groq.com", "GROQ_API_KEY", BEARER, "GROQ_BASE_URL"),
  row("deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY", BEARER, "DEEPSEEK_BASE_URL"),
  row("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", BEARER, "OPENROUTER_BASE_URL"),
  row("xai", "https://api.x.ai/v1", "XAI_API_KEY", BEARER, "XAI_BASE_URL"),
  row("cohere", "https://api.cohere.com", "CO_API_KEY COHERE_API_KEY", BEARER, "CO_API_URL COHERE_BASE_URL"),
  row("together", "https://api.together.ai/v1", "TOGETHER_API_KEY", BEARER, "TOGETHER_BASE_URL"),
  row("perplexity", "https://api.perplexity.ai", "PERPLEXITY_API_KEY", BEARER, "PERPLEXITY_BASE_URL"),
  row("huggingface", "https://router.huggingface.co/v1", "HF_TOKEN", BEARER, "HUGGINGFACE_BASE_URL"),
  row("huggingface", "https://huggingface.co", "HF_TOKEN", BEARER, "HF_ENDPOINT"),
  row("replicate", "https://api.replicate.com/v1", "REPLICATE_API_TOKEN", BEARER, "REPLICATE_BASE_URL"),
  row(
    "elevenlabs",
    "https://api.elevenlabs.io",
    "ELEVENLABS_API_KEY",
    own("xi-api-key"),
    "ELEVENLABS_BASE_URL",
  ),
  row("cerebras", "https://api.cerebras.ai", "CEREBRAS_API_KEY", BEARER, "CEREBRAS_BASE_URL"),
  row("github", "https://api.github.com", "GH_TOKEN GITHUB_TOKEN", BEARER, "GITHUB_API_URL"),
  {
    ...row("github", "https://github.com", "GH_TOKEN GITHUB_TOKEN", BASIC, "GITHUB_SERVER_URL"),
    gitUser: "x-access-token",
  },
];

function row(
  name: string,
  base: string,
  keys: string,
  form: Pick<Preset, "header" | "scheme">,
  variables: string,
): Preset {
  return { name, base, keys: split(keys), ...form, variables: split(variables) };
}

function split(text: string): string[] {
  return text.split(" ").filter(Boolean);
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
      : [describe(name, base)])
      .map((preset) => ({ ...preset, base, ...changed }));
    rows = [...rows.filter((preset) => preset.name !== name), ...made];
  }
  return { rows, required };
}

/** A preset of one's own, where nothing else is said. */
function describe(name: string, base: string): Preset {
  const stem = name.toUpperCase().replaceAll("-", "_");
  return row(name, base, `${stem}_API_KEY ${stem}_TOKEN ${stem}_KEY`, BEARER, `${stem}_BASE_URL`);
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
