/**
 * Sends the request of the builder through the proxy and measures it.
 * @module
 */

import { encodeArg } from "../../core/address/arg.ts";
import { decodeHead } from "../../core/address/sealed-head.ts";
import { HEAD_FIELD } from "../../core/http/headers.ts";
import { MAX_REQUEST_FIELD, REQUEST_FIELD } from "../../parts/console/page-facts.ts";
import { describe } from "./fetch-argument.ts";
import type { ReadyRequest } from "./compose-request.ts";
import { findField } from "../page/format.ts";
import { captureFields, ownAddress } from "../page/own-requests.ts";

/** Maximum bytes of a body to keep and show. */
export const MAX_SHOWN_BYTES = 8_000_000;

/** A response, as far as it has arrived. */
export interface Received {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  /** The fields that the proxy set, changed or left out, with the lines that the target sent. */
  changed?: [name: string, lines: string[]][];
  /** True for an error of the proxy itself instead of the target's response. */
  isOwn: boolean;
  body: Uint8Array<ArrayBuffer>;
  /** True if the body is longer than what is kept. */
  isCut: boolean;
  broken?: string;
  /** Milliseconds until the response headers, and until the end. */
  headMs: number;
  totalMs: number;
  finalUrl?: string;
}

/** A request that can't be sent from here. The message says why. */
export class Unsendable extends Error {}

/**
 * Sends a request.
 *
 * @param ticket proves that the console sends the request; `null` if the page has none
 * @param onProgress runs when the response headers have arrived, and after every chunk
 * @throws {Unsendable} for what needs the ticket, and the error of `fetch` if the proxy does not answer or the signal
 * aborts
 */
export async function sendRequest(
  request: ReadyRequest,
  ticket: string | null,
  signal: AbortSignal,
  onProgress: (received: Received) => void,
): Promise<Received> {
  const start = performance.now();
  const answer = await post(request, ticket, signal);
  const received = readHead(answer, performance.now() - start);
  onProgress(received);
  try {
    await readBody(answer, received, () => {
      received.totalMs = performance.now() - start;
      onProgress(received);
    });
  } catch (error) {
    received.broken = signal.aborted
      ? "stopped"
      : `cut off: ${error instanceof Error ? error.message : "no reason given"}`;
  }
  received.totalMs = performance.now() - start;
  return received;
}

/**
 * Sends a GET again for the whole body, however long it is: browsers put a long one on disk.
 *
 * @param status what it was answered before
 * @throws {Error} if it does not end, or the target does not answer as before
 */
export async function fetchWhole(
  request: ReadyRequest,
  ticket: string | null,
  signal: AbortSignal,
  status: number,
): Promise<Blob> {
  if (request.body) throw new Error("a GET with a body may do something twice");
  const answer = await post(request, ticket, signal);
  const { isOwn } = readHead(answer, 0);
  if (isOwn || answer.status !== status) throw new Error(`answered ${answer.status} this time`);
  return await answer.blob();
}

function post(request: ReadyRequest, ticket: string | null, signal: AbortSignal): Promise<Response> {
  return fetch(ownAddress("send"), {
    method: "POST",
    cache: "no-store",
    signal,
    ...write(request, ticket),
  });
}

/** In two parts, which carry any bytes; as an argument where there is no ticket, or the head is too long for a field. */
function write(request: ReadyRequest, ticket: string | null): Pick<RequestInit, "headers" | "body"> {
  const { body, files: _, ...head } = request;
  const own = captureFields(ticket);
  const written = encodeArg(head);
  if (ticket !== null && written.length <= MAX_REQUEST_FIELD) {
    const type = { "content-type": "application/octet-stream" };
    return { headers: { ...own, ...type, [REQUEST_FIELD]: written }, body: body ?? null };
  }
  const { argument, problem } = describe(request);
  if (problem !== undefined) {
    const reason = ticket === null ? "only who may see live traffic can send it" : "its headers are too long";
    throw new Unsendable(`${problem}: ${reason}.`);
  }
  return { headers: { ...own, "content-type": "application/json" }, body: JSON.stringify(argument) };
}

function readHead(answer: Response, headMs: number): Received {
  const sealed = answer.headers.get(HEAD_FIELD);
  const head = sealed ? decodeHead(sealed) : undefined;
  const headers = head?.headers ?? [...answer.headers];
  return {
    status: answer.status,
    statusText: head?.statusText ?? answer.statusText,
    headers,
    ...(head?.changed && { changed: head.changed }),
    // Only what a target answered has fields of a target.
    isOwn: head?.changed === undefined,
    body: new Uint8Array(),
    isCut: false,
    headMs,
    totalMs: headMs,
    finalUrl: findField(headers, "x-final-url"),
  };
}

async function readBody({ body }: Response, received: Received, onChunk: () => void): Promise<void> {
  if (!body) return;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    received.isCut = received.body.length + value.length > MAX_SHOWN_BYTES;
    received.body = append(received.body, value.subarray(0, MAX_SHOWN_BYTES - received.body.length));
    onChunk();
    if (received.isCut) return await reader.cancel();
  }
}

/** Appends a chunk. The buffer doubles when full, so long bodies are not copied again and again. */
function append(before: Uint8Array<ArrayBuffer>, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = before.length + chunk.length;
  let room = before.buffer;
  if (room.byteLength < size) {
    room = new ArrayBuffer(Math.max(size, room.byteLength * 2, 16_384));
    new Uint8Array(room).set(before);
  }
  new Uint8Array(room).set(chunk, before.length);
  return new Uint8Array(room, 0, size);
}
