/**
 * The proxy's own paths under `/__proxy__/`, and requests of the page to them.
 * @module
 */

import type { PageFacts } from "../../parts/console/page-facts.ts";
import { PROOF_FIELD, VIEWER_FIELD } from "../../core/http/headers.ts";

const HERE = /\/__proxy__\/?$/;
const ID_BYTES = 16;

/** Said where no response comes. */
export const AWAY = "The proxy does not answer; is it still running?";

/** The proxy as links and code name it. */
export interface NamedProxy extends Pick<PageFacts, "needsToken"> {
  /** Its own address, without a trailing slash. */
  base: string;
}

let viewer: string | undefined;

/** The proxy's own address, as callers see it. */
export function readBase({ origin, pathname }: Pick<Location, "origin" | "pathname">): string {
  return origin + pathname.replace(HERE, "");
}

/** The address of one of the proxy's own paths, such as `traffic`; `""` is the page itself. */
export function ownAddress(name: string): string {
  return `${readBase(location)}/__proxy__/${name}`;
}

/**
 * The id of this page: 32 hexadecimal digits, made once for each load. What the page sends is shown to it unmasked. It is not
 * stored, because a target's page could read it there.
 */
export function readViewer(): string {
  return viewer ??= [...crypto.getRandomValues(new Uint8Array(ID_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The request fields that prove that the console asks, not a target's page on the same origin; none without a proof. */
export function showProof(proof: string | null): Record<string, string> {
  return proof === null ? {} : { [PROOF_FIELD]: proof };
}

/** The fields of a request for captures, or of one whose secrets this page may see: also who looks. */
export function captureFields(ticket: string | null): Record<string, string> {
  return { ...showProof(ticket), [VIEWER_FIELD]: readViewer() };
}

/** JSON that the proxy responded with; or its status, 0 if no response came, and why there is none. */
export type Told<T> = { told: T; problem?: undefined } | {
  told?: undefined;
  problem: string;
  status: number;
};

/** What is asked; with a body it is a POST of JSON. */
interface AskOptions {
  body?: unknown;
  method?: string;
  signal?: AbortSignal;
  /** The problem of a refusal that gives no reason. */
  otherwise?: string;
}

/**
 * Asks one of the proxy's own paths for JSON.
 *
 * @throws the reason of the signal if that aborts
 */
export async function askProxy<T>(
  name: string,
  headers: Record<string, string>,
  { body, otherwise, ...options }: AskOptions = {},
): Promise<Told<T>> {
  const posted = body !== undefined && { method: "POST", body: JSON.stringify(body) };
  const type = body !== undefined && { "content-type": "application/json" };
  try {
    const answer = await fetch(ownAddress(name), {
      cache: "no-store",
      ...options,
      ...posted,
      headers: { ...headers, ...type },
    });
    if (answer.ok) return { told: await answer.json() };
    const { detail = otherwise } = await answer.json().catch(() => ({}));
    return { problem: detail ?? `The proxy answered ${answer.status}`, status: answer.status };
  } catch {
    options.signal?.throwIfAborted();
    return { problem: AWAY, status: 0 };
  }
}
