/**
 * The portable sender, over `fetch` alone: for servers that lend no sender of their own.
 * @module
 */

import type { Outgoing, Upstream } from "./runtime.ts";

/** Sends with the global `fetch`. It can't dial a given address, and it leaves path and header details to the runtime. */
export async function sendWithFetch({ method, origin, path, headers, body, signal }: Outgoing): Promise<Upstream> {
  const outgoing = new Headers(headers);
  outgoing.set("accept-encoding", "identity");
  const init: RequestInit & { duplex: "half" } = {
    method,
    headers: outgoing,
    body,
    signal,
    redirect: "manual",
    duplex: "half",
  };
  const response = await fetch(origin.origin + path, init);
  const answer = new Headers(response.headers);
  if (answer.has("content-encoding")) {
    answer.delete("content-encoding");
    answer.delete("content-length");
  }
  return { status: response.status, statusText: response.statusText, headers: answer, body: response.body };
}
