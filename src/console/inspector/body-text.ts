/**
 * The body of a captured request or response as text.
 * @module
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import type { CapturedBody, FieldLine } from "../../parts/capture/capture.ts";
import { createDecoder, isTextual } from "../answer/body/body-kind.ts";
import { decodeBody } from "../answer/body/decoding.ts";
import { JsonSource } from "../answer/body/json-source.ts";
import { readAll } from "../answer/body/line-selection.ts";
import { findField } from "../page/find-field.ts";
import { readBytes } from "./captured.ts";

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
