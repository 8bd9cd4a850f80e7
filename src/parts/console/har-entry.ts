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
import { findWithheld, readCookies, readSetCookie } from "./cookie-list.ts";
import {
  type HarDecoding,
  readHarBody,
  valuesOf,
  writeFields,
  writeInterims,
  writeMessage,
} from "./har-content.ts";
import { sumTimings, writeTimings } from "./hop-phases.ts";
import { parseUrl } from "../../core/address/url.ts";

/** An entry of HAR 1.2. Members that it does not name begin with `_`; `encoding` of a request's body is one that Playwright reads too. */
export type HarEntry = Awaited<ReturnType<typeof writeEntry>>;

/** What the proxy speaks with targets. */
const HTTP_1 = "HTTP/1.1";
const FORM = /^application\/x-www-form-urlencoded\b/i;

/** Writes the entries of a request. Without any hop, writes one entry with the proxy's own response. */
export async function writeHarEntries(capture: Capture, decoding: HarDecoding): Promise<HarEntry[]> {
  const { hops, request, refused, interims, response, totalMs, error } = capture;
  const own: CapturedHop = {
    request: { ...request, ...refused },
    interims,
    response,
    error,
    times: { startMs: 0, firstByteMs: capture.headMs, endMs: totalMs },
  };
  const all = hops.length > 0 ? hops : [own];
  const entries: HarEntry[] = [];
  for (const index of all.keys()) entries.push(await writeEntry(capture, all, index, decoding));
  return entries;
}

async function writeEntry(
  capture: Capture,
  hops: readonly CapturedHop[],
  index: number,
  decoding: HarDecoding,
) {
  const { messages, time } = capture;
  const hop = hops[index] as CapturedHop;
  const isLast = index === hops.length - 1;
  const { request, response, times, addresses, error = isLast ? capture.error : undefined } = hop;
  const timings = writeTimings(times);
  const hasBody = index === 0 || hasField(request.headers, "content-length", "transfer-encoding");
  const body = isLast ? capture.responseBody : undefined;
  const [address] = addresses?.length === 1 ? addresses : [];
  return {
    startedDateTime: new Date(time + times.startMs).toISOString(),
    time: sumTimings(timings),
    request: await writeRequest(request, hasBody ? capture.requestBody : undefined, decoding),
    response: {
      ...await writeResponse(request, response, body, response ?? (body && capture.response), decoding),
      _trailers: response?.trailers && writeFields(response.trailers),
      /** The target's interim responses. */
      _interimResponses: writeInterims(hop.interims, time),
    },
    cache: {},
    timings,
    serverIPAddress: address,
    /** The number of the connection to the target. */
    connection: hop.connection,
    _tls: hop.tls,
    comment: capture.hops.length === 0 ? "The proxy answered this itself" : undefined,
    ...(isLast && messages && {
      _resourceType: "websocket",
      _webSocketMessages: messages.map((message) => writeMessage(message, time)),
    }),
    _fetchvia: { ...writeFacts(capture), hop: index + 1, hops: capture.hops.length, error },
  };
}

/** Facts for which HAR has no member; `caller` is what the caller sent and got. */
function writeFacts({ id, selector, callerId, request, interims, response, skippedMessages }: Capture) {
  return { id, selector, callerId, skippedMessages, caller: { request, interims, response } };
}

async function writeRequest(
  request: CapturedRequest,
  body: CapturedBody | undefined,
  decoding: HarDecoding,
) {
  const { method, url, httpVersion = HTTP_1, headers, trailers } = request;
  return {
    method,
    url,
    httpVersion,
    cookies: valuesOf(headers, "cookie").flatMap(readCookies),
    headers: writeFields(headers),
    queryString: writeFields([...parseUrl(url)?.searchParams ?? []]),
    postData: await writePostData(headers, body, decoding),
    headersSize: -1,
    bodySize: body?.size ?? 0,
    _trailers: trailers && writeFields(trailers),
  };
}

async function writePostData(
  headers: readonly FieldLine[],
  body: CapturedBody | undefined,
  decoding: HarDecoding,
) {
  if (!body || body.size === 0) return undefined;
  const [mimeType = ""] = valuesOf(headers, "content-type");
  const { text = "", encoding, comment } = await readHarBody(body, mimeType || "text/plain", "", decoding);
  const isForm = encoding === undefined && FORM.test(mimeType);
  const params = isForm ? writeFields([...new URLSearchParams(text)]) : [];
  return { mimeType, text, params, encoding, comment };
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
  decoding: HarDecoding,
) {
  const [mimeType = ""] = valuesOf(bearer?.headers ?? [], "content-type");
  const coding = readCoding(headers);
  const content = await readHarBody(body, mimeType, coding, decoding);
  const bodySize = status === 0 ? -1 : body?.size ?? 0;
  const saved = coding && content.comment === undefined ? content.size - bodySize : undefined;
  return {
    status,
    statusText,
    httpVersion: httpVersion ?? request.httpVersion ?? HTTP_1,
    cookies: valuesOf(headers, "set-cookie").map((line) => writeCookie(line, request)),
    headers: writeFields(headers),
    content: { ...content, mimeType: mimeType || "x-unknown", compression: saved },
    redirectURL: valuesOf(headers, "location")[0] ?? "",
    headersSize: -1,
    bodySize,
  };
}

function writeCookie(line: string, request: CapturedRequest) {
  const { name, value, path, domain, expires, httpOnly = false, secure = false, sameSite } = readSetCookie(
    line,
  );
  const date = Date.parse(expires ?? "");
  const fault = findWithheld(line, request);
  return {
    name,
    value,
    path,
    domain,
    expires: Number.isFinite(date) ? new Date(date).toISOString() : undefined,
    httpOnly,
    secure,
    sameSite,
    comment: fault && `Withheld: ${fault}`,
  };
}

function hasField(lines: readonly FieldLine[], ...names: string[]): boolean {
  return names.some((name) => {
    const [value] = valuesOf(lines, name);
    return value !== undefined && value !== "0";
  });
}
