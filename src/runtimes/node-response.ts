/**
 * Writes the core's answer to a `node:http` response.
 * @module
 */

import { type ServerResponse, STATUS_CODES } from "node:http";
import { writeStream } from "./streams.ts";

/** Sends the head at once, then the body. A body that fails cuts the connection, so that it looks incomplete. */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  method: string,
): Promise<void> {
  const { body } = response;
  if (outgoing.destroyed) {
    await body?.cancel();
    return;
  }
  const reason = response.statusText || STATUS_CODES[response.status];
  outgoing.writeHead(response.status, reason, flatten(response.headers));
  if (body === null || method === "HEAD") {
    outgoing.end();
    await body?.cancel();
    return;
  }
  // An empty write sends the head now and keeps Latin-1 bytes, which `flushHeaders` does not (Node 20–26).
  outgoing.write(new Uint8Array());
  await writeStream(body, outgoing);
}

function flatten(headers: Headers): string[] {
  const lines: string[] = [];
  for (const [name, value] of headers) lines.push(name, value);
  return lines;
}
