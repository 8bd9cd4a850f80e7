/**
 * The events of language models: what each adds to the answer. What is not of the expected type is left out.
 * @module
 */

import { findIn } from "../../page/format.ts";

/** One part of the answer. */
export interface Block {
  kind: "text" | "thinking" | "refusal" | "tool call";
  /** Its text; of a tool call, its arguments. */
  text: string;
  /** Of a tool call: the name of the function; `""` if there is none. */
  name: string;
  /** Which of several answers it belongs to, from 0. */
  choice: number;
}

/** Facts about the answer, as far as the stream told them. */
export interface CompletionFacts {
  model?: string | undefined;
  stop?: string | undefined;
  inputTokens?: number | undefined;
  cachedTokens?: number | undefined;
  outputTokens?: number | undefined;
  error?: string | undefined;
}

/** What one event adds. */
export interface Addition extends CompletionFacts {
  pieces?: readonly Piece[];
}

/** Text for the block with this key; the first piece of a key begins its block. */
export interface Piece extends Block {
  key: string;
}

/** The most characters of a name or a message that is kept. */
const MOST_CHARACTERS = 1_000;

type Members = Readonly<Record<string, unknown>>;

/** Reads an event of any of the known interfaces; what it does not know adds nothing. */
export function readCompletionEvent(event: unknown): Addition {
  const members = asMembers(event);
  if (Array.isArray(members["choices"])) return readOpenAi(members);
  if (Array.isArray(members["candidates"])) return readGemini(members);
  const type = asText(members["type"]) ?? "";
  if (type.startsWith("response.")) return readResponses(type, members);
  if (type.startsWith("message_") || type.startsWith("content_block_")) return readAnthropic(type, members);
  return { error: asText(asMembers(members["error"])["message"]) ?? asText(members["error"]) };
}

/** Chat completions and completions of OpenAI, and of the many that speak like it. */
function readOpenAi(event: Members): Addition {
  const usage = asMembers(event["usage"]);
  const choices = asList(event["choices"]).map(asMembers);
  return {
    model: asText(event["model"]),
    stop: choices.map((choice) => asText(choice["finish_reason"])).find((stop) => stop !== undefined),
    inputTokens: asNumber(usage["prompt_tokens"]),
    cachedTokens: asNumber(asMembers(usage["prompt_tokens_details"])["cached_tokens"]),
    outputTokens: asNumber(usage["completion_tokens"]),
    pieces: choices.flatMap(readChoice),
  };
}

function readChoice(choice: Members): Piece[] {
  const index = asNumber(choice["index"]) ?? 0;
  const delta = asMembers(choice["delta"]);
  const calls = asList(delta["tool_calls"]).map(asMembers).flatMap((call) => {
    const { name, arguments: text } = asMembers(call["function"]);
    return piece("tool call", `${index} call ${String(call["index"])}`, text ?? "", asText(name), index);
  });
  return [
    ...piece("thinking", `${index} thinking`, delta["reasoning_content"] ?? delta["reasoning"], "", index),
    ...piece("text", `${index} text`, delta["content"] ?? choice["text"], "", index),
    ...piece("refusal", `${index} refusal`, delta["refusal"], "", index),
    ...calls,
  ];
}

const RESPONSE_DELTAS: Readonly<Record<string, Block["kind"]>> = {
  "response.output_text.delta": "text",
  "response.refusal.delta": "refusal",
  "response.reasoning_text.delta": "thinking",
  "response.reasoning_summary_text.delta": "thinking",
  "response.function_call_arguments.delta": "tool call",
};

function readResponses(type: string, event: Members): Addition {
  const place = String(event["output_index"]);
  const kind = findIn(RESPONSE_DELTAS, type);
  if (kind) return { pieces: piece(kind, `${place} ${kind}`, event["delta"]) };
  const item = asMembers(event["item"]);
  if (type === "response.output_item.added" && item["type"] === "function_call") {
    return { pieces: piece("tool call", `${place} tool call`, "", asText(item["name"])) };
  }
  const response = asMembers(event["response"]);
  const usage = asMembers(response["usage"]);
  const status = asText(response["status"]);
  return {
    model: asText(response["model"]),
    stop: asText(asMembers(response["incomplete_details"])["reason"]) ??
      (status === "in_progress" || status === "queued" ? undefined : status),
    inputTokens: asNumber(usage["input_tokens"]),
    cachedTokens: asNumber(asMembers(usage["input_tokens_details"])["cached_tokens"]),
    outputTokens: asNumber(usage["output_tokens"]),
    error: asText(asMembers(response["error"])["message"]),
  };
}

const BLOCK_KINDS: Readonly<Record<string, Block["kind"]>> = {
  text: "text",
  text_delta: "text",
  thinking: "thinking",
  thinking_delta: "thinking",
  tool_use: "tool call",
  server_tool_use: "tool call",
  input_json_delta: "tool call",
};

function readAnthropic(type: string, event: Members): Addition {
  const message = asMembers(event["message"]);
  const usage = asMembers(message["usage"] ?? event["usage"]);
  const delta = asMembers(event["delta"]);
  const part = type === "content_block_start" ? asMembers(event["content_block"]) : delta;
  const named = asText(part["type"]) ?? "";
  const kind = findIn(BLOCK_KINDS, named);
  const text = part["text"] ?? part["thinking"] ?? part["partial_json"] ?? "";
  return {
    model: asText(message["model"]),
    stop: asText(delta["stop_reason"]),
    inputTokens: asNumber(usage["input_tokens"]),
    cachedTokens: asNumber(usage["cache_read_input_tokens"]),
    outputTokens: asNumber(usage["output_tokens"]),
    pieces: kind ? piece(kind, String(event["index"]), text, asText(part["name"])) : [],
  };
}

/** `streamGenerateContent` of Gemini. Each function call comes whole. */
function readGemini(event: Members): Addition {
  const usage = asMembers(event["usageMetadata"]);
  const candidates = asList(event["candidates"]).map(asMembers);
  return {
    model: asText(event["modelVersion"]),
    stop: candidates.map((candidate) => asText(candidate["finishReason"])).find((stop) => stop !== undefined),
    inputTokens: asNumber(usage["promptTokenCount"]),
    cachedTokens: asNumber(usage["cachedContentTokenCount"]),
    outputTokens: asNumber(usage["candidatesTokenCount"]),
    pieces: candidates.flatMap(readCandidate),
  };
}

function readCandidate(candidate: Members): Piece[] {
  const index = asNumber(candidate["index"]) ?? 0;
  const parts = asList(asMembers(candidate["content"])["parts"]).map(asMembers);
  return parts.flatMap((part) => {
    const { name, args } = asMembers(part["functionCall"]);
    const call = asText(name);
    if (call !== undefined) {
      const text = JSON.stringify(args ?? {});
      return piece("tool call", `${index} ${call} ${text}`, text, call, index);
    }
    const kind = part["thought"] === true ? "thinking" : "text";
    return piece(kind, `${index} ${kind}`, part["text"], "", index);
  });
}

/** A piece; none for what is no text. */
function piece(kind: Block["kind"], key: string, text: unknown, name = "", choice = 0): Piece[] {
  return typeof text === "string" ? [{ kind, key, text, name, choice }] : [];
}

function asMembers(value: unknown): Members {
  return typeof value === "object" && value !== null ? value as Members : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value.slice(0, MOST_CHARACTERS) : undefined;
}

function asNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
