/**
 * `fetchvia encode`: makes a host label from a base address, or an `arg` from the JSON of a request.
 * @module
 */

import { decodeBase } from "../core/address/address.ts";
import { findBaseFault } from "../core/address/fault.ts";
import { encodeLabel } from "../core/address/label.ts";
import { packArgument } from "./read-argument.ts";

/**
 * Encodes one input, and validates it as the proxy does.
 *
 * @throws {Error} with a one-line message
 */
export async function encode(text: string): Promise<string> {
  if (text.startsWith("{")) return (await packArgument(text)).arg;
  if (decodeBase(text)) return encodeBase(text);
  throw new Error(
    `Cannot encode this: it ${
      findBaseFault(text)
    }, expected a base address such as https://example.com, or a JSON object with a url`,
  );
}

/** The label of a base address. The address must have no path: paths follow the label in requests. */
function encodeBase(text: string): string {
  const { origin, pathname } = new URL(text);
  if (pathname === "/") return encodeLabel(text);
  throw new Error(
    `Cannot encode this: a label has no path, expected ${origin}, and the path after the label`,
  );
}
