/**
 * Changes the request of one hop as its target's entry says: headers, query parameters, keys, Host (rules 8.2 and 9.2).
 * @module
 */

import { ProxyError } from "../../core/http/error.ts";
import { Derived, Fields, KeptFields, shapeOf } from "../../core/http/fields.ts";
import type { Entry, SetField } from "./targets/entry.ts";
import type { Dress, Exchange, HopRequest } from "../../core/exchange/exchange.ts";
import { checkKeyRights } from "./key-rights.ts";
import { type KeyDress, placeKeys } from "./placed-keys.ts";
import { redactResponse } from "./redact.ts";
import { type HeldBytes, SIGNING_PARAMETER } from "./sign/aws-signer.ts";
import type { TargetTable } from "./targets/table.ts";
import { memoize } from "../../core/http/memo.ts";
import { isOwnName } from "../../core/may/private-targets.ts";

/**
 * Returns the headers and the path that are sent to the target; `undefined` if the table changes nothing in them.
 *
 * @param held is shared by all requests of the proxy
 * @throws {ProxyError} `forbidden` if the caller may not use a key
 */
export function dress(
  hop: HopRequest,
  table: TargetTable,
  exchange: Exchange,
  held: HeldBytes,
): Dress | undefined {
  const { pardoned } = exchange.record;
  const found = table.find(hop.origin);
  const entry = found && pardoned ? dropKeys(found, pardoned) : found;
  const mayPlace = !pardoned && table.callerKeys.size > 0;
  if (!mayPlace && !(entry && changes(entry))) return undefined;
  const placed: KeyDress = mayPlace ? placeKeys(hop, entry, table.callerKeys, exchange) : hop;
  const { path, headers, sent } = entry ? applyEntry(placed, hop, entry, exchange) : placed;
  if (!sent) return { path, headers };
  const redact: Dress["redact"] = (response) => redactResponse(response, sent);
  const signer = entry?.signer;
  if (!signer) return { path, headers, redact };
  return { path, headers: signer.prepare(headers), redact, signing: signer.begin(held) };
}

/**
 * The entry without its keys, for a request that goes out although it was refused (rule 22.19).
 *
 * @throws {ProxyError} the refusal, where the key is that of a certificate: it is in the connection
 */
function dropKeys(entry: Entry, refusal: ProxyError): Entry {
  if (entry.tls?.key !== undefined) throw refusal;
  const isOpen = ({ keys }: SetField) => keys.length === 0;
  const { set, setQuery } = entry;
  return {
    ...entry,
    ownKeys: new Map(),
    signer: undefined,
    set: set.filter(isOpen),
    setQuery: setQuery.filter(isOpen),
  };
}

function applyEntry(placed: KeyDress, hop: HopRequest, entry: Entry, exchange: Exchange): KeyDress {
  const { ownKeys, setQuery, signer } = entry;
  if (ownKeys.size > 0) checkKeyRights(exchange, hop.origin, hop.addresses);
  const sent = placed.sent && ownKeys.size > 0
    ? new Map([...placed.sent, ...ownKeys])
    : placed.sent ?? (ownKeys.size > 0 ? ownKeys : undefined);
  if (sent && entry.keepsHost) checkHostBeside(exchange, hop.origin);
  return {
    path: setParameters(placed.path, setQuery, signer !== undefined),
    headers: dressFields(placed.headers, sent !== undefined, entry, exchange),
    ...(sent && { sent }),
  };
}

/** Fields as an entry changes them, and all that decided them in addition to the fields before. */
interface DressedFields {
  readonly entry: Entry;
  readonly hasKey: boolean;
  readonly config: Exchange["config"];
  readonly host: string;
  readonly headers: KeptFields;
}

/** The changed fields of those that repeat. */
const DRESSED = new Derived<DressedFields>();

function dressFields(
  before: Dress["headers"],
  hasKey: boolean,
  entry: Entry,
  exchange: Exchange,
): Dress["headers"] {
  const { config, caller: { host } } = exchange;
  const shape = shapeOf(before);
  const known = DRESSED.recall(shape);
  const isSame = known?.entry === entry && known.hasKey === hasKey && known.config === config &&
    known.host === host;
  if (isSame) return known.headers.fillFrom(before);
  const changed = changeFields(hasKey ? dropNames(before, exchange) : before, entry, host);
  if (changed === before || !DRESSED.takes(shape)) return changed;
  const free = shape instanceof KeptFields ? shape.free : [];
  const own = entry.set.map(({ name }) => name);
  const headers = new KeptFields(new Fields(changed), free.filter((name) => !own.includes(name)));
  DRESSED.keep(shape, { entry, hasKey, config, host, headers });
  return headers.fillFrom(before);
}

function changes(entry: Entry): boolean {
  return changesFields(entry) || entry.setQuery.length > 0 || entry.signer !== undefined;
}

/** True if an entry changes fields. */
export function changesFields({ set, remove, keepsHost }: Entry): boolean {
  return set.length > 0 || remove.length > 0 || keepsHost;
}

function changeFields(headers: Dress["headers"], entry: Entry, host: string): Dress["headers"] {
  if (!changesFields(entry)) return headers;
  const { set, remove, keepsHost } = entry;
  const changed = new Fields(headers);
  for (const name of remove) changed.delete(name);
  for (const { name, value, written } of set) changed.set(name, value, written);
  if (keepsHost && host) changed.set("host", host);
  return changed;
}

/** Sets query parameters, and drops a signature of the caller's; the rest of the path stays the same byte for byte. */
function setParameters(path: string, fields: readonly SetField[], isSigned: boolean): string {
  const cut = path.indexOf("?");
  if (fields.length === 0 && (cut < 0 || !isSigned)) return path;
  const pathname = cut < 0 ? path : path.slice(0, cut);
  const names = new Set(fields.map(({ name }) => nameOf(name)));
  const parts = cut < 0 ? [] : path.slice(cut + 1).split("&");
  const kept = parts.map(nameOf).flatMap((name, at) =>
    names.has(name) || (isSigned && SIGNING_PARAMETER.test(name)) ? [] : [parts[at]]
  );
  if (fields.length === 0 && kept.length === parts.length) return path;
  const own = fields.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const query = [...kept, ...own].filter(Boolean).join("&");
  return query ? `${pathname}?${query}` : pathname;
}

/** A parameter's name, decoded as servers decode it. */
function nameOf(part: string): string {
  const [name = ""] = part.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/** Headers that some servers read in place of Host. */
const NAMING = /^(?:forwarded|x-forwarded-(?:host|server)|x-(?:original-)?host|x-(?:http-)?host-override)$/;
/** The `host` parameter of the `Forwarded` header that the proxy writes (RFC 7239 §5.3). */
const HOST_PARAMETER = /;host="[^"]*"/;

/** The naming headers that FORWARD_CLIENT writes. */
const WRITTEN = ["forwarded", "x-forwarded-host"];

/** Memoized, because the same few names recur. CGI reads `_` and `-` as the same character (RFC 3875 §4.1.18). */
const isNaming = memoize((name) => NAMING.test(name.replaceAll("_", "-")));

/** The headers of a request with a key, without those in which the caller names a host other than this proxy. */
export function dropNames(
  headers: Dress["headers"],
  exchange: Pick<Exchange, "caller" | "config">,
): Dress["headers"] {
  const names = new Set<string>();
  headers.forEach((_, name) => void (isNaming(name) && names.add(name)));
  if (names.size === 0) return headers;
  // With FORWARD_CLIENT, only the proxy writes these headers.
  const { config: { forwardClient } } = exchange;
  if (forwardClient && isOwnName(exchange)) { for (const name of WRITTEN) names.delete(name); }
  const bound = new Fields(headers);
  for (const name of names) {
    const value = name === "forwarded" && forwardClient ? headers.get(name) : null;
    if (value === null) bound.delete(name);
    else bound.set(name, value.replace(HOST_PARAMETER, ""));
  }
  return bound;
}

/**
 * Refuses to send the caller's own Host together with a key, unless that Host is a name of this proxy.
 *
 * @throws {ProxyError} `forbidden`
 */
function checkHostBeside(exchange: Exchange, { host }: URL): void {
  if (exchange.caller.host === "" || isOwnName(exchange)) return;
  throw new ProxyError(
    "forbidden",
    `Cannot use the key of ${host}: its entry sends the caller's Host, which is no name of this proxy. ` +
      "Name it in HOSTS, or use another Host",
    { names: ["HOSTS"] },
  );
}
