/**
 * What a body is, and which views fit it.
 * @module
 */

import { essenceOf } from "../../page/format.ts";
import { JsonSource } from "./json-source.ts";

/** The views of a body. */
export type ViewName = "Pretty" | "Completion" | "Events" | "Form" | "Preview" | "Raw" | "Hex";

/** The type of a form with files. */
export const MULTIPART = "multipart/form-data";

/** Characters that are looked at to know what a text is. */
const SAMPLE = 65_536;
/** What only the streams of language models hold. */
const MODEL_MARKS =
  /"object":\s?"(?:chat\.completion\.chunk|text_completion)"|"type":\s?"(?:message_start|response\.created)"|"candidates":\s?\[/;
const JSON_TYPE = /[/+]json$|\/(?:x-)?ndjson$|\/jsonl(?:ines)?$|\/json-seq$/;
const PREVIEWED = /^(?:image|audio|video)\/|^text\/html$|^application\/xhtml\+xml$/;
const TEXTUAL =
  /^text\/|[/+]json$|[/+]xml$|javascript|ecmascript|x-www-form-urlencoded|ndjson|jsonl|yaml|graphql|x-sh$/;
const BINARY = /^(?:image|audio|video|font)\/|octet-stream|zip|pdf|wasm|protobuf|grpc|msgpack|cbor/;

/** True for text, by its type, or by its first bytes if that says nothing. */
export function isTextual(type: string, bytes: Uint8Array): boolean {
  const essence = essenceOf(type);
  if (TEXTUAL.test(essence)) return true;
  if (BINARY.test(essence)) return false;
  return !bytes.subarray(0, 1_024).some((byte) => byte < 9 || (byte > 13 && byte < 27));
}

/** Decodes text in the charset that its type names; UTF-8 if it names none, or one that the browser does not know. */
export function createDecoder(type: string): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

/**
 * The views for a body, the one to show first in front.
 *
 * @param readText gives the text so far
 */
export function listViews(type: string, bytes: Uint8Array, readText: () => string): ViewName[] {
  const essence = essenceOf(type);
  if (essence === "text/event-stream") {
    return [...isCompletion(readText()) ? ["Completion" as const] : [], "Events", "Raw", "Hex"];
  }
  if (essence === "application/x-www-form-urlencoded" || essence === MULTIPART) return ["Form", "Raw", "Hex"];
  const preview: ViewName[] = PREVIEWED.test(essence) ? ["Preview"] : [];
  if (!isTextual(type, bytes)) return [...preview, "Hex", "Raw"];
  const isSaid = JSON_TYPE.test(essence);
  const sample = isSaid || preview.length === 0 ? readText().slice(0, SAMPLE) : "";
  if (!isSaid && !/^\ufeff?\s*[[{]/.test(sample)) return [...preview, "Raw", "Hex"];
  if (isJsonStart(sample, bytes.length <= SAMPLE)) return ["Pretty", "Raw", "Hex"];
  return isSaid ? ["Raw", "Pretty", "Hex"] : [...preview, "Raw", "Hex"];
}

/** True for the text of a stream that a model sent. */
export function isCompletion(text: string): boolean {
  return MODEL_MARKS.test(text.slice(0, SAMPLE));
}

function isJsonStart(sample: string, isWhole: boolean): boolean {
  const source = new JsonSource();
  source.update(sample, false);
  source.advance(Infinity);
  return !source.fault && (source.count > 0 || (isWhole && sample.trim() !== ""));
}
