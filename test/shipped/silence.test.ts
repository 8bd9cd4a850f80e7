/**
 * Servers of your own on Bun do not cut what is silent for longer than Bun's ten seconds: answers that take long, and
 * streams that pause.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answer } from "../support/client.ts";
import { type Example, readExamples, readServers, ServedExamples } from "../support/embedded.ts";
import { seen, whole } from "../support/link.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const LATE_MS = 13_000;
const GAP_MS = 14_000;
/** How long a busy machine may take for both, and for the start. */
const PATIENCE_MS = 60_000;

/** The default export of `fetchvia/bun`, with settings from the environment. */
const DEFAULT: Example = {
  title: "The default export",
  runtime: "bun",
  code: `import fetchvia from "fetchvia/bun";
    process.env.MOUNT_PATH = "/proxy";
    process.env.ALLOW_TARGETS = "api.example.com";
    const answer = (request, server) =>
      /^\\/proxy/.test(new URL(request.url).pathname) ? fetchvia.fetch(request, server) : new Response("the application");
    Bun.serve({ port: 3000, fetch: answer });`,
};
const EXAMPLES = [...readExamples(), ...readServers(), DEFAULT].filter(({ runtime }) => runtime === "bun");

let upstream: Upstream;
let served: ServedExamples;
/** The answers of all examples, which are silent side by side. */
let answers: Map<Example, Promise<Answer[]>>;

beforeAll(async () => {
  upstream = await listen();
  upstream.answer = async ({ target }, socket) => {
    const isStream = target === "/stream";
    await sleep(isStream ? 0 : LATE_MS);
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/${isStream ? "event-stream" : "plain"}\r\n`);
    socket.write("Transfer-Encoding: chunked\r\n\r\n4\r\none \r\n");
    await sleep(isStream ? GAP_MS : 0);
    socket.write("3\r\ntwo\r\n0\r\n\r\n");
  };
  served = new ServedExamples(upstream);
  const asking = EXAMPLES.map(async (example) => {
    const { ask } = await served.start(example);
    const options = { fields: { proxy_host: upstream.origin }, timeout: PATIENCE_MS };
    return [
      example,
      Promise.all(["/late", "/stream"].map((path) => ask(`GET /proxy${path}`, options))),
    ] as const;
  });
  answers = new Map(await Promise.all(asking));
}, PATIENCE_MS);
afterAll(async () => {
  served.stop();
  await upstream.close();
});

it.each(EXAMPLES)("$title lets a late answer and a pausing stream through", async (example) => {
  const [late, stream] = await answers.get(example)!;
  expect([late!, stream!].map(seen)).toEqual([whole(200, "one two"), whole(200, "one two")]);
}, PATIENCE_MS);
