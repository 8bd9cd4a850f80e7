/**
 * HAR files: saves captured requests, and opens files as rows.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import { saveFile } from "../answer/body-view.ts";
import { say } from "../page/dom.ts";
import { requestOf, responseOf } from "./captured.ts";
import type { InspectedEntry } from "./context.ts";
import { MAX_ENTRIES, MAX_FILE_BYTES, readHar } from "./har-read.ts";
import { captureFields, ownAddress } from "../page/own-requests.ts";

/**
 * Saves requests as a file.
 *
 * @param ids all that are kept if absent
 * @returns what went wrong
 */
export async function saveHar(ticket: string | null, ids?: readonly string[]): Promise<string | undefined> {
  const query = ids ? `?id=${ids.map(encodeURIComponent).join(",")}` : "";
  try {
    // Fields carry the ticket, so it stands in no address.
    const answer = await fetch(ownAddress(`traffic.har${query}`), { headers: captureFields(ticket) });
    if (!answer.ok) {
      const { detail } = await answer.json() as { detail?: string };
      return tell(detail ?? `Cannot save: the proxy answered ${answer.status}`);
    }
    saveFile(new Uint8Array(await answer.arrayBuffer()), "traffic.har");
    return undefined;
  } catch {
    return tell("Cannot save: the proxy does not answer");
  }
}

/** Opens a file. What is wrong with it stands in `text`. */
export async function openHar(file: Pick<File, "name" | "size" | "text">) {
  if (file.size > MAX_FILE_BYTES) {
    const limit = Math.round(MAX_FILE_BYTES / 1_000_000);
    return { entries: [], text: tell(`Cannot read ${file.name}: it is larger than ${limit} MB`) };
  }
  try {
    const { captures, left } = readHar(await file.text());
    const rest = left > 0 ? `; ${left} more than ${MAX_ENTRIES} were left out` : "";
    const text = `${captures.length} requests from ${file.name}${rest}`;
    return { entries: captures.map(makeEntry), text: tell(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "Cannot read the file";
    return { entries: [], text: tell(reason.replace("the file:", `${file.name}:`)) };
  }
}

function makeEntry(capture: Capture): InspectedEntry {
  const { id, time, selector, callerId, error } = capture;
  const { method, url } = capture.refused ?? requestOf(capture);
  return {
    key: id,
    time,
    method,
    address: url,
    target: new URL(url).host,
    selector: selector ?? "file",
    ...(callerId !== undefined && { callerId }),
    status: responseOf(capture)?.status ?? 0,
    bytesIn: capture.requestBody?.size ?? 0,
    bytesOut: capture.responseBody?.size ?? 0,
    headMs: capture.headMs,
    totalMs: capture.totalMs,
    ...(error !== undefined && { error }),
    isCaptured: true,
    capture,
  };
}

function tell(text: string): string {
  say(text);
  return text;
}
