/**
 * The commands `encode` and `decode`, for labels and args.
 * @module
 */

import { decodeArg, encodeArg } from "../../address/arg.ts";
import { decodeLabel, encodeLabel } from "../../address/label.ts";

/**
 * Encodes or decodes one thing.
 *
 * @throws {Error} with a one-line message
 */
export function runCodec(command: "encode" | "decode", words: readonly string[]): string {
  const [text, ...rest] = words;
  if (text === undefined || rest.length) {
    throw new Error(`Cannot ${command}: expected exactly one argument, in quotes`);
  }
  return command === "encode" ? encode(text) : decode(text);
}

function encode(text: string): string {
  if (!text.trimStart().startsWith("{")) return encodeLabel(text);
  try {
    return encodeArg(JSON.parse(text));
  } catch {
    throw new Error("Cannot encode the arg: it is not JSON, expected an object with a url");
  }
}

function decode(text: string): string {
  // Nearly every text is a valid label, but hardly any is the Base64 of a JSON object.
  const fields = decodeArg(text);
  if (fields) return JSON.stringify(fields, null, 2);
  const base = decodeLabel(text);
  if (base !== undefined) return base;
  throw new Error(
    "Cannot decode this: expected a host label such as example-com or the Base64 of a JSON object",
  );
}
