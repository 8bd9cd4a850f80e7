/**
 * Sends the request of the builder through the proxy and measures it.
 * @module
 */

import { decodeArg } from "../../../address/arg.ts";
import type { FetchArgument } from "../../../client.ts";
import { HEAD_FIELD, type SealedHead } from "../seal.ts";
import { ownAddress } from "./place.ts";
import { showProof } from "./proof.ts";

/** Nothing larger is kept to be shown, in bytes. */
export const MAX_SHOWN_BYTES = 8_000_000;

/** An answer, as far as it is here. */
export interface Received {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  /** True when the proxy answered itself, because the target could not. */
  isOwn: boolean;
  body: Uint8Array<ArrayBuffer>;
  /** True when there was more than is kept. */
  isCut: boolean;
  /** Why the body ended early. */
  broken?: string;
  /** Milliseconds until the head was here, and until the end. */
  headMs: number;
  totalMs: number;
  /** Where redirects led. */
  finalUrl?: string;
}

/**
 * Sends a request.
 *
 * @param ticket shows that it is the console that asks; `null` where the page was given none
 * @param onProgress runs when the head is here, and after every chunk
 * @throws what `fetch` throws when the proxy does not answer or the signal says stop
 */
export async function sendArgument(
  argument: FetchArgument,
  ticket: string | null,
  signal: AbortSignal,
  onProgress: (received: Received) => void,
): Promise<Received> {
  const start = performance.now();
  const answer = await fetch(ownAddress("send"), {
    method: "POST",
    headers: { "content-type": "application/json", ...showProof(ticket) },
    body: JSON.stringify(argument),
    cache: "no-store",
    signal,
  });
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

function readHead(answer: Response, headMs: number): Received {
  const sealed = answer.headers.get(HEAD_FIELD);
  const head = sealed ? decodeArg(sealed) as SealedHead | undefined : undefined;
  const headers = head?.headers ?? [...answer.headers];
  return {
    status: answer.status,
    statusText: head?.statusText ?? answer.statusText,
    headers,
    isOwn: headers.some(([name]) => name === "proxy-status"),
    body: new Uint8Array(),
    isCut: false,
    headMs,
    totalMs: headMs,
    finalUrl: headers.find(([name]) => name === "x-final-url")?.[1],
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

/** A chunk behind what is there already; the room grows twofold, so that long bodies are not copied over and over. */
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
