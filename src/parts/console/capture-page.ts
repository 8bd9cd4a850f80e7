/**
 * `/__proxy__/capture`: tells the state of capture, shows one request, and switches capture for some minutes (rule 16.5).
 * @module
 */

import { decodeBase64, isObject } from "../../core/address/arg.ts";
import { toBinary } from "../capture/binary.ts";
import type { Capture, CapturedBody, FieldLine } from "../capture/capture.ts";
import { decodeBody, readCoding, readCodings } from "../capture/decode-body.ts";
import type { CaptureSwitch } from "../capture/captures.ts";
import { guardSecrets, type KeyGuard } from "../capture/key-guard.ts";
import type { SharedCaptures } from "../capture/capture-share.ts";
import { isLook, VIEWER_FIELD } from "../../core/http/headers.ts";
import { readViewer } from "../capture/viewer.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import { readPosted } from "../../core/way/request-body.ts";
import { answerJson } from "../../core/http/answer.ts";
import { checkMethod, ProxyError } from "../../core/http/error.ts";
import type { Reply } from "../../core/http/reply.ts";
import { parseCapture } from "../../core/settings/values.ts";
import { checkCaptureRights, checkOpening, checkSwitchRights, readSearch } from "./capture-rights.ts";
import { answerHar } from "./har.ts";

const MOST_MINUTES = 60;
const DEFAULT_MINUTES = 10;
/** Enough for two short members. */
const MAX_BYTES = 1_024;

/**
 * Answers `/__proxy__/capture`: GET with the state, with the request of `?id=` (and its bodies without the codings that
 * `&decode=` lists), or with the ids of the requests in which a body holds the text of `?body=`; POST switches capture, DELETE
 * drops all captures.
 *
 * @throws {ProxyError} `forbidden`, `not_found`, `bad_request` naming the field and what was expected, `method_not_allowed`
 */
export async function answerCapture(exchange: Exchange, captures: SharedCaptures): Promise<Reply> {
  checkMethod(exchange.incoming.method, "GET", "HEAD", "POST", "DELETE");
  const { method } = exchange.incoming;
  if (isLook(method)) {
    checkCaptureRights(exchange);
    return await show(exchange, captures);
  }
  checkSwitchRights(exchange);
  if (method === "DELETE") await captures.clear();
  else await captures.switch(await readPostedSwitch(exchange));
  return answerJson(await captures.readState());
}

/** Answers `/__proxy__/traffic.har`, as `answerHar` does. */
export function answerCapturesAsHar(exchange: Exchange, captures: SharedCaptures): Reply {
  return answerHar(exchange, checkCaptureRights, (ids) => captures.readAll(viewerOf(exchange), ids));
}

/** The viewer who sends the request; `null` if it names none. */
export function viewerOf({ incoming: { headers } }: Pick<Exchange, "incoming">): string | null {
  return readViewer(headers.get(VIEWER_FIELD));
}

async function show(exchange: Exchange, captures: SharedCaptures): Promise<Reply> {
  const query = readSearch(exchange.path);
  const text = query.get("body");
  if (text) return answerJson(await captures.search(text));
  const id = query.get("id");
  if (id === null) return answerJson(await captures.readState());
  const capture = await captures.read(id, viewerOf(exchange));
  if (capture) {
    const guard = guardSecrets(exchange.parts.secrets);
    return answerJson(await decodeBodies(capture, query.get("decode") ?? "", captures, guard));
  }
  throw new ProxyError(
    "not_found",
    "Cannot show this request: it is not kept, or no longer. Switch capture on, or give it more memory (CAPTURE_BYTES)",
    { names: ["CAPTURE_BYTES"] },
  );
}

/** Adds each body without its codings, once it has ended, if one of them is in a list. */
async function decodeBodies(
  capture: Capture,
  wanted: string,
  { own }: SharedCaptures,
  guard: KeyGuard | undefined,
): Promise<Capture> {
  const codings = new Set(readCodings(wanted));
  const { hops, requestBody, responseBody } = capture;
  const decode = async (body: CapturedBody, head: { headers: FieldLine[] } | undefined) => {
    const coding = readCoding(head?.headers);
    if (!body.isOver || !readCodings(coding).some((name) => codings.has(name))) return body;
    const bytes = decodeBase64(body.base64) ?? new Uint8Array();
    const isCut = bytes.length < body.size;
    const decoded = await decodeBody(bytes, coding, {
      isCut,
      decompress: own.decompress,
      guard,
    });
    return decoded ? { ...body, decoded: btoa(toBinary([decoded])) } : body;
  };
  return {
    ...capture,
    ...(requestBody && { requestBody: await decode(requestBody, hops[0]?.request ?? capture.request) }),
    ...(responseBody && {
      responseBody: await decode(responseBody, hops.at(-1)?.response ?? capture.response),
    }),
  };
}

async function readPostedSwitch(exchange: Exchange): Promise<CaptureSwitch> {
  const to = readSwitch(new TextDecoder().decode(await readPosted(exchange, MAX_BYTES)));
  if (to.bodyBytes === "console") checkOpening(exchange);
  return to;
}

function readSwitch(text: string): CaptureSwitch {
  const { mode, minutes = DEFAULT_MINUTES, ...others } = parse(text);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(JSON.stringify(unknown), "unknown", "only mode and minutes");
  const kept = typeof mode === "string" || typeof mode === "number" ? parseCapture(String(mode)) : undefined;
  if (kept === undefined) {
    refuse("mode", "not a mode", "off, console, heads or a size such as 64KiB, at most 16MiB");
  }
  if (typeof minutes !== "number" || !Number.isInteger(minutes) || minutes < 1 || minutes > MOST_MINUTES) {
    refuse("minutes", "out of range", `a whole number from 1 to ${MOST_MINUTES}`);
  }
  const at = Date.now();
  if (kept === "off") return { bodyBytes: null, at };
  return { bodyBytes: kept === "heads" ? 0 : kept, until: at + minutes * 60_000, at };
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Refused below.
  }
  return refuse("the body", "not a JSON object", 'one such as {"mode": "64KiB", "minutes": 10}');
}

function refuse(field: string, state: string, expected: string): never {
  throw new ProxyError("bad_request", `Cannot switch capture: ${field} is ${state}, expected ${expected}`);
}
