/**
 * Parts that others write: what they see of a request, and how they join a proxy. They see less than the project's own parts,
 * so that they can narrow what a caller may do, and can't widen it.
 * @module
 */

import type { ErrorCode } from "./http/error.ts";
import type { FieldWriter } from "./http/fields.ts";
import type { Reply } from "./http/reply.ts";
import type { Rules } from "./exchange/exchange.ts";
import type { Part } from "./part.ts";
import type { Incoming } from "./runtime.ts";
import { ConfigError } from "./settings/config.ts";

/** What a part sees of a request that was admitted. It must not be changed. */
export interface PartRequest {
  /** The request as it came in. Its body belongs to the target. */
  readonly incoming: Incoming;
  /** Path and query, without the mount path. */
  readonly path: string;
  /** Who sent it: the IP address (`""` if unknown), and the `Host`. */
  readonly caller: { readonly address: string; readonly host: string };
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

/** What a part does with requests. A function that throws something else than a `ProxyError` fails its own request with a 500. */
export interface OwnRules {
  /**
   * Answers a request in place of the target; `undefined` to let it pass. Not asked for the proxy's own pages. The first part
   * that answers counts.
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
  /** Changes the headers of a target's response, before the proxy adds its own. */
  readonly answer?: (headers: FieldWriter, request: PartRequest) => void;
}

/** A part of a proxy. Every member except `name` is optional. */
export interface OwnPart {
  /** Distinguishes it from the other parts. */
  readonly name: string;
  /** Loads what the part needs. Requests wait for it; while it rejects, they get a 500. */
  readonly prepare?: () => Promise<unknown>;
  /** What the part does with requests. Called once, after `prepare`. */
  readonly rules?: () => OwnRules;
  /**
   * Answers a path of its own.
   *
   * @param path what follows `/__proxy__`, one segment such as `/status`, without the query
   * @returns `undefined` for a path that does not belong to this part
   */
  readonly open?: (path: string, request: PartRequest) => Reply | undefined | Promise<Reply | undefined>;
  /** Called when a request has ended, in whatever way. What it throws is ignored. */
  readonly end?: (record: PartRecord) => void;
  /** Called when the proxy is closed. */
  readonly close?: () => void;
}

const MEMBERS: ReadonlySet<string> = new Set(["name", "prepare", "rules", "open", "end", "close"]);

/**
 * Makes parts of the core from those of others.
 *
 * @throws {ConfigError} for a part without a name, a name that comes twice, and a member that is unknown or no function
 */
export function adaptParts(parts: readonly OwnPart[]): readonly Part[] {
  const names = new Set<string>();
  for (const part of parts) {
    checkMembers(part);
    if (names.has(part.name)) throw fault(part.name, "comes twice, expected each name once");
    names.add(part.name);
  }
  return parts.map(adapt);
}

function checkMembers(part: OwnPart): void {
  if (typeof part?.name !== "string" || part.name === "") {
    throw new ConfigError("Cannot use parts: one has no name, expected some text");
  }
  for (const [member, value] of Object.entries(part)) {
    if (!MEMBERS.has(member)) {
      throw fault(part.name, `has ${JSON.stringify(member)}, expected one of ${[...MEMBERS].join(", ")}`);
    }
    if (member !== "name" && value !== undefined && typeof value !== "function") {
      throw fault(part.name, `has ${member} of type ${typeof value}, expected a function`);
    }
  }
}

function fault(name: string, what: string): ConfigError {
  return new ConfigError(`Cannot use parts: ${JSON.stringify(name)} ${what}`);
}

function adapt(part: OwnPart): Part {
  return {
    name: part.name,
    ...part.prepare && { prepare: () => part.prepare!() },
    ...part.rules && { rules: () => adaptRules(part.rules!()) },
    ...part.open && { open: (path, exchange) => part.open!(path, exchange) },
    ...part.end && { end: (record) => void ignoreFailure(() => part.end!(record)) },
    ...part.close && { close: () => part.close!() },
  };
}

/** Takes over the members that others may have, so that nothing else of the object counts. */
function adaptRules({ meet, decide, answer }: OwnRules): Rules {
  return {
    ...meet && { meet },
    ...decide && { decide },
    ...answer && { answer: (headers, _source, _origin, exchange) => answer(headers, exchange) },
  };
}

/** The request is over, so nobody is left to hear of a failure. */
function ignoreFailure(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing depends on it.
  }
}
