/**
 * Parts that others write: what they see of a request, and what they can do. `adapt-part.ts` holds them to it.
 * @module
 */

import type { ErrorCode } from "./http/error.ts";
import type { FieldWriter } from "./http/fields.ts";
import type { Reply } from "./http/reply.ts";
import type { Incoming } from "./runtime.ts";
import type { Asker } from "./who/asker.ts";

/** What a part sees of a request that was admitted. */
export interface PartRequest {
  /** The request as it came in, without its body, which belongs to the target. Its headers must not be changed. */
  readonly incoming: Pick<Incoming, "method" | "url" | "headers">;
  /** Path and query, without the mount path. */
  readonly path: string;
  /** Who sent it: the IP address (`""` if unknown), and the `Host`. */
  readonly caller: { readonly address: string; readonly host: string };
  /**
   * Whose request it seems to be: `program`, `user` (of a browser), `granted` (a page of an origin in `corsOrigins`), `stranger`
   * (any other page), or `page`: a page that a target served through the proxy. Such a page is on the proxy's own origin, and
   * can pass for `user`; where browsers tell nothing about a request (plain http off this machine), for `program` too.
   */
  readonly asker: Asker;
  /** What its record says so far. */
  readonly record: Pick<PartRecord, "id" | "time" | "method">;
}

/** The record of a request. */
export interface PartRecord {
  /** The id that the log shows: twelve hexadecimal digits. */
  readonly id: string;
  /** When the request arrived, in Unix milliseconds. */
  readonly time: number;
  /** The method of the incoming request. */
  readonly method: string;
  /** The caller's IP address, `""` if unknown. */
  readonly caller: string;
  /** Host and port of the target; `undefined` if none was reached. */
  readonly target: string | undefined;
  /** The status of the response. */
  readonly status: number;
  /** Bytes of the request body. */
  readonly bytesIn: number;
  /** Bytes of the response body. */
  readonly bytesOut: number;
  /** Milliseconds until the response headers. */
  readonly headMs: number;
  /** Milliseconds until the end. */
  readonly totalMs: number;
  /** Why the proxy returned an error, or why the body was cut. */
  readonly error: ErrorCode | undefined;
}

/**
 * What a part does with requests. All of it happens at once: a function that returns a promise fails its request with a 500, as
 * one that throws something else than a `ProxyError` does.
 */
export interface OwnRules {
  /**
   * Answers a request in place of the proxy; `undefined` to let it pass. Asked for every path outside `/__proxy__`, for
   * `?url=`, `/__proxy__/at/…` and `/__proxy__/fetch`. The first part that answers counts.
   */
  readonly meet?: (request: PartRequest) => Reply | undefined;
  /**
   * Refuses a target, a path or a method by throwing a `ProxyError`. Called before anything is sent, and again for each redirect
   * that is followed. Whatever it does, what the settings refuse stays refused.
   */
  readonly decide?: (
    address: { readonly origin: URL; readonly path: string },
    method: string,
    request: PartRequest,
  ) => void;
  /**
   * Changes the headers of a target's response, before the proxy adds its own. Names are the same in any letters. Headers that
   * frame the response or say which page may read it (`access-control-*`) can't be set.
   */
  readonly answer?: (headers: FieldWriter, request: PartRequest) => void;
}

/** A part of a proxy. Every member except `name` is optional. */
export interface OwnPart {
  /** Distinguishes it from the other parts. */
  readonly name: string;
  /** Loads what the part needs, until that has succeeded once. Requests wait for it; while it rejects, they get a 500. */
  readonly prepare?: () => Promise<unknown>;
  /** Says what the part does with requests. Called after `prepare`, until it has succeeded once. */
  readonly rules?: () => OwnRules;
  /**
   * Answers a path of its own. It must settle: nobody waits for it only so long.
   *
   * @param path what follows `/__proxy__`, one segment such as `/status`, without the query; those of the core come first
   * @returns `undefined` for a path that does not belong to this part
   */
  readonly open?: (path: string, request: PartRequest) => Reply | undefined | Promise<Reply | undefined>;
  /** Called when a request has ended, in whatever way. What it throws is ignored. */
  readonly end?: (record: PartRecord) => void;
  /** Called when the proxy is closed. */
  readonly close?: () => void;
}
