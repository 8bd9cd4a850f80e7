/**
 * A sealed response for the console: the browser acts on nothing in it, but its status is the target's.
 * @module
 */

import type { SealedHead } from "../../core/address/sealed-head.ts";
import type { FieldReader } from "../../core/http/fields.ts";
import type { Reply } from "../../core/http/reply.ts";
import { sealReply } from "../../core/way/sealed-reply.ts";

/** Seals a response; its body stays unchanged. The sealed head says which headers the proxy changed. */
export function sealAnswer(answer: Reply): Reply {
  const { status, statusText, received, headers } = answer;
  const changed = received && listChanges(received, headers);
  return { ...sealReply(answer, status, changed), ...(statusText !== undefined && { statusText }) };
}

/** Each header whose lines differ, with the lines that the target sent. */
function listChanges(received: FieldReader, sent: FieldReader): NonNullable<SealedHead["changed"]> {
  const before = readLines(received);
  const after = readLines(sent);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name): [string, string[]] => [name, before.get(name) ?? []])
    .filter(([name, lines]) => lines.join("\n") !== (after.get(name) ?? []).join("\n"));
}

function readLines(headers: FieldReader): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  headers.forEach((value, name) => {
    const known = lines.get(name);
    if (known) known.push(value);
    else lines.set(name, [value]);
  });
  return lines;
}
