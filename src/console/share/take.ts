/**
 * "Take it with you": links and code of the request, and the way back. Loaded when it is unfolded.
 * @module
 */

import { isCurl } from "../builder/curl-text.ts";
import type { ReadyRequest } from "../builder/compose-request.ts";
import { find } from "../page/dom.ts";
import { decodePasted } from "./pasted.ts";
import { listShares, type ShareContext } from "./share.ts";
import { showShares } from "./share-view.ts";

/** What it does with pasted text. */
export interface TakeActions {
  /** Puts the request of an argument into the builder. */
  load(argument: Record<string, unknown>): void;
  /** Reads a curl command. */
  readCurl(text: string): void;
}

let round = 0;

/** Opens the way back. */
export function openDecoder(context: ShareContext, { load, readCurl }: TakeActions): void {
  const input = find<HTMLInputElement>("decode-input");
  find("decode").addEventListener("submit", (event) => {
    event.preventDefault();
    if (isCurl(input.value)) return readCurl(input.value);
    const decoded = decodePasted(input.value, context);
    find("decode-result").textContent = decoded
      ? `${decoded.what}: it stands in the builder now.`
      : "This is no arg, no link of a proxy, no label and no curl command.";
    if (decoded) load(decoded.argument);
  });
}

/** Shows links and code of a request; of none what is missing. */
export async function showRequest(request: ReadyRequest | undefined, context: ShareContext): Promise<void> {
  const mine = round += 1;
  const shares = request ? await listShares(request, context) : [];
  if (mine === round) showShares(shares);
}
