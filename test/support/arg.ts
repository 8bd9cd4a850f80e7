/**
 * Fetch arguments as a caller writes them.
 * @module
 */
import type { Answer, CallOptions } from "./client.ts";
import type { Shared } from "./pool.ts";

/** The Base64 of any text or bytes, standard alphabet, padded. */
export function base64(content: string | Buffer): string {
  return Buffer.from(content).toString("base64");
}

/** The value of `arg` as the specification writes it: JSON, Base64, percent-encoded. */
export function argOf(argument: unknown): string {
  return encodeURIComponent(base64(JSON.stringify(argument)));
}

/** `GET /__proxy__/fetch` with that argument. */
export function fetchArg(proxy: Shared, argument: unknown, options: CallOptions = {}): Promise<Answer> {
  return proxy.call(`GET /__proxy__/fetch?arg=${argOf(argument)}`, options);
}
