/**
 * Makes parts of the core from those of others, and holds them to what they may do: what they return is checked and copied, and
 * a failure costs no more than the request at hand.
 * @module
 */

import type { Exchange, Rules } from "./exchange/exchange.ts";
import { Fields, type FieldWriter } from "./http/fields.ts";
import { FlowBody } from "./http/flow.ts";
import { isFieldValue, isHopByHop, isToken } from "./http/headers.ts";
import { NULL_BODY_STATUSES, type Reply } from "./http/reply.ts";
import type { OwnPart, OwnRules, PartRecord, PartRequest } from "./own-part.ts";
import type { Part } from "./part.ts";
import { ConfigError } from "./settings/config.ts";
import { nameKnown } from "./settings/nearest.ts";

const MEMBERS: ReadonlySet<string> = new Set(["name", "prepare", "rules", "open", "end", "close"]);
/** Headers that the proxy writes itself. */
const RESERVED = /^(?:trailer|access-control-.*)$/;
/** Headers that frame the response, and those by which a browser lets pages of other sites read it. */
const FIXED = /^(?:content-length|content-encoding|trailer|access-control-.*)$/;
const RULES: ReadonlySet<string> = new Set(["meet", "decide", "answer"]);

/**
 * Makes parts of the core from those of others.
 *
 * @throws {ConfigError} for a part without a name, a name that comes twice, and a member that is unknown or no function
 */
export function adaptParts(parts: readonly OwnPart[]): readonly Part[] {
  const names = new Set<string>();
  for (const part of parts) {
    if (typeof part?.name !== "string" || part.name === "") {
      throw new ConfigError("Cannot use parts: one has no name, expected some text");
    }
    if (names.has(part.name)) throw faultOf(part.name, "comes twice, expected each name once");
    names.add(part.name);
    checkMembers(part.name, part, MEMBERS);
  }
  return parts.map(adapt);
}

function checkMembers(name: string, object: object, known: ReadonlySet<string>): void {
  for (const [member, value] of Object.entries(object)) {
    if (!known.has(member)) {
      throw faultOf(name, `has ${JSON.stringify(member)}, expected ${nameKnown(member, [...known])}`);
    }
    if (member !== "name" && value !== undefined && typeof value !== "function") {
      throw faultOf(name, `has ${member} of type ${typeof value}, expected a function`);
    }
  }
}

function faultOf(name: string, what: string): ConfigError {
  return new ConfigError(`Cannot use parts: ${JSON.stringify(name)} ${what}`);
}

function adapt(part: OwnPart): Part {
  const { name } = part;
  let loaded: Promise<unknown> | undefined;
  let rules: Rules | undefined;
  // Asynchronous from the start, so that what it throws at once is a rejection too.
  const prepare = async () => await part.prepare!();
  const load = () =>
    loaded ??= prepare().catch((failure) => {
      loaded = undefined;
      throw failure;
    });
  return {
    name,
    ...part.prepare && { prepare: load },
    ...part.rules && { rules: () => rules ??= adaptRules(name, part.rules!()) },
    ...part.open && { open: (path, exchange) => askPage(part, path, exchange) },
    ...part.end && { end: (record) => ignoreFailure(() => part.end!(recordOf(record))) },
    ...part.close && { close: () => ignoreFailure(() => part.close!()) },
  };
}

function adaptRules(name: string, rules: OwnRules): Rules {
  atOnce(rules, `rules of ${name}`);
  checkMembers(name, rules, RULES);
  return {
    ...rules.meet &&
      { meet: (exchange) => takeReply(atOnce(rules.meet!(requestOf(exchange)), `meet of ${name}`)) },
    ...rules.decide && {
      decide: ({ origin, path }, method, exchange) =>
        // Addresses are shared by all proxies of a process, so the part gets a copy.
        void atOnce(
          rules.decide!({ origin: new URL(origin), path }, method, requestOf(exchange)),
          `decide of ${name}`,
        ),
    },
    ...rules.answer && {
      answer: (headers, _source, _origin, exchange) =>
        void atOnce(rules.answer!(new OwnHeaders(headers), requestOf(exchange)), `answer of ${name}`),
    },
  };
}

async function askPage(part: OwnPart, path: string, exchange: Exchange): Promise<Reply | undefined> {
  return path === "/" ? undefined : takeReply(await part.open!(path, requestOf(exchange)));
}

/** Refuses a promise: whatever it brings would come too late. */
function atOnce<T>(value: T, what: string): T {
  if (typeof (value as { then?: unknown } | undefined)?.then !== "function") return value;
  Promise.resolve(value).catch(() => {});
  throw new TypeError(`${what} returned a promise`);
}

/** Checks a reply, and copies it: the proxy adds headers for each caller. */
function takeReply(reply: Reply | undefined): Reply | undefined {
  if (reply === undefined) return undefined;
  const { status, body } = reply;
  const isBytes = body instanceof Uint8Array;
  const isEmpty = body === null || (isBytes && body.length === 0);
  const isBody = isEmpty || isBytes || body instanceof FlowBody;
  if (!Number.isInteger(status) || status < 200 || status > 599 || !isBody) {
    throw new TypeError("a part's reply has no status from 200 to 599, or no body");
  }
  if (NULL_BODY_STATUSES.has(status) && !isEmpty) {
    throw new TypeError(`a part's reply has a body with ${status}`);
  }
  const headers = new Fields();
  for (const [name, value] of reply.headers) {
    const lower = name.toLowerCase();
    if (!isToken(name) || !isFieldValue(value) || isHopByHop(lower) || RESERVED.test(lower)) {
      throw new TypeError(`a part's reply can't have ${JSON.stringify(name)}`);
    }
    if (lower !== "content-length") headers.append(lower, value, name);
  }
  if (isBytes && !NULL_BODY_STATUSES.has(status)) headers.set("content-length", String(body.length));
  return { status, headers, body: isEmpty ? null : body };
}

/** What a part may see of a request, made anew for each call. */
function requestOf({ incoming, path, caller, asker, record }: Exchange): PartRequest {
  const { method, url, headers } = incoming;
  return {
    incoming: { method, url, headers },
    path,
    caller: { address: caller.address, host: caller.host },
    asker,
    record: {
      get id() {
        return record.id;
      },
      time: record.time,
      method: record.method,
    },
  };
}

function recordOf(record: PartRecord): PartRecord {
  const { id, time, method, caller, target, status, bytesIn, bytesOut, headMs, totalMs, error } = record;
  return { id, time, method, caller, target, status, bytesIn, bytesOut, headMs, totalMs, error };
}

/** For what comes too late to fail a request. */
function ignoreFailure(work: () => unknown): void {
  try {
    Promise.resolve(work()).catch(() => {});
  } catch {
    // Nothing depends on it.
  }
}

/** The headers of a response as a part of others may change them: what is written is checked. Names are the same in any letters. */
export class OwnHeaders implements FieldWriter {
  readonly #headers: FieldWriter;

  constructor(headers: FieldWriter) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    return this.#headers.get(name.toLowerCase());
  }

  has(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  forEach(visit: (value: string, name: string, written: unknown) => void): void {
    this.#headers.forEach(visit);
  }

  [Symbol.iterator](): Iterator<[name: string, value: string]> {
    return this.#headers[Symbol.iterator]();
  }

  set(name: string, value: string): void {
    this.#headers.set(checkName(name), checkValue(name, value), name);
  }

  append(name: string, value: string): void {
    this.#headers.append(checkName(name), checkValue(name, value), name);
  }

  delete(name: string): void {
    if (!FIXED.test(name.toLowerCase()) || /^access/i.test(name)) this.#headers.delete(name.toLowerCase());
    else throw new TypeError(`a part can't drop ${name}`);
  }
}

function checkName(name: string): string {
  const lower = String(name).toLowerCase();
  if (isToken(name) && !isHopByHop(lower) && !FIXED.test(lower)) return lower;
  throw new TypeError(`a part can't set ${JSON.stringify(name)}`);
}

function checkValue(name: string, value: unknown): string {
  const text = String(value);
  if (isFieldValue(text)) return text;
  throw new TypeError(`a part can't set ${name}: its value is malformed`);
}
