/**
 * `/__proxy__/traffic.har`: captured requests as HAR 1.2, for browsers' developer tools and other programs.
 * @module
 */

import type { Capture } from "../capture/capture.ts";
import { guardSecrets, type KeyGuard } from "../capture/key-guard.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import { answerWith } from "../../core/http/answer.ts";
import { checkMethod, ProxyError } from "../../core/http/error.ts";
import { FlowBody } from "../../core/http/flow.ts";
import type { Reply } from "../../core/http/reply.ts";
import { VERSION } from "../../core/settings/version.ts";
import { readSearch } from "./capture-rights.ts";
import { MAX_IDS } from "./page-facts.ts";
import { writeHarEntries } from "./har-entry.ts";

const encoder = new TextEncoder();
/** Maximum bytes that the codings of all bodies in a file may give. */
const MOST_DECODED_BYTES = 134_217_728;

/**
 * Answers with the captures that are kept, or with those of `?id=a,b`, oldest first.
 *
 * @param checkRights refuses callers that may not see captures
 * @param read reads these captures, or all, oldest first, already masked for this caller
 * @throws {ProxyError} `forbidden`, `method_not_allowed` or `bad_request`
 */
export function answerHar(
  exchange: Exchange,
  checkRights: (exchange: Exchange) => void,
  read: (ids: ReadonlySet<string> | undefined) => AsyncIterable<Capture>,
): Reply {
  const { incoming, path } = exchange;
  checkMethod(incoming.method, "GET", "HEAD");
  checkRights(exchange);
  const ids = readIds(readSearch(path));
  const fields = Object.entries({
    "content-type": "application/json",
    "content-disposition": 'attachment; filename="traffic.har"',
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  if (incoming.method === "HEAD") return answerWith(200, fields);
  return answerWith(200, fields, streamText(writeHar(read(ids), guardSecrets(exchange.parts.secrets))));
}

function readIds(query: URLSearchParams): ReadonlySet<string> | undefined {
  const ids = query.get("id")?.split(",");
  if (ids && ids.length > MAX_IDS) {
    throw new ProxyError(
      "bad_request",
      `Cannot read parameter id: it names ${ids.length} requests, expected at most ${MAX_IDS}`,
    );
  }
  return ids && new Set(ids);
}

/**
 * Writes the file piece by piece, one request at a time, so that it is never in memory as a whole.
 *
 * @param captures oldest first
 * @param guard takes keys of the table out of decoded bodies
 */
export async function* writeHar(
  captures: Iterable<Capture> | AsyncIterable<Capture>,
  guard?: KeyGuard,
): AsyncGenerator<string> {
  const creator = JSON.stringify({ name: "fetchvia", version: VERSION });
  yield `{"log":{"version":"1.2","creator":${creator},"pages":[],"entries":[`;
  const decoding = { left: MOST_DECODED_BYTES, guard };
  let isFirst = true;
  for await (const capture of captures) {
    for (const entry of await writeHarEntries(capture, decoding)) {
      yield (isFirst ? "\n" : ",\n") + JSON.stringify(entry);
      isFirst = false;
    }
  }
  yield "\n]}}\n";
}

/** A body whose pieces are written only when they are read. */
function streamText(pieces: AsyncGenerator<string>): FlowBody {
  let isPaused = true;
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (!isPaused) {
      const { done, value } = await pieces.next();
      if (done) return body.end();
      body.push(encoder.encode(value));
    }
    isWriting = false;
  };
  const body = new FlowBody({
    pause: () => void (isPaused = true),
    resume() {
      isPaused = false;
      if (!isWriting) write().catch((error) => body.end(error));
    },
    cancel: () => void pieces.return(undefined),
  });
  return body;
}
