/**
 * Standard reason phrases, for the proxy's own responses. Phrases of targets are passed on unchanged.
 * @module
 */

/** Status → phrase (RFC 9110 §15, RFC 6585). */
const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  206: "Partial Content",
  303: "See Other",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  426: "Upgrade Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  508: "Loop Detected",
};

/** The phrase of a status; `""` for a status that is not listed, because clients do not need it. */
export function reasonOf(status: number): string {
  return REASONS[status] ?? "";
}
