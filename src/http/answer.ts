/**
 * The proxy's own answers: JSON, and plain text.
 * @module
 */

/** Makes a JSON answer that no cache keeps and no browser takes for anything else. */
export function answerJson(value: unknown, status = 200, headers: HeadersInit = {}): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const response = new Response(bytes, { status, headers });
  response.headers.set("content-length", String(bytes.length));
  response.headers.set("content-type", "application/json");
  response.headers.set("cache-control", "no-store");
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}

/** Makes a plain-text answer, in the version that Prometheus asks for. */
export function answerText(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  return new Response(bytes, {
    headers: {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "content-length": String(bytes.length),
      "cache-control": "no-store",
    },
  });
}
