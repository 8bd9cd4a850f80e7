/**
 * Opens a sealed response for the page that asked for it.
 * @module
 */

import { decodeHead } from "../core/address/sealed-head.ts";
import { HEAD_FIELD } from "../core/http/headers.ts";

/** Status and all headers of a response, as the target sent them. */
export interface ResponseHead {
  /** The status code, from 200 to 599. */
  readonly status: number;
  /** The reason phrase, which may be empty. */
  readonly statusText: string;
  /** All fields, also those that no page can read from a response: `headers.getSetCookie()`. */
  readonly headers: Headers;
}

const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);
/** What was sealed of opened responses. */
const heads = new WeakMap<Response, ResponseHead>();

/**
 * Reads status and all headers of a sealed response.
 *
 * @param response a response of `createFetch`, or one as the proxy sent it
 * @returns `undefined` if the response is not sealed, which includes every error of the proxy itself
 * @example
 * ```ts
 * const response = await createFetch("http://localhost:8080", { seal: true })("https://example.com/login");
 * readHead(response)?.headers.getSetCookie(); // every cookie that it sets
 * ```
 */
export function readHead(response: Response): ResponseHead | undefined {
  const known = heads.get(response);
  if (known) return known;
  const sealed = response.headers.get(HEAD_FIELD);
  const head = sealed === null ? undefined : decodeHead(sealed);
  return head && { ...head, headers: new Headers(head.headers) };
}

/**
 * Makes the response that the target sent.
 *
 * @param address the requested address; the proxy names another one if it followed redirects
 * @param isRedirected true if other requests led to this address
 * @returns the same response if it is not sealed
 */
export function openResponse(response: Response, address: string, isRedirected: boolean): Response {
  const head = readHead(response);
  if (!head) return response;
  const { status, statusText } = head;
  const body = NULL_BODY_STATUSES.has(status) ? null : response.body;
  const finalAddress = head.headers.get("x-final-url");
  const [url = ""] = (finalAddress ?? address).split("#", 1);
  // A page's `Response` drops `Set-Cookie` here.
  const opened = new Response(body, { status, statusText, headers: head.headers });
  return adopt(opened, head, { url, redirected: isRedirected || finalAddress !== null });
}

/** Marks a response that other requests led to, which this client sent one by one. */
export function markRedirected(response: Response): Response {
  return adopt(response, undefined, { redirected: true });
}

/** Adds what the constructor of `Response` can't set. */
function adopt(response: Response, head: ResponseHead | undefined, said: object): Response {
  if (head) heads.set(response, head);
  const clone = response.clone.bind(response);
  for (const [name, value] of Object.entries({ ...said, clone: () => adopt(clone(), head, said) })) {
    Object.defineProperty(response, name, { value });
  }
  return response;
}
