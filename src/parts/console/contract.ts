/**
 * What the page and the server have agreed on, apart from the shapes of what they exchange.
 * @module
 */

/** The field for the head of a request: Base64 of the JSON of a `RequestHead`. */
export const REQUEST_FIELD = "x-fetchvia-request";
/** Maximum length of that field, in bytes. Every runtime accepts headers of this size. */
export const MAX_REQUEST_FIELD = 48 * 1024;
/** Maximum number of requests that an address names. */
export const MAX_IDS = 1_000;
