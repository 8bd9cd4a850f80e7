/**
 * Tells what becomes of each header row: by the proxy's own tables, so that no field is lost in silence.
 * @module
 */

import type { Lines } from "../page/format.ts";
import { isCallerIdentity, isFieldValue, isHopByHop, isToken } from "../../core/http/headers.ts";
import type { PageFacts } from "../../parts/console/page-facts.ts";
import { isLeftOut } from "../../core/http/owned-fields.ts";

/** What is said of a row. */
export interface HeaderMark {
  /** `out`: the field does not go out. `wrong`: it can't. `note`: it goes out, and something is worth knowing. */
  kind: "out" | "wrong" | "note";
  text: string;
}

/** The part of the settings that decides. */
export type HeaderFacts = Partial<Pick<PageFacts, "namesCaller">>;

/** Fields that a message has once at most (RFC 9110 §5.3: their values are no lists). */
const SINGLE: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
  "from",
  "if-modified-since",
  "if-unmodified-since",
  "origin",
  "range",
  "referer",
  "user-agent",
]);

/** The marks of all rows, in their order; `undefined` for a row of which there is nothing to say. */
export function markHeaders(
  headers: Lines,
  facts: HeaderFacts = {},
): (HeaderMark | undefined)[] {
  const counts = new Map<string, number>();
  for (const [name] of headers) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return headers.map(([name, value]) => markHeader(name, value, counts.get(name.toLowerCase()) ?? 1, facts));
}

/** Why a field does not go out; `undefined` if it does. */
export function findReason(name: string, { namesCaller }: HeaderFacts = {}): string | undefined {
  const lower = name.toLowerCase();
  if (lower === "host") return "the address names the host";
  if (lower === "content-length") return "the body sets its length";
  if (lower.startsWith("proxy-")) return "Proxy-* ends at the next hop, which is fetchvia";
  if (isHopByHop(lower)) return "it ends at the next hop, and each connection sets its own";
  if (namesCaller && isCallerIdentity(lower)) return "with FORWARD_CLIENT the proxy names the caller itself";
  return isLeftOut(lower) ? "the proxy sets it itself" : undefined;
}

function markHeader(
  name: string,
  value: string,
  count: number,
  facts: HeaderFacts,
): HeaderMark | undefined {
  if (name === "" && value === "") return undefined;
  if (name === "") return { kind: "wrong", text: "This value has no name" };
  if (!isToken(name)) return { kind: "wrong", text: `${name} is no header name` };
  if (!isFieldValue(value)) {
    return { kind: "wrong", text: "A value is Latin-1 text without control characters" };
  }
  const reason = findReason(name, facts);
  if (reason) return { kind: "out", text: `Does not go out: ${reason}` };
  if (count === 1) return undefined;
  const lower = name.toLowerCase();
  if (lower === "cookie") return { kind: "note", text: `Here ${count} times: joined by ; in one line` };
  const odd = SINGLE.has(lower) ? ", though a message has it once" : "";
  return { kind: "note", text: `Here ${count} times: each line goes out${odd}` };
}
