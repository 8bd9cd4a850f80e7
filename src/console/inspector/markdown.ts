/**
 * Writes a captured request as Markdown, to be shared: its secrets are masked, whoever sent it.
 * @module
 */

import type {
  Capture,
  CapturedBody,
  CapturedRequest,
  CapturedResponse,
  FieldLine,
} from "../../parts/capture/capture.ts";
import { maskCapture } from "../../parts/capture/mask-fields.ts";
import { isMask, type Masker } from "../../parts/capture/masker.ts";
import { readPhases } from "../../parts/console/hop-phases.ts";
import { maskBody } from "../builder/hide.ts";
import { formatBytes, formatSpan } from "../page/format.ts";
import { requestOf, responseOf } from "./captured.ts";
import { requestLine, statusLine } from "./head-view.ts";
import { PHASE_NAMES } from "./timing.ts";

const MOST_CHARACTERS = 20_000;

/** Masks of capture stay; no digest is made of other secrets. */
const hide = (secret: string) => secret === "" || isMask(secret) ? secret : "***";
const MASKER: Masker = { hide, hideInAddress: hide };

/**
 * The text: request line, headers, body, response and times. Bodies lose what the table of secrets names, too.
 *
 * @param texts those of the bodies; `undefined` for bytes that are no text, or too many
 */
export function writeMarkdown(
  capture: Capture,
  texts: Record<"request" | "response", string | undefined>,
): string {
  const masked = maskCapture(capture, MASKER);
  const { requestBody, responseBody, error, totalMs, hops } = masked;
  const request = requestOf(masked);
  const response = responseOf(masked);
  const times = readPhases(hops.at(-1)?.times ?? { startMs: 0 });
  const spans = times.map(({ phase, ms }) => `${PHASE_NAMES[phase].toLowerCase()} ${formatSpan(ms)}`);
  return [
    "### Request",
    ...writeMessage(requestLine(request), request),
    ...writeBody(requestBody, texts.request),
    "### Response",
    ...response
      ? [
        ...writeMessage(statusLine(response), response),
        ...writeBody(responseBody, texts.response),
      ]
      : ["None."],
    ...error === undefined ? [] : [`Error: ${plain(error.replaceAll("_", " "))}.`],
    "### Times",
    [`${formatSpan(totalMs)} in all`, ...spans].join(", ") + ".",
  ].join("\n\n") + "\n";
}

function writeMessage(
  line: string,
  { headers, trailers = [] }: CapturedRequest | CapturedResponse,
): string[] {
  const write = (lines: readonly FieldLine[]) => lines.map(([name, value]) => `${name}: ${value}`);
  const head = fence([line, ...write(headers)].join("\n"), "http");
  return trailers.length > 0 ? [head, "Trailers:", fence(write(trailers).join("\n"), "http")] : [head];
}

function writeBody(body: CapturedBody | undefined, text: string | undefined): string[] {
  if (!body || body.size === 0) return [];
  if (body.withheld !== undefined) {
    return [`Body: ${formatBytes(body.size)}, not kept: ${plain(body.withheld)}.`];
  }
  if (!text) return [`Body: ${formatBytes(body.size)}.`];
  const shown = maskBody(text, MASKER).slice(0, MOST_CHARACTERS);
  const isCut = text.length > MOST_CHARACTERS || body.base64.length / 4 * 3 < body.size;
  const note = isCut ? [`The body has ${formatBytes(body.size)}; this is its beginning.`] : [];
  return [fence(shown, /^\s*[[{]/.test(shown) ? "json" : ""), ...note];
}

/** A file may name any reason, so no sign of Markdown stays in it. */
function plain(reason: string): string {
  return reason.replace(/[^\w ,.-]/g, "");
}

/** A fence is longer than any run of its sign in the text (CommonMark §4.5). */
function fence(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const sign = "`".repeat(Math.max(2, ...runs.map(({ length }) => length)) + 1);
  return `${sign}${language}\n${text}\n${sign}`;
}
