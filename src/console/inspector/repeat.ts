/**
 * Makes a captured request anew: what can be sent again, what is missing, and why something can't.
 * @module
 */

import type { Capture, CapturedBody, CapturedRequest, FieldLine } from "../../parts/capture/capture.ts";
import { isCallerIdentity, isHopByHop, isSteering, isToken } from "../../core/http/headers.ts";
import { ADDRESS } from "../builder/draft.ts";
import { findField } from "../page/format.ts";
import type { PlainRequest } from "../share/languages/request-parts.ts";
import { isMasked, readBytes } from "./captured.ts";

/** A captured request as it can be sent again. */
export interface Repeat {
  request: PlainRequest;
  /** Fields, or `ADDRESS`, whose secrets are masked: they must be filled in first. */
  masked: string[];
  /** Why the body is not the one that was sent; the request comes without it. */
  bodyProblem?: string;
}

/** Fields that the proxy adds, or that a client writes by itself. */
const OWN = /^(?:host|content-length|cdn-loop|x-fetchvia-.*|sec-websocket-(?:key|version|extensions))$/;

const FORWARDED = /^(?:http|ws)s?:\/\//i;

/**
 * The request as it went to its first target, without what the proxy or the connection adds.
 *
 * @returns `undefined` if nothing went out and the address is not known either, and for what no proxy forwards: a file may hold
 * an address such as `file:///etc/passwd`
 */
export function repeatCapture(capture: Capture, address?: string): Repeat | undefined {
  const [hop] = capture.hops;
  const source = hop?.request ?? capture.request;
  const url = hop?.request.url ?? address;
  if (url === undefined || !FORWARDED.test(url) || !URL.canParse(url) || !isToken(source.method)) {
    return undefined;
  }
  const headers = source.headers.filter(([name]) => isSent(name.toLowerCase()));
  const bodyProblem = judgeBody(capture.requestBody);
  const bytes = readBytes(capture.requestBody);
  const hasBody = bodyProblem === undefined && (capture.requestBody?.size ?? 0) > 0;
  return {
    request: {
      method: source.method,
      url,
      headers: headers.map(([name, value]) => [name, value]),
      ...(hasBody && { body: bytes }),
    },
    masked: listMasked(url, headers),
    ...(bodyProblem !== undefined && { bodyProblem }),
  };
}

/** The request as the builder opens it: a WebSocket has an address of its own scheme, a program's code the one of http. */
export function openSocket(
  request: PlainRequest,
  status: number,
  { headers }: Pick<CapturedRequest, "headers">,
): PlainRequest {
  const isSocket = status === 101 || findField(headers, "upgrade")?.toLowerCase() === "websocket";
  return isSocket ? { ...request, url: request.url.replace(/^http/i, "ws") } : request;
}

function isSent(name: string): boolean {
  return !OWN.test(name) && !isHopByHop(name) && !isSteering(name) && !isCallerIdentity(name) &&
    name !== "via";
}

function listMasked(url: string, headers: readonly FieldLine[]): string[] {
  const names = headers.filter(([, value]) => isMasked(value)).map(([name]) => name);
  return [...(isMasked(url) ? [ADDRESS] : []), ...new Set(names)];
}

/** Why a body cannot be sent again; `undefined` if it can, or if there is none. */
function judgeBody(body: CapturedBody | undefined): string | undefined {
  if (!body || body.size === 0) return undefined;
  if (body.withheld !== undefined) return `Its body is not kept: ${body.withheld}`;
  const kept = readBytes(body).length;
  if (kept < body.size) {
    return kept === 0
      ? `Its body (${body.size} bytes) is not kept: capture keeps headers only`
      : `Its body was cut at the limit of capture: ${kept} of ${body.size} bytes are kept`;
  }
  return body.isOver ? undefined : "Its body was not over when it was kept";
}

/** What is missing before the request can be sent again, as a sentence; `undefined` if nothing is. */
export function tellMissing({ masked, bodyProblem }: Repeat): string | undefined {
  const secrets = masked.length > 0 ? `Masked, fill in: ${masked.join(", ")}` : undefined;
  const parts = [secrets, bodyProblem].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(". ") : undefined;
}
