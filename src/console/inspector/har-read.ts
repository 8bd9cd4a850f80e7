/**
 * Reads HAR files of browsers' developer tools, of Playwright and of this proxy.
 * @module
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */

import { decodeBase64, isObject } from "../../core/address/arg.ts";
import type {
  Capture,
  CapturedBody,
  CapturedHop,
  CapturedMessage,
  CapturedTimes,
} from "../../parts/capture/capture.ts";
import { writeBase64 } from "../share/languages/request-parts.ts";
import {
  type EntryHeads,
  fail,
  type Json,
  member,
  optional,
  parse,
  readCaller,
  readHeads,
  text,
  texts,
} from "./har-heads.ts";

/** Maximum size of a file, in bytes. */
export const MAX_FILE_BYTES = 100_000_000;
/** Maximum number of requests that are taken from a file. */
export const MAX_ENTRIES = 5_000;

/**
 * Reads a file: its requests, and how many are left out, because there are too many.
 *
 * @throws {TypeError} that says what is wrong where in the file, and what was expected
 */
export function readHar(file: string) {
  const log = member(parse(file), "log", "the file");
  const entries = log["entries"];
  if (!Array.isArray(entries)) fail("log.entries", "missing", "an array");
  const taken = entries.slice(0, MAX_ENTRIES).map((entry, index) => readEntry(entry, index));
  return { captures: joinHops(taken), left: entries.length - taken.length };
}

interface Taken {
  capture: Capture;
  /** The request that it is a hop of; absent unless this proxy wrote the file. */
  hopOf?: string;
}

function readEntry(entry: unknown, index: number): Taken {
  const place = `log.entries[${index}]`;
  if (!isObject(entry)) fail(place, "no object", "an entry");
  const request = member(entry, "request", place);
  const response = member(entry, "response", place);
  const time = Date.parse(text(entry, "startedDateTime", place));
  if (Number.isNaN(time)) fail(`${place}.startedDateTime`, "no date", "one such as 2030-01-02T03:04:05Z");
  const heads = readHeads(request, response, place, time);
  const times = readTimes(entry);
  const extra = isObject(entry["_fetchvia"]) ? entry["_fetchvia"] : {};
  const id = optional(extra, "id");
  const error = optional(extra, "error") || optional(response, "_error");
  return {
    hopOf: id || undefined,
    capture: {
      id: `file-${index}-${id || time}`,
      time,
      ...texts(extra, "selector", "callerId"),
      isRunning: false,
      ...(readCaller(extra) ?? heads),
      // The proxy answered by itself: what it was asked for reached no target.
      ...(extra["hops"] === 0
        ? { hops: [], refused: { method: heads.request.method, url: heads.request.url } }
        : { hops: [readHop(entry, heads, times)] }),
      requestBody: readContent(request["postData"], Number(request["bodySize"])),
      responseBody: readContent(response["content"]),
      messages: readMessages(entry["_webSocketMessages"], time),
      skippedMessages: Number(extra["skippedMessages"]) || undefined,
      headMs: times.firstByteMs ?? 0,
      totalMs: Math.max(0, Number(entry["time"]) || 0),
      error: error || undefined,
    },
  };
}

/** Entries of one request are its hops. */
function joinHops(taken: readonly Taken[]): Capture[] {
  const captures: Capture[] = [];
  let last: string | undefined;
  for (const { capture, hopOf } of taken) {
    const before = captures.at(-1);
    if (before && hopOf !== undefined && hopOf === last) {
      const start = capture.time - before.time;
      before.hops.push(...capture.hops.map((hop) => shiftHop(hop, start)));
      before.headMs = start + capture.headMs;
      before.totalMs = start + capture.totalMs;
      if (capture.responseBody) before.responseBody = capture.responseBody;
      if (capture.messages) before.messages = capture.messages;
      if (capture.error !== undefined) before.error = capture.error;
    } else captures.push(capture);
    last = hopOf;
  }
  return captures;
}

function shiftHop({ interims, times, ...hop }: CapturedHop, by: number): CapturedHop {
  const moved = interims?.map(({ atMs, ...head }) => ({ ...head, atMs: atMs + by }));
  const shifted = Object.entries(times).map(([name, at]) => [name, typeof at === "number" ? at + by : at]);
  return { ...hop, interims: moved, times: Object.fromEntries(shifted) as unknown as CapturedTimes };
}

/** Developer tools decode bodies before they write them. */
function readContent(content: unknown, whole?: number): CapturedBody | undefined {
  if (!isObject(content)) return undefined;
  const size = whole ?? Number(content["size"]);
  const written = content["text"] ?? writeForm(content);
  const comment = optional(content, "comment");
  if (typeof written !== "string") {
    const [, withheld = "the file does not hold it"] = /^Not kept: (.*)/s.exec(comment) ?? [];
    return size > 0 ? { base64: "", size, isOver: true, withheld } : undefined;
  }
  const bytes = content["encoding"] === "base64" ? decodeBase64(written) : new TextEncoder().encode(written);
  if (!bytes) fail("content.text", "no Base64", "Base64, as its encoding says");
  const isCut = comment.startsWith("Cut: ");
  const isDecoded = whole === undefined && !comment.includes("The bytes are still in the coding");
  return {
    base64: writeBase64(bytes),
    size: isCut ? Math.max(size, bytes.length) : bytes.length,
    isOver: !comment.startsWith("Not over yet: "),
    ...(isDecoded && { isDecoded }),
  };
}

/** The body of a form, of which some programs write the parameters alone. */
function writeForm({ mimeType, params }: Json): string | undefined {
  if (!Array.isArray(params) || !/^application\/x-www-form-urlencoded\b/i.test(String(mimeType))) {
    return undefined;
  }
  const pairs = params.filter(isObject).map((one) => [optional(one, "name"), optional(one, "value")]);
  return `${new URLSearchParams(pairs)}`;
}

function readMessages(value: unknown, start: number): CapturedMessage[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const kinds: Record<number, CapturedMessage["kind"]> = { 1: "text", 8: "close", 9: "ping", 10: "pong" };
  return value.filter(isObject).map((message) => {
    const kind = kinds[Number(message["opcode"])] ?? "binary";
    const { _compressed: isCompressed, _size: size } = message;
    const data = optional(message, "data");
    const bytes = kind === "text" ? new TextEncoder().encode(data) : decodeBase64(data) ?? new Uint8Array();
    return {
      atMs: Math.max(0, Number(message["time"]) * 1_000 - start),
      from: message["type"] === "send" ? "caller" : "target",
      kind: isCompressed === "text" ? "text" : kind,
      size: typeof size === "number" ? size : bytes.length,
      base64: writeBase64(bytes),
      ...(isCompressed !== undefined && { isCompressed: true }),
    };
  });
}

function readHop(entry: Json, heads: EntryHeads, times: CapturedTimes): CapturedHop {
  const address = optional(entry, "serverIPAddress");
  return {
    ...heads,
    times,
    ...texts(entry, "connection"),
    addresses: address ? [address] : undefined,
    tls: readTls(entry["_tls"]),
  };
}

function readTls(tls: unknown): CapturedHop["tls"] {
  if (!isObject(tls)) return undefined;
  const { certificate: shown } = tls;
  const certificate = isObject(shown)
    ? {
      ...{ subject: "", issuer: "", ...texts(shown, "subject", "issuer", "validTo") },
      isUnchecked: shown["isUnchecked"] === true || undefined,
    }
    : undefined;
  return { ...texts(tls, "protocol", "cipher", "alpn"), certificate };
}

/** Each step that took time, one after the other. */
function readTimes(entry: Json): CapturedTimes {
  const timings = isObject(entry["timings"]) ? entry["timings"] : {};
  const read = (name: string) => {
    const value = timings[name];
    return typeof value === "number" && value >= 0 ? value : undefined;
  };
  const [dns, connect, ssl] = [read("dns"), read("connect"), read("ssl")];
  const begun = read("blocked") ?? 0;
  const lookedUp = begun + (dns ?? 0);
  const secured = lookedUp + (connect ?? 0);
  const sent = secured + (read("send") ?? 0);
  const first = sent + (read("wait") ?? 0);
  return {
    startMs: begun,
    lookedUpMs: dns === undefined ? undefined : lookedUp,
    connectedMs: connect === undefined ? undefined : secured - Math.min(ssl ?? 0, connect),
    securedMs: connect === undefined || ssl === undefined ? undefined : secured,
    sentMs: sent,
    firstByteMs: first,
    endMs: first + (read("receive") ?? 0),
  };
}
