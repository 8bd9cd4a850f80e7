/**
 * The official clients of OpenAI and Anthropic, with a caller's token as their API key: the proxy puts the real key in its
 * place. Stand-ins of both services refuse every request without the real key, and keep all that they receive.
 * @module
 */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createFetch } from "../../src/client/client.ts";
import { mintToken, type TokenOptions } from "../../src/parts/tokens/mint.ts";
import { paced, reply, routes } from "../support/answers.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { type Handler, listen, type Upstream } from "../support/upstream.ts";
import { rowsOf } from "../support/rows.ts";

const SIGNING_KEY = "the key of the tests";
const REAL = { FIRST_KEY: "sk-real-openai", SECOND_KEY: "sk-real-anthropic" };
const JSON_TYPE = { "Content-Type": "application/json" };
const EVENTS = { "Content-Type": "text/event-stream" };
const MESSAGES = [{ role: "user" as const, content: "Say tea" }];

const CHUNK = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };
const COMPLETION = {
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "tea" } }],
};
const MESSAGE = {
  id: "m1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "tea" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** Answers as `whole`, or with the events where the body asks for a stream. */
function either(whole: object, events: readonly string[]): Handler {
  const streamed = paced(200, EVENTS, [...events], 5);
  return (request, socket) => {
    const { stream } = JSON.parse(request.body.toString()) as { stream?: boolean };
    return (stream ? streamed : reply(200, JSON_TYPE, JSON.stringify(whole)))(request, socket);
  };
}

/** Events of OpenAI: data alone, and a mark at the end. */
const OPENAI_EVENTS = [
  ...["te", "a"].map((content) =>
    `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta: { content } }] })}\n\n`
  ),
  "data: [DONE]\n\n",
];

/** Events of Anthropic: each with its name. */
const ANTHROPIC_EVENTS = [
  { type: "message_start", message: { ...MESSAGE, content: [] } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ...["te", "a"].map((text) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text },
  })),
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

/** A service that answers only whoever shows the real key. */
function guarded(key: string, answer: Handler): Handler {
  return (request, socket) => {
    const keys = [...request.headersNamed("authorization"), ...request.headersNamed("x-api-key")];
    const isReal = keys.length > 0 && keys.every((shown) => shown === key || shown === `Bearer ${key}`);
    return (isReal ? answer : reply(401, JSON_TYPE, '{"error":{"message":"no such key"}}'))(request, socket);
  };
}

let openaiService: Upstream;
let anthropicService: Upstream;
beforeAll(async () => {
  openaiService = await listen();
  openaiService.answer = guarded(
    REAL.FIRST_KEY,
    routes({
      "/v1/models": reply(200, JSON_TYPE, '{"object":"list","data":[{"id":"m","object":"model"}]}'),
      "/v1/chat/completions": either(COMPLETION, OPENAI_EVENTS),
    }),
  );
  anthropicService = await listen();
  anthropicService.answer = guarded(
    REAL.SECOND_KEY,
    routes({ "/v1/messages": either(MESSAGE, ANTHROPIC_EVENTS) }),
  );
});
afterAll(() => Promise.all([openaiService.close(), anthropicService.close()]));

function mint(claims: Partial<TokenOptions> = {}): Promise<string> {
  return mintToken({
    id: "sdk",
    expires: new Date(Date.now() + 600_000),
    targets: ["localhost", "127.0.0.1"],
    methods: ["GET", "POST"],
    paths: ["/v1/"],
    ...claims,
  }, SIGNING_KEY);
}

describe.each(
  [{ runtime: "bun" }, { runtime: "deno" }, { runtime: "node" }, { runtime: "worker" }] as const,
)("official clients through $runtime", ({ runtime }) => {
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await startProxy(runtime, {
      ...REAL,
      SIGNING_KEY,
      CALLER_TOKENS: "true",
      LOG: "json",
      TARGETS: JSON.stringify({
        "localhost": { set: { authorization: "Bearer {{FIRST_KEY}}" } },
        "127.0.0.1": { set: { "authorization": "Bearer {{SECOND_KEY}}", "x-api-key": "{{SECOND_KEY}}" } },
      }),
    });
  });
  afterAll(async () => void await proxy.stop("SIGKILL"));
  beforeEach(() => {
    openaiService.requests.length = 0;
    anthropicService.requests.length = 0;
  });

  const openai = (apiKey: string) =>
    new OpenAI({
      apiKey,
      baseURL: `${proxy.origin}/v1`,
      defaultHeaders: { proxy_host: `http://localhost:${openaiService.port}` },
      maxRetries: 0,
    });
  const anthropic = (apiKey: string) =>
    new Anthropic({
      apiKey,
      baseURL: proxy.origin,
      defaultHeaders: { proxy_host: anthropicService.origin },
      maxRetries: 0,
    });

  /** Everything that a service received. */
  const received = ({ requests }: Upstream) =>
    requests.map(({ head, body }) => head + body.toString("latin1")).join("\n");

  it("OpenAI's asks and is answered", async () => {
    const client = openai(await mint());
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(["m"]);
    const { choices } = await client.chat.completions.create({ model: "m", messages: MESSAGES });
    expect(choices[0]?.message.content).toBe("tea");
    expect(openaiService.requests).toHaveLength(2);
    expect(received(openaiService)).not.toContain("fv1.");
  });

  it("OpenAI's asks by a fetch of the proxy's own client", async () => {
    const baseURL = `http://localhost:${openaiService.port}/v1`;
    const client = new OpenAI({
      apiKey: await mint(),
      baseURL,
      fetch: createFetch(proxy.origin),
      maxRetries: 0,
    });
    const { choices } = await client.chat.completions.create({ model: "m", messages: MESSAGES });
    expect(choices[0]?.message.content).toBe("tea");
    expect(received(openaiService)).not.toContain("fv1.");
  });

  it("OpenAI's reads a stream", async () => {
    const client = openai(await mint());
    const stream = await client.chat.completions.create({ model: "m", messages: MESSAGES, stream: true });
    const words: unknown[] = [];
    for await (const { choices } of stream) words.push(choices[0]?.delta.content);
    expect(words).toEqual(["te", "a"]);
    expect(received(openaiService)).not.toContain("fv1.");
  });

  it("Anthropic's asks and is answered", async () => {
    const client = anthropic(await mint());
    const { content } = await client.messages.create({ model: "m", max_tokens: 9, messages: MESSAGES });
    expect(content).toMatchObject([{ type: "text", text: "tea" }]);
    expect(received(anthropicService)).not.toContain("fv1.");
  });

  it("Anthropic's shows it as x-api-key", async () => {
    const fields = { "x-api-key": await mint(), proxy_host: anthropicService.origin };
    const client = new Anthropic({ authToken: null, apiKey: null, baseURL: proxy.origin, maxRetries: 0 });
    const asked = { model: "m", max_tokens: 9, messages: MESSAGES };
    const { content } = await client.messages.create(asked, { headers: fields });
    expect(content).toMatchObject([{ type: "text", text: "tea" }]);
    expect(received(anthropicService)).not.toContain("fv1.");
  });

  it("Anthropic's reads a stream", async () => {
    const client = anthropic(await mint());
    const stream = client.messages.stream({ model: "m", max_tokens: 9, messages: MESSAGES });
    const words: string[] = [];
    stream.on("text", (text) => words.push(text));
    expect(await stream.finalText()).toBe("tea");
    expect(words).toEqual(["te", "a"]);
    expect(received(anthropicService)).not.toContain("fv1.");
  });

  it("show the refusals of the proxy as errors of their own", async () => {
    const [narrow, old] = await Promise.all([mint({ paths: ["/v2/"] }), mint({ expires: 1 })]);
    await expect(openai(narrow).models.list()).rejects.toThrow(OpenAI.PermissionDeniedError);
    await expect(openai(old).models.list()).rejects.toThrow(OpenAI.AuthenticationError);
    await expect(openai("sk-guessed").models.list()).rejects.toThrow(OpenAI.AuthenticationError);
    const ask = (key: string) =>
      anthropic(key).messages.create({ model: "m", max_tokens: 9, messages: MESSAGES });
    await expect(ask(narrow)).rejects.toThrow(Anthropic.PermissionDeniedError);
    await expect(ask(old)).rejects.toThrow(Anthropic.AuthenticationError);
    expect([...openaiService.requests, ...anthropicService.requests]).toEqual([]);
  });

  it.each(rowsOf(["about", "claims", "says"], [
    ["401", { expires: 1 }, "Cannot use this caller's token: it has expired. Use a new one"],
    ["403", { methods: ["PUT"] }, "is not in methods of the caller's token. Use another token"],
    ["429", { rate: "1/60s" }, "Too many requests (limit 1 per 60 s: rate of the caller's token "],
  ]))("show the proxy's own sentence of a $about", async ({ claims, says }) => {
    const key = await mint({ id: `${runtime}-${Math.random()}`, ...claims });
    const list = () => openai(key).models.list().then(() => undefined, (error: Error) => error);
    await list();
    expect((await list())?.message).toContain(says);
    const ask = () =>
      anthropic(key).messages.create({ model: "m", max_tokens: 9, messages: MESSAGES })
        .then(() => undefined, (error: Error) => error);
    await ask();
    expect((await ask())?.message).toContain(says);
  });

  it("leave neither key nor token in the log", async () => {
    const token = await mint();
    await openai(token).models.list();
    const written = proxy.stdout() + proxy.stderr();
    expect([token.slice(0, 30), ...Object.values(REAL)].filter((text) => written.includes(text))).toEqual([]);
  });
});
