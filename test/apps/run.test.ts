/**
 * Official SDKs and programs under `fetchvia run`, with nothing set but the key that they would have without it. A stand-in
 * of their APIs refuses what does not show the real key, and answers in streams: the end comes once the beginning was shown.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAppFolder } from "../support/apps.ts";
import { identify } from "../support/aws.ts";
import { CERT_FILE, LEAF, LEAF_KEY } from "../support/certificate.ts";
import { runCommandWith } from "../support/command.ts";
import { GitHost } from "../support/git.ts";
import { commandOf } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { createMcpServer } from "./mcp.ts";

const KEY = "the-real-key-0123456789";
const BASIC = `Basic ${Buffer.from(`x-access-token:${KEY}`).toString("base64")}`;
const CHUNK = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };
const MESSAGE = { id: "m1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
const USAGE = { input_tokens: 1, output_tokens: 1 };

/** Chunks of a chat, as OpenAI and those after it write them. */
const CHAT = ["te", "a"].map((content) => ({
  ...CHUNK,
  choices: [{ index: 0, delta: { role: "assistant", content }, finish_reason: null }],
}));

/** The events of a stream by the end of the path that is asked for. */
const STREAMS: Readonly<Record<string, readonly object[]>> = {
  "/chat/completions": CHAT,
  "/messages": [
    { type: "message_start", message: { ...MESSAGE, usage: USAGE } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...["te", "a"].map((text) => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text },
    })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ],
  ":streamGenerateContent?alt=sse": ["te", "a"].map((text) => ({
    candidates: [{ content: { role: "model", parts: [{ text }] }, index: 0 }],
  })),
};

async function stream(events: readonly object[], response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [index, event] of events.entries()) {
    if (index === events.length - 1) await shown;
    const type = "type" in event ? `event: ${event.type as string}\n` : "";
    response.write(`${type}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(events === CHAT ? "data: [DONE]\n\n" : "");
}

/** Settles once the program has shown the beginning of a stream, or is none that does so before the end. */
let shown: Promise<unknown> = Promise.resolve();

/** Hands a request on to git's server. */
function handOn(origin: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method = "", url, headers } = incoming;
  const outgoing = request(`${origin}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(outgoing);
}

const OPENAI = `
import OpenAI from "openai";
const asked = { model: "m", messages: [{ role: "user", content: "Say tea" }], stream: true };
for await (const { choices } of await new OpenAI().chat.completions.create(asked)) {
  process.stdout.write(choices[0].delta.content);
}`;
const ANTHROPIC = `
import Anthropic from "@anthropic-ai/sdk";
const asked = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "Say tea" }] };
new Anthropic().messages.stream(asked).on("text", (text) => process.stdout.write(text));`;
const GOOGLE = `
import { GoogleGenAI } from "@google/genai";
for await (const { text } of await new GoogleGenAI({}).models.generateContentStream({ model: "m", contents: "Say tea" })) {
  process.stdout.write(text);
}`;
const MISTRAL = `
import { Mistral } from "@mistralai/mistralai";
const { MISTRAL_API_KEY: apiKey, MISTRAL_BASE_URL: serverURL } = process.env;
const asked = { model: "m", messages: [{ role: "user", content: "Say tea" }] };
for await (const { data } of await new Mistral({ apiKey, serverURL }).chat.stream(asked)) {
  process.stdout.write(data.choices[0].delta.content);
}`;
const MCP = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
const { TOOLS_BASE_URL: base, TOOLS_TOKEN: token } = process.env;
const client = new Client({ name: "a", version: "1" });
const requestInit = { headers: { authorization: "Bearer " + token } };
await client.connect(new StreamableHTTPClientTransport(new URL(base), { requestInit }));
const { content } = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
console.log(content[0].text);
process.exit();`;
const URLLIB = `
import os, json, urllib.request
base, key = os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"]
asked = urllib.request.Request(base + "/chat/completions", b"{}", {"Authorization": "Bearer " + key})
for line in urllib.request.urlopen(asked):
    if line.startswith(b"data: {"): print(json.loads(line[6:])["choices"][0]["delta"]["content"], end="", flush=True)`;
const HTTP_CLIENT = `
import os, http.client, urllib.parse
base = urllib.parse.urlsplit(os.environ["OPENAI_BASE_URL"])
asking = http.client.HTTPConnection(base.netloc)
asking.request("POST", base.path + "/chat/completions", "{}", {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]})
answer = asking.getresponse()
print(answer.status, answer.read().count(b"data: "))`;
const CURL =
  'curl -sN "$OPENAI_BASE_URL/chat/completions" -d {} -H "Authorization: Bearer $OPENAI_API_KEY" | grep -c data:';
const AWS = `
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
console.log((await new STSClient().send(new GetCallerIdentityCommand())).Account);`;
const GIT =
  `git clone -q "$GITHUB_SERVER_URL/work" clone && cd clone && git ls-files && to="$GITHUB_SERVER_URL/$BARE" &&
  git push -q "$to" HEAD:refs/heads/pushed && git ls-remote "$to" | grep -c pushed &&
  curl -s -H "Authorization: Bearer $GH_TOKEN" "$GITHUB_API_URL/chat/completions" | grep -c data:`;

const codeFolder = makeAppFolder();
let files = 0;
/** A program that finds its packages, wherever it is started. */
function inNode(code: string): string[] {
  const path = join(codeFolder, `${files += 1}.mjs`);
  writeFileSync(path, code);
  // Without what an SDK says about the version of Node.
  return [process.execPath, "--no-warnings", path];
}
const inPython = (code: string) => ["python3", "-c", code];
const inShell = (code: string) => ["sh", "-c", code];

/** One program. */
interface Program {
  name: string;
  /** What the caller's environment has; `{origin}` is the stand-in of all APIs. */
  has: Record<string, string>;
  flags?: string[];
  words: string[];
  says: string;
  /** True if it shows text as it comes. */
  streams?: true;
  /** What the program itself writes into its folder. */
  leaves?: string[];
}

const PROGRAMS: Program[] = [
  {
    name: "openai",
    has: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "{origin}/v1" },
    words: inNode(OPENAI),
    says: "tea",
    streams: true,
  },
  {
    name: "@anthropic-ai/sdk",
    has: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: "{origin}" },
    words: inNode(ANTHROPIC),
    says: "tea",
    streams: true,
  },
  {
    name: "@google/genai",
    has: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: "{origin}" },
    words: inNode(GOOGLE),
    says: "tea",
    streams: true,
  },
  {
    name: "@mistralai/mistralai",
    has: { MISTRAL_API_KEY: KEY, MISTRAL_BASE_URL: "{origin}" },
    words: inNode(MISTRAL),
    says: "tea",
    streams: true,
  },
  {
    name: "an MCP client",
    has: { TOOLS_TOKEN: KEY },
    flags: ["--preset", "tools={origin}/mcp"],
    words: inNode(MCP),
    says: "3",
  },
  {
    name: "curl",
    has: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "{origin}/v1" },
    words: inShell(CURL),
    says: "3",
  },
  {
    name: "urllib",
    has: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "{origin}/v1" },
    words: inPython(URLLIB),
    says: "tea",
    streams: true,
  },
  {
    name: "http.client",
    has: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "{origin}/v1" },
    words: inPython(HTTP_CLIENT),
    says: "200 3",
  },
  {
    name: "what unshare takes the network from",
    has: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: "{origin}/v1" },
    words: inShell(`${CURL}; unshare -rn sh -c '${CURL}'`),
    says: "3\n0",
  },
  {
    name: "git",
    has: { GH_TOKEN: KEY, GITHUB_SERVER_URL: "{git}", GITHUB_API_URL: "{origin}", BARE: "{bare}" },
    words: inShell(GIT),
    says: "large\n1\n3",
    leaves: ["clone"],
  },
  {
    name: "@aws-sdk/client-sts",
    has: { AWS_ACCESS_KEY_ID: "AKIADUMMY", AWS_SECRET_ACCESS_KEY: KEY, AWS_REGION: "eu-central-1" },
    flags: ["--targets", join(codeFolder, "targets.json")],
    words: inNode(AWS),
    says: "123456789012",
  },
];

/** What a program that holds a terminal writes: it asks for the terminal itself, and reads a line from it. */
const AT_TERMINAL = `
import os, pty, sys
def read(fd):
    data = os.read(fd, 1024)
    if b"ready" in data: os.write(fd, b"typed\\n")
    return data
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:], read)))`;

let api: Server;
let gitServer: TlsServer;
let sts: Upstream;
let host: GitHost;
let folder: string;
const seen: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fetchvia-run-"));
  host = await GitHost.start(2_000_000);
  for (const { bare } of RUNTIMES) expect(await host.create()).toBe(bare);
  sts = await listen({ tls: { cert: LEAF, key: LEAF_KEY } });
  sts.answer = (request, socket) => {
    seen.push(request.head);
    return identify(KEY)(request, socket);
  };
  // The table of docs/agents.md; the file of the authority is beside it, and the run is started elsewhere.
  const [, example = ""] = /```json\n([^`]+)/.exec(readFileSync("docs/agents.md", "utf8")) ?? [];
  const { "sts.eu-central-1.amazonaws.com": entry } = JSON.parse(example);
  const table = { [`localhost:${sts.port}`]: { ...entry, ca: "authority.pem" } };
  writeFileSync(join(codeFolder, "targets.json"), JSON.stringify(table));
  copyFileSync(CERT_FILE, join(codeFolder, "authority.pem"));
  api = createServer((incoming, response) => {
    const { authorization, "x-api-key": own, "x-goog-api-key": google } = incoming.headers;
    seen.push(JSON.stringify(incoming.headers));
    const shown = [authorization?.replace("Bearer ", ""), own, google].filter(Boolean);
    if (shown.length === 0 || shown.some((key) => key !== KEY)) {
      return void response.writeHead(401).end("no such key");
    }
    // One server has one session.
    if (incoming.url === "/mcp") return void mcp(incoming, response);
    const [, events] = Object.entries(STREAMS).find(([end]) => incoming.url!.endsWith(end)) ?? [];
    void stream(events!, response);
  });
  gitServer = createTlsServer({ cert: LEAF, key: LEAF_KEY }, (incoming, response) => {
    if (incoming.headers.authorization === BASIC) {
      handOn(host.origin, incoming, response);
    } else response.writeHead(401, { "www-authenticate": "Basic" }).end();
  });
  for (const server of [api, gitServer]) {
    await once(server.listen(0, "127.0.0.1"), "listening");
  }
});
afterAll(async () => {
  for (const server of [api, gitServer]) server.close();
  await Promise.all([host.stop(), sts.close()]);
  for (const made of [folder, codeFolder]) rmSync(made, { recursive: true });
});

let mcp = createMcpServer({ asked: [] });

/** The runtimes, each with a repository to push to. */
const RUNTIMES = [
  { runtime: "bun", bare: "1.git" },
  { runtime: "deno", bare: "2.git" },
  { runtime: "node", bare: "3.git" },
] as const;

describe.each(RUNTIMES)("under fetchvia run on $runtime", ({ runtime, bare }) => {
  const portOf = (server: Server | TlsServer) => (server.address() as AddressInfo).port;
  const fill = (text: string) =>
    text.replace("{bare}", bare).replace("{origin}", `http://127.0.0.1:${portOf(api)}`)
      .replace("{git}", `https://localhost:${portOf(gitServer)}`);

  it.each(PROGRAMS)(
    "$name works as it is, from an empty folder",
    async ({ has, flags = [], words, says, streams, leaves = [] }) => {
      mcp = createMcpServer({ asked: [] });
      seen.length = 0;
      const settings = Object.fromEntries(Object.entries(has).map(([name, value]) => [name, fill(value)]));
      const cwd = mkdtempSync(join(folder, "empty-"));
      const others = {
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_TERMINAL_PROMPT: "0",
        NODE_EXTRA_CA_CERTS: CERT_FILE,
        DENO_CERT: CERT_FILE,
        TMPDIR: cwd,
      };
      const line = ["run", ...flags.map(fill), "--", ...words];
      let show = () => {};
      const untilShown = new Promise<void>((resolve) => void (show = resolve));
      shown = Promise.resolve(streams && untilShown);
      const hear = (text: string) => void (text.includes("te") && show());
      const environment = { ...settings, ...others };
      const { stdout, stderr } = await runCommandWith(runtime, line, "", environment, cwd, hear);
      expect(stdout.trim(), stderr).toBe(says);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(seen.filter((head) => head.includes("fv1."))).toEqual([]);
      expect(readdirSync(cwd)).toEqual(leaves);
    },
  );
});

it.each(RUNTIMES)(
  "a program under fetchvia run on $runtime runs where there is no shell",
  async ({ runtime }) => {
    const program = ["run", "--", process.execPath, "-e", "process.exitCode = 7"];
    const without = 'mount --bind /dev/null /bin/sh && exec "$@"';
    const child = spawn(
      "unshare",
      ["-rm", "bash", "-c", without, "bash", ...commandOf(runtime), ...program],
      { env: { PATH: process.env["PATH"], HOME: process.env["HOME"], OPENAI_API_KEY: KEY } },
    );
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect([code, said]).toEqual([7, expect.stringContaining("in place of OPENAI_API_KEY")]);
  },
);

it("a program under fetchvia run has the terminal", async () => {
  const words = [
    "python3",
    "-c",
    AT_TERMINAL,
    process.execPath,
    "dist/command/main.js",
    "run",
    "--",
    "sh",
    "-c",
    `sh -c 'test -t 0 && test -t 1 && echo ready </dev/tty && read line && echo "got $line"; exit 5'`,
  ];

  const { PATH = "" } = process.env;
  const child = spawn(words[0]!, words.slice(1), {
    env: { PATH, OPENAI_API_KEY: KEY },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [written, [code]] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect([code, written.includes("got typed")]).toEqual([5, true]);
});
