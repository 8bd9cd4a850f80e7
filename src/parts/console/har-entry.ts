/**
 * Writes a captured request as entries of HAR 1.2: one for each hop, as sent between proxy and target.
 * @module
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */

import type {
  Capture,
  CapturedBody,
  CapturedHop,
  CapturedRequest,
  CapturedResponse,
  FieldLine,
} from "../capture/capture.ts";
import { readCoding } from "../capture/decode-body.ts";
import type { KeyGuard } from "../capture/key-guard.ts";
import { readCookies, readSetCookie, type SetCookie } from "./cookie-list.ts";
import { type HarBody, readHarBody } from "./har-content.ts";
import {
  type HarInterim,
  type HarPair,
  valuesOf,
  writeFields,
  writeInterims,
  writeTrailers,
} from "./har-fields.ts";
import { type HarMessage, writeMessage } from "./har-message.ts";
import { type HarTimings, sumTimings, writeTimings } from "./har-timings.ts";
import { findWithheld } from "./withheld-cookie.ts";
import { parseUrl } from "../../core/address/url.ts";
import type { TlsFacts } from "../../core/hop-watch.ts";

/** Facts for which HAR has no member. */
interface HarExtra {
  id: string;
  selector?: string;
  callerId?: string;
  /** Counts the hops from 1. */
  hop: number;
  hops: number;
  error?: string;
  /** What the caller sent and got. */
  caller: Pick<Capture, "request" | "interims" | "response">;
}

/** An entry of HAR 1.2. */
export interface HarEntry {
  startedDateTime: string;
  /** Milliseconds. */
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: HarPair[];
    headers: HarPair[];
    queryString: HarPair[];
    postData?: HarPostData;
    headersSize: number;
    bodySize: number;
    _trailers?: HarPair[];
  };
  response: {
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: HarCookie[];
    headers: HarPair[];
    content: HarBody & { mimeType: string; compression?: number };
    redirectURL: string;
    headersSize: number;
    bodySize: number;
    _trailers?: HarPair[];
    /** The target's interim responses. */
    _interimResponses?: HarInterim[];
  };
  cache: Record<string, never>;
  timings: HarTimings;
  serverIPAddress?: string;
  /** The number of the connection to the target. */
  connection?: string;
  _tls?: TlsFacts;
  comment?: string;
  _resourceType?: "websocket";
  _webSocketMessages?: HarMessage[];
  _fetchvia: HarExtra;
}

/** The body of a request. `encoding` is not part of HAR 1.2, but Playwright reads it too. */
interface HarPostData {
  mimeType: string;
  text: string;
  params: HarPair[];
  encoding?: "base64";
  comment?: string;
}

/** A cookie of a response. */
interface HarCookie extends HarPair {
  path?: string;
  domain?: string;
  /** ISO 8601. */
  expires?: string;
  httpOnly: boolean;
  secure: boolean;
  sameSite?: string;
  /** Why the proxy withheld it. */
  comment?: string;
}

/** What the proxy speaks with targets. */
const HTTP_1 = "HTTP/1.1";
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** Writes the entries of a request. Without any hop, writes one entry with the proxy's own response. */
export async function writeHarEntries(capture: Capture, guard?: KeyGuard): Promise<HarEntry[]> {
  const { hops, request, refused, interims, response, totalMs, error } = capture;
  const own: CapturedHop = {
    request: { ...request, ...refused },
    ...(interims && { interims }),
    ...(response && { response }),
    ...(error !== undefined && { error }),
    times: { startMs: 0, firstByteMs: capture.headMs, endMs: totalMs },
  };
  const all = hops.length > 0 ? hops : [own];
  const entries: HarEntry[] = [];
  for (const index of all.keys()) entries.push(await writeEntry(capture, all, index, guard));
  return entries;
}

async function writeEntry(
  capture: Capture,
  hops: readonly CapturedHop[],
  index: number,
  guard: KeyGuard | undefined,
): Promise<HarEntry> {
  const hop = hops[index] as CapturedHop;
  const isLast = index === hops.length - 1;
  const { request, response, times, addresses, error = isLast ? capture.error : undefined } = hop;
  const timings = writeTimings(times);
  const hasBody = index === 0 || hasField(request.headers, "content-length", "transfer-encoding");
  const body = isLast ? capture.responseBody : undefined;
  const [address] = addresses?.length === 1 ? addresses : [];
  return {
    startedDateTime: new Date(capture.time + times.startMs).toISOString(),
    time: sumTimings(timings),
    request: await writeRequest(request, hasBody ? capture.requestBody : undefined),
    response: {
      ...await writeResponse(request, response, body, response ?? (body && capture.response), guard),
      ...writeTrailers(response?.trailers),
      ...writeInterims(hop.interims, capture.time),
    },
    cache: {},
    timings,
    ...(address !== undefined && { serverIPAddress: address }),
    ...(hop.connection !== undefined && { connection: hop.connection }),
    ...(hop.tls && { _tls: hop.tls }),
    ...(capture.hops.length === 0 && { comment: "The proxy answered this itself" }),
    ...(isLast && capture.messages && {
      _resourceType: "websocket",
      _webSocketMessages: capture.messages.map((message) => writeMessage(message, capture.time)),
    }),
    _fetchvia: writeExtra(capture, index, hops.length, error),
  };
}

function writeExtra(capture: Capture, index: number, hops: number, error: string | undefined): HarExtra {
  const { id, selector, callerId, request, interims, response } = capture;
  return {
    id,
    ...(selector !== undefined && { selector }),
    ...(callerId !== undefined && { callerId }),
    hop: index + 1,
    hops,
    ...(error !== undefined && { error }),
    caller: { request, ...(interims && { interims }), ...(response && { response }) },
  };
}

async function writeRequest(
  request: CapturedRequest,
  body: CapturedBody | undefined,
): Promise<HarEntry["request"]> {
  const postData = await writePostData(request, body);
  return {
    method: request.method,
    url: request.url,
    httpVersion: request.httpVersion ?? HTTP_1,
    cookies: valuesOf(request.headers, "cookie").flatMap(readCookies),
    headers: writeFields(request.headers),
    queryString: writeQuery(request.url),
    ...(postData && { postData }),
    headersSize: -1,
    bodySize: body?.size ?? 0,
    ...writeTrailers(request.trailers),
  };
}

async function writePostData(
  { headers }: CapturedRequest,
  body: CapturedBody | undefined,
): Promise<HarPostData | undefined> {
  if (!body || body.size === 0) return undefined;
  const [mimeType = ""] = valuesOf(headers, "content-type");
  const { text = "", encoding, comment } = await readHarBody(body, mimeType || "text/plain", "");
  const isForm = encoding === undefined && FORM.test(mimeType);
  return {
    mimeType,
    text,
    params: isForm ? [...new URLSearchParams(text)].map(([name, value]) => ({ name, value })) : [],
    ...(encoding && { encoding }),
    ...(comment !== undefined && { comment }),
  };
}

/**
 * Writes a response. A status of 0 says that no response came, as in Chromium.
 *
 * @param bearer the response that the body belongs to: if the target sent none, the proxy's own
 */
async function writeResponse(
  request: CapturedRequest,
  { status, statusText, headers, httpVersion }: CapturedResponse = { status: 0, statusText: "", headers: [] },
  body: CapturedBody | undefined,
  bearer: CapturedResponse | undefined,
  guard: KeyGuard | undefined,
): Promise<HarEntry["response"]> {
  const [mimeType = ""] = valuesOf(bearer?.headers ?? [], "content-type");
  const coding = readCoding(headers);
  const content = await readHarBody(body, mimeType, coding, guard);
  const bodySize = status === 0 ? -1 : body?.size ?? 0;
  const saved = coding && content.comment === undefined ? content.size - bodySize : undefined;
  return {
    status,
    statusText,
    httpVersion: httpVersion ?? request.httpVersion ?? HTTP_1,
    cookies: valuesOf(headers, "set-cookie").map((line) => ({
      ...writeCookie(readSetCookie(line)),
      ...explainWithheld(line, request),
    })),
    headers: writeFields(headers),
    content: {
      ...content,
      mimeType: mimeType || "x-unknown",
      ...(saved !== undefined && { compression: saved }),
    },
    redirectURL: valuesOf(headers, "location")[0] ?? "",
    headersSize: -1,
    bodySize,
  };
}

function writeQuery(url: string): HarPair[] {
  return [...parseUrl(url)?.searchParams ?? []].map(([name, value]) => ({ name, value }));
}

function explainWithheld(line: string, request: CapturedRequest): Pick<HarCookie, "comment"> {
  const fault = findWithheld(line, request);
  return fault === undefined ? {} : { comment: `Withheld: ${fault}` };
}

function writeCookie(
  { name, value, path, domain, expires, httpOnly, secure, sameSite }: SetCookie,
): HarCookie {
  const date = Date.parse(expires ?? "");
  return {
    name,
    value,
    ...(path !== undefined && { path }),
    ...(domain !== undefined && { domain }),
    ...(Number.isFinite(date) && { expires: new Date(date).toISOString() }),
    httpOnly: httpOnly ?? false,
    secure: secure ?? false,
    ...(sameSite !== undefined && { sameSite }),
  };
}

function hasField(lines: readonly FieldLine[], ...names: string[]): boolean {
  return names.some((name) => {
    const [value] = valuesOf(lines, name);
    return value !== undefined && value !== "0";
  });
}
