/**
 * Reads parts of a captured request.
 * @module
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import type {
  Capture,
  CapturedBody,
  CapturedRequest,
  CapturedResponse,
  FieldLine,
} from "../../parts/capture/capture.ts";
import { MASK } from "../../parts/capture/masker.ts";
import { createDecoder, isTextual } from "../answer/body/body-kind.ts";
import { decodeBody } from "../answer/body/decoding.ts";
import { JsonSource } from "../answer/body/json-source.ts";
import { readAll } from "../answer/body/line-selection.ts";
import { findField } from "../page/format.ts";

/** True for text in which a secret is masked. */
export function isMasked(text: string): boolean {
  return MASK.test(text);
}

/** The bytes of a body that are kept. */
export function readBytes(body: CapturedBody | undefined): Uint8Array<ArrayBuffer> {
  return decodeBase64(body?.base64 ?? "") ?? new Uint8Array();
}

/** The request as the target had it; where none went out, as the caller sent it. */
export function requestOf({ hops, request }: Pick<Capture, "hops" | "request">): CapturedRequest {
  return hops[0]?.request ?? request;
}

/** The last response of a target; where there was none, the proxy's. */
export function responseOf(
  { hops, response }: Pick<Capture, "hops" | "response">,
): CapturedResponse | undefined {
  return hops.at(-1)?.response ?? response;
}

/** Maximum characters that are read. */
const MOST_CHARACTERS = 524_288;

/**
 * Reads what is kept of a body, without its codings; JSON is indented.
 *
 * @returns `undefined` for bytes that are no text, or too many
 */
export async function readBodyText(
  body: CapturedBody | undefined,
  headers: readonly FieldLine[] = [],
): Promise<string | undefined> {
  const coding = body?.isDecoded ? "" : findField(headers, "content-encoding") ?? "";
  const { bytes, problem } = body?.decoded === undefined
    ? await decodeBody(readBytes(body), coding)
    : { bytes: decodeBase64(body.decoded) ?? new Uint8Array() };
  const type = findField(headers, "content-type") ?? "";
  if (problem !== undefined || !isTextual(type, bytes) || bytes.length > MOST_CHARACTERS) return undefined;
  const text = createDecoder(type).decode(bytes);
  return /^\s*[[{]/.test(text) ? indent(text) : text;
}

function indent(text: string): string {
  const source = new JsonSource();
  source.update(text, true);
  source.advance(Infinity);
  return source.fault ? text : readAll(source);
}
