/**
 * The MCP server that the conformance suite of MCP asks for: each tool, resource and prompt that it knows by name. Answers are
 * event streams, some of them with requests to the client, or closed in the middle and taken up again.
 * @module
 */
import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Extra, Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

type Args = Readonly<Record<string, string>>;

interface Params {
  name?: string;
  uri?: string;
  arguments?: Args;
}

const PAUSE_MS = 50;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const IMAGE = { type: "image", data: PIXEL, mimeType: "image/png" };
const AUDIO = { type: "audio", data: "UklGRiYAAABXQVZF", mimeType: "audio/wav" };

const text = (text: string) => ({ type: "text", text });
const document = (uri: string) => ({ uri, mimeType: "text/plain", text: `Of ${uri}` });
const embedded = (uri: string) => ({ type: "resource", resource: document(uri) });
const content = (...content: object[]) => ({ content });

/** Asks something of the client while its request is open. */
async function ask(extra: Extra, method: string, params: object): Promise<object> {
  return content(text(JSON.stringify(await extra.sendRequest({ method, params }, z.any()))));
}

/** Asks the user of the client to fill in a form. */
function elicit(extra: Extra, message: string, properties: object): Promise<object> {
  return ask(extra, "elicitation/create", { message, requestedSchema: { type: "object", properties } });
}

/** Tells of one step after another. */
async function notify(extra: Extra, method: string, steps: readonly object[]): Promise<object> {
  for (const params of steps) {
    await extra.sendNotification({ method: `notifications/${method}`, params });
    await sleep(PAUSE_MS);
  }
  return content(text("done"));
}

const OPTIONS = { type: "string", enum: ["option1", "option2", "option3"] };
const TITLED = [{ const: "value1", title: "First" }, { const: "value2", title: "Second" }];

const TOOLS: Record<string, (extra: Extra, args: Args) => object | Promise<object>> = {
  json_schema_2020_12_tool: () => content(),
  test_simple_text: () => content(text("This is a simple text response for testing.")),
  test_image_content: () => content(IMAGE),
  test_audio_content: () => content(AUDIO),
  test_embedded_resource: () => content(embedded("test://embedded-resource")),
  test_multiple_content_types: () =>
    content(text("Several"), IMAGE, embedded("test://mixed-content-resource")),
  test_error_handling: () => ({
    isError: true,
    ...content(text("This tool intentionally returns an error")),
  }),
  test_tool_with_logging: (extra) =>
    notify(extra, "message", ["started", "going on", "ended"].map((data) => ({ level: "info", data }))),
  test_tool_with_progress: (extra) => {
    const progressToken = extra._meta?.progressToken;
    return notify(
      extra,
      "progress",
      [0, 50, 100].map((progress) => ({ progressToken, progress, total: 100 })),
    );
  },
  test_sampling: (extra, { prompt = "" }) =>
    ask(extra, "sampling/createMessage", {
      messages: [{ role: "user", content: text(prompt) }],
      maxTokens: 100,
    }),
  test_elicitation: (extra, { message = "" }) => elicit(extra, message, { username: { type: "string" } }),
  test_elicitation_sep1034_defaults: (extra) =>
    elicit(extra, "Defaults", {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    }),
  test_elicitation_sep1330_enums: (extra) =>
    elicit(extra, "Enums", {
      untitledSingle: OPTIONS,
      titledSingle: { type: "string", oneOf: TITLED },
      legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["Option One", "Option Two"] },
      untitledMulti: { type: "array", items: OPTIONS },
      titledMulti: { type: "array", items: { anyOf: TITLED } },
    }),
  test_reconnection: async (extra) => {
    extra.closeSSEStream?.();
    await sleep(PAUSE_MS);
    return content(text("done"));
  },
};

const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { type: "object", properties: { street: { type: "string" } } } },
  properties: { address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
};

const PROMPTS: Record<string, (args: Args) => object[]> = {
  test_simple_prompt: () => [text("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`arg1='${arg1}', arg2='${arg2}'`)],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [embedded(resourceUri), text("Process it.")],
  test_prompt_with_image: () => [IMAGE, text("Analyze it.")],
};

/** A list of names as clients want it. */
const listed = (names: string[], more: object = {}) =>
  names.map((name) => ({ name, description: name, uri: `test://${name}`, ...more }));

const METHODS: Record<string, (params: Params, extra: Extra) => object | Promise<object>> = {
  "completion/complete": () => ({ completion: { values: ["test"] } }),
  "tools/list": () => ({ tools: listed(Object.keys(TOOLS), { inputSchema: SCHEMA }) }),
  "tools/call": ({ name = "", arguments: args = {} }, extra) => TOOLS[name]!(extra, args),
  "resources/list": () => ({ resources: listed(["static-text", "static-binary", "watched-resource"]) }),
  "resources/read": ({ uri = "" }) => ({
    contents: [uri.includes("binary") ? { uri, mimeType: "image/png", blob: PIXEL } : document(uri)],
  }),
  "resources/subscribe": () => ({}),
  "resources/unsubscribe": () => ({}),
  "prompts/list": () => ({ prompts: listed(Object.keys(PROMPTS)) }),
  "prompts/get": ({ name = "", arguments: args = {} }) => ({
    messages: PROMPTS[name]!(args).map((content) => ({ role: "user", content })),
  }),
};

/** Keeps events, so that a stream can be taken up again behind any of them. */
class Events {
  readonly #events: { stream: string; message: object }[] = [];

  storeEvent(stream: string, message: object): Promise<string> {
    return Promise.resolve(String(this.#events.push({ stream, message })));
  }

  async replayEventsAfter(
    last: string,
    { send }: { send(id: string, message: object): Promise<void> },
  ): Promise<string> {
    const { stream = "" } = this.#events[Number(last) - 1] ?? {};
    for (const [at, event] of this.#events.entries()) {
      if (at >= Number(last) && event.stream === stream) await send(String(at + 1), event.message);
    }
    return stream;
  }
}

/** The server, on this port; each session has one of its own. */
export function createEverything(port: number): RequestListener {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    await (known ?? await openSession(port, sessions)).handleRequest(request, response);
  };
}

async function openSession(
  port: number,
  sessions: Map<string, StreamableHTTPServerTransport>,
): Promise<StreamableHTTPServerTransport> {
  const capabilities = {
    tools: {},
    resources: { subscribe: true },
    prompts: {},
    logging: {},
    completions: {},
  };
  const server = new Server({ name: "everything", version: "1.0.0" }, { capabilities });
  server.fallbackRequestHandler = async ({ method, params = {} }, extra) =>
    await METHODS[method]!(params, extra);
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    eventStore: new Events(),
    retryInterval: PAUSE_MS,
    enableDnsRebindingProtection: true,
    allowedHosts: [`127.0.0.1:${port}`],
  });
  await server.connect(transport);
  return transport;
}
