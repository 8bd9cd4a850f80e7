/**
 * Reads the captures of a proxy back, and checks that each holds only what is its own.
 * @module
 */
import { once } from "node:events";
import { type IncomingMessage, request as ask } from "node:http";
import { request as askSecurely } from "node:https";
import { json } from "node:stream/consumers";
import { foreignTags, StreamReader, tagOf } from "./alphabet.ts";
import type { Place } from "./caller.ts";
import { answerStream, planOf, requestStream } from "./plan.ts";

interface HarText {
  text?: string;
  encoding?: string;
}

interface HarLog {
  log: {
    entries: {
      request: { url: string; postData?: HarText };
      response: { content: HarText; headers: { name: string; value: string }[] };
      comment?: string;
    }[];
  };
}

/**
 * Reads all captures as HAR.
 *
 * @returns how many there are, and bytes of their bodies
 */
export async function checkCaptures({ proxy, tls, tally }: Place): Promise<{ count: number; bytes: number }> {
  const options = {
    host: "127.0.0.1",
    port: proxy.port,
    path: "/__proxy__/traffic.har",
    rejectUnauthorized: false,
  };
  const [answer] = (await once((tls ? askSecurely : ask)(options).end(), "response")) as [IncomingMessage];
  const { entries } = ((await json(answer)) as HarLog).log;
  let bytes = 0;
  for (const entry of entries) {
    const plan = planOf(Number(new URL(entry.request.url).pathname.slice(1)));
    const { message } = plan;
    const tell = (what: string) => tally.tell(plan, `a capture: ${what}`);
    const foreign = foreignTags(JSON.stringify(entry), tagOf(message, "q"), tagOf(message, "a"));
    if (foreign.length > 0) tell(`it has ${foreign.join(", ")}`);
    const isTargets = entry.response.headers.some(({ name }) => name.toLowerCase() === "x-own");
    const request = new StreamReader(requestStream(message), tell);
    const answer = new StreamReader(answerStream(message), tell);
    request.take(bytesIn(entry.request.postData));
    if (isTargets) answer.take(bytesIn(entry.response.content));
    bytes += request.size + answer.size;
  }
  return { count: entries.length, bytes };
}

function bytesIn({ text = "", encoding }: HarText = {}): Buffer {
  return Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
}
