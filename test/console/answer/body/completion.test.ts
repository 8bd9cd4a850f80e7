/** What language models answer, put together from the streams of their interfaces. @module */
import { describe, expect, it } from "vitest";
import { isCompletion } from "../../../../src/console/answer/body/body-kind.ts";
import { Completion, listFacts } from "../../../../src/console/answer/body/completion-view.ts";
import { rowsOf } from "../../../support/rows.ts";

/** Events as they stand on the wire; `named` gives each the name of its type, as some interfaces do. */
const stream = (events: readonly object[], named = false) =>
  events.map((event) =>
    `${named ? `event: ${(event as { type?: string }).type}\n` : ""}data: ${JSON.stringify(event)}\n\n`
  ).join("");

const chunk = (delta: object, rest: object = {}, index = 0) => ({
  object: "chat.completion.chunk",
  model: "gpt-x",
  choices: [{ index, delta, finish_reason: null, ...rest }],
});
const call = (index: number, name: string | undefined, text: string) =>
  chunk({ tool_calls: [{ index, function: { ...(name && { name }), arguments: text } }] });

const CHAT = stream([
  chunk({ role: "assistant", content: "" }),
  chunk({ reasoning_content: "Hm" }),
  chunk({ content: "Hel" }),
  chunk({ content: "lo ✓" }),
  call(0, "add", '{"a"'),
  call(1, "sub", "{}"),
  call(0, undefined, ":1}"),
  chunk({ content: "Hi" }, {}, 1),
  chunk({}, { finish_reason: "tool_calls" }),
  {
    object: "chat.completion.chunk",
    choices: [],
    usage: { prompt_tokens: 1200, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 1000 } },
  },
]) + "data: [DONE]\n\n";

const RESPONSES = stream([
  { type: "response.created", response: { model: "gpt-r", status: "in_progress" } },
  { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "Hm" },
  { type: "response.output_text.delta", output_index: 1, delta: "Hel" },
  { type: "response.output_text.delta", output_index: 1, delta: "lo" },
  { type: "response.output_item.added", output_index: 2, item: { type: "function_call", name: "add" } },
  { type: "response.function_call_arguments.delta", output_index: 2, delta: '{"a":1}' },
  {
    type: "response.completed",
    response: {
      model: "gpt-r",
      status: "completed",
      usage: { input_tokens: 5, output_tokens: 6, input_tokens_details: { cached_tokens: 2 } },
    },
  },
], true);

const MESSAGES = stream([
  {
    type: "message_start",
    message: { model: "claude-x", usage: { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm" } },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "ping" },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hello" } },
  { type: "content_block_start", index: 2, content_block: { type: "tool_use", name: "add", input: {} } },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"a":1}' } },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 30 } },
  { type: "message_stop" },
], true);

const GEMINI = stream([
  { candidates: [{ content: { parts: [{ text: "Hm", thought: true }] } }], modelVersion: "gemini-x" },
  { candidates: [{ content: { parts: [{ text: "Hel" }] } }] },
  {
    candidates: [{
      content: { parts: [{ text: "lo" }, { functionCall: { name: "add", args: { a: 1 } } }] },
      finishReason: "STOP",
    }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, cachedContentTokenCount: 1 },
  },
]).replaceAll("\n", "\r\n");

/** Blocks as `kind name: text`. */
const tell = (completion: Completion) =>
  [...completion.blocks.values()].map(({ kind, name = "", text, choice }) =>
    `${choice} ${kind} ${name}: ${text}`
  );

const read = (text: string, isOver = true) => {
  const completion = new Completion();
  completion.update(text, isOver);
  return completion;
};

const ROWS = [
  {
    api: "chat completions",
    text: CHAT,
    blocks: [
      "0 text : Hello ✓",
      "0 thinking : Hm",
      '0 tool call add: {"a":1}',
      "0 tool call sub: {}",
      "1 text : Hi",
    ],
    facts: { model: "gpt-x", stop: "tool_calls", inputTokens: 1200, cachedTokens: 1000, outputTokens: 7 },
  },
  {
    api: "completions",
    text: stream([{ object: "text_completion", model: "m", choices: [{ index: 0, text: "Hello" }] }]),
    blocks: ["0 text : Hello"],
    facts: { model: "m" },
  },
  {
    api: "responses",
    text: RESPONSES,
    blocks: ["0 thinking : Hm", "0 text : Hello", '0 tool call add: {"a":1}'],
    facts: { model: "gpt-r", stop: "completed", inputTokens: 5, cachedTokens: 2, outputTokens: 6 },
  },
  {
    api: "messages",
    text: MESSAGES,
    blocks: ["0 thinking : Hm", "0 text : Hello", '0 tool call add: {"a":1}'],
    facts: { model: "claude-x", stop: "tool_use", inputTokens: 9, cachedTokens: 4, outputTokens: 30 },
  },
  {
    api: "Gemini",
    text: GEMINI,
    blocks: ["0 thinking : Hm", "0 text : Hello", '0 tool call add: {"a":1}'],
    facts: { model: "gemini-x", stop: "STOP", inputTokens: 3, cachedTokens: 1, outputTokens: 4 },
  },
];

describe("a completion", () => {
  it.each(ROWS)("is known and put together from $api", ({ text, blocks, facts }) => {
    expect(isCompletion(text)).toBe(true);
    const completion = read(text);
    expect(tell(completion)).toEqual(blocks);
    expect(completion.facts).toEqual(facts);
  });

  it.each(ROWS)("is the same in whatever parts $api arrives", ({ text, blocks }) => {
    const completion = new Completion();
    for (let end = 1; end < text.length; end += 7) completion.update(text.slice(0, end), false);
    completion.update(text, true);
    expect(tell(completion)).toEqual(blocks);
  });

  it.each([
    { about: "other streams", text: 'data: {"object":"list"}\n\n' },
    { about: "text", text: "data: hello\n\n" },
  ])("is not seen in $about", ({ text }) => expect(isCompletion(text)).toBe(false));

  it.each(rowsOf(["about", "data"], [
    ["an error of OpenAI", '{"error":{"message":"No quota"}}'],
    ["an error of Anthropic", '{"type":"error","error":{"type":"overloaded","message":"No quota"}}'],
    ["a text", '{"error":"No quota"}'],
    ["a failed response", '{"type":"response.failed","response":{"error":{"message":"No quota"}}}'],
  ]))("tells $about", ({ data }) => expect(read(`data: ${data}\n\n`).facts.error).toBe("No quota"));

  it.each([
    "null",
    "[]",
    "1",
    '"a"',
    "{",
    '{"choices":[null,1,{"delta":7},{"delta":{"content":{"a":1},"tool_calls":[null,{"function":"x"}]}}]}',
    '{"candidates":[{"content":{"parts":[null,{"functionCall":{"name":1}}]}}]}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"constructor","text":"x"}}',
    '{"type":"response.toString","delta":"x"}',
    '{"choices":[],"model":7,"usage":{"prompt_tokens":"many"}}',
    '{"choices":[{"delta":{"tool_calls":[{"index":{"toString":1,"valueOf":1},"function":{"arguments":"x"}}]}}]}',
    '{"type":"response.output_text.delta","output_index":{"toString":1,"valueOf":1},"delta":"x"}',
  ])("takes no harm from %s", (data) => {
    const completion = read(`data: ${data}\n\n`);
    expect([tell(completion).filter((told) => !told.endsWith(": ")), completion.facts]).toEqual([[], {}]);
  });

  it("takes no harm from deep arguments", () => {
    const args = "[".repeat(100_000) + "]".repeat(100_000);
    const event = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"x","args":${args}}}]}}]}`;
    expect(tell(read(`data: ${event}\n\n`))).toEqual([]);
  });
});

describe("a completion without end", () => {
  it.each(rowsOf(["about", "events"], [
    ["many blocks", Array.from({ length: 5_000 }, (_, index) => chunk({ content: "a" }, {}, index))],
    ["blocks of one event", [{
      choices: Array.from({ length: 5_000 }, (_, index) => ({ index, text: "a" })),
    }]],
    ["a long text", Array.from({ length: 40 }, () => chunk({ content: "a".repeat(50_000) }))],
    ["a long piece", [chunk({ content: "a".repeat(2_000_000) })]],
  ]))("is cut where it has $about, and says so", ({ events }) => {
    const completion = read(stream(events));
    const texts = [...completion.blocks.values()].map(({ text }) => text);
    expect(texts.length).toBeLessThanOrEqual(1_000);
    expect(texts.join("").length).toBeLessThanOrEqual(1_000_000);
    expect(listFacts(completion, NOT_TIMED)).toContainEqual(["Not shown", expect.stringContaining("Events")]);
  });

  it("keeps no long name", () => {
    const { facts } = read(stream([chunk({}, {}), { choices: [], model: "m".repeat(1e6) }]));
    expect(facts.model).toHaveLength(1_000);
  });
});

const NOT_TIMED = {
  bytes: new Uint8Array(),
  type: "text/event-stream",
  readText: () => "",
  isRunning: false,
  isWhole: true,
};

describe("the facts of a completion", () => {
  const factsOf = (text: string, arrivals?: [number, number][], endMs?: number) => {
    const content = {
      bytes: new Uint8Array(),
      type: "text/event-stream",
      readText: () => text,
      isRunning: false,
      isWhole: true,
      ...(arrivals && { times: { arrivals, startMs: 100, endMs } }),
    };
    return Object.fromEntries(listFacts(read(text), content).filter(([, value]) => value !== undefined));
  };

  it("tell tokens and pace, where the times are known", () => {
    const bytes = new TextEncoder().encode(CHAT).length;
    expect(factsOf(CHAT, [[40, 150], [400, 600], [bytes, 2_500]], 2_600)).toEqual({
      "Model": "gpt-x",
      "Ended by": "tool_calls",
      "Input tokens": "1,200 (1,000 cached)",
      "Output tokens": "7",
      "First token after": "500 ms",
      "Tokens a second": "3.5",
    });
  });

  it("count events where no usage is told, and say so", () => {
    const text = stream([chunk({ content: "a" }), chunk({ content: "b" })]);
    expect(factsOf(text)).toEqual({ "Model": "gpt-x", "Output tokens": "about 2" });
  });
});
