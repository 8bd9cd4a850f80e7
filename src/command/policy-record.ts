/**
 * Reads records of decisions (`AUDIT`), and counts what was sent: its memory grows with distinct requests alone (rule 22.33).
 * @module
 */

import { createReadStream } from "node:fs";
import { decodeAddress, portOf } from "../core/address/address.ts";
import { formatTargets } from "../core/address/target-lists.ts";
import { memoize } from "../core/http/memo.ts";
import { isRecord } from "../core/settings/option-values.ts";
import { parseMethods } from "../core/settings/request-lists.ts";
import { isExact } from "../parts/gate/targets/connection-members.ts";
import { decodePlace } from "../parts/gate/targets/place.ts";

/** How often something was sent, and when, in ISO 8601. */
export interface Seen {
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

/** What records hold: requests such as `api.example.com:443 POST https =/v1/items`, and lines that are none. */
export class Tally {
  readonly seen = new Map<string, Seen>();
  refused = 0;
  unused = 0;

  /** Counts the lines of one file; `-` is stdin. Notes the first lines that can't be used. Throws an error for a file that can't be read. */
  async read(file: string, callerId: string | undefined, note: (line: string) => void): Promise<void> {
    let number = 0;
    const take = (text: string, isWhole: boolean) => {
      number += 1;
      const fault = text.trim() && this.#count(text, callerId);
      if (!fault || (this.unused += 1) > MOST_NOTES) return;
      note(`line ${number} of ${JSON.stringify(file)} ${isWhole ? fault : "is torn: it has no end"}`);
    };
    const chunks: AsyncIterable<Uint8Array> = file === "-" ? process.stdin : createReadStream(file);
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const chunk of chunks) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop()!.slice(0, MOST_CHARACTERS + 1);
        for (const line of lines) take(line, true);
      }
    } catch {
      throw new Error(`Cannot read ${JSON.stringify(file)}, expected a file that AUDIT wrote`);
    }
    take(rest, false);
  }

  /** Counts one line; tells what is wrong with it, if something is. */
  #count(text: string, callerId: string | undefined): string | undefined {
    const line = readJson(text);
    if (!isRecord(line)) return "is no line of AUDIT, expected a JSON object";
    if (callerId !== undefined && line["caller_id"] !== callerId) return undefined;
    if (line["verdict"] === "refused") return void (this.refused += 1);
    const isBad = (name: string) => typeof line[name] !== "string" || !FORMS[name]!.test(line[name]);
    const bad = Object.keys(FORMS).find(isBad);
    if (bad) return `has a bad ${bad}, expected one that AUDIT wrote whole`;
    const { time, method, scheme, host, path } = line as Record<string, string>;
    const target = nameTarget(`${scheme!.replace("ws", "http")}://${host}`);
    if (!target) return "has a bad host, expected one that TARGETS can name";
    if (!parseMethods([method])) return "has a bad method, expected one that TARGETS can name";
    add(this.seen, `${target} ${method} ${scheme} =${path}`, { count: 1, first: time!, last: time! });
  }
}

const MOST_CHARACTERS = 8_192;
const MOST_NOTES = 20;
/** What the members must be like; a path that was cut ends with `…`. */
const FORMS: Readonly<Record<string, RegExp>> = {
  verdict: /^(?:allowed|would_refuse)$/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  method: /^[!#$%&'*+.^_`|~\w-]+$/,
  scheme: /^(?:http|ws)s?$/,
  host: /./,
  path: /^\/[!-"$->@-~]*$/,
};

/** The name of an entry for this origin alone; `undefined` for anything but an origin as the proxy writes it. */
const nameTarget = memoize((origin) => {
  const url = decodeAddress(origin)?.origin;
  const name = url?.origin === origin ? `${url.hostname.replace(/\.$/, "")}:${portOf(url)}` : "";
  const place = decodePlace(name);
  return place && isExact(place) ? formatTargets([place]) : undefined;
});

/** Adds to what is known under a name. */
export function add(known: Map<string, Seen>, name: string, { count, first, last }: Seen): void {
  const one = known.get(name) ?? { count: 0, first, last };
  const [from, to] = [one.first < first ? one.first : first, one.last > last ? one.last : last];
  known.set(name, { count: one.count + count, first: from, last: to });
}

function readJson(text: string): unknown {
  try {
    return text.length > MOST_CHARACTERS ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
