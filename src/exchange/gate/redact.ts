/**
 * Keeps keys out of what the proxy answers: a target may repeat its query in `Location` (contract 9).
 * @module
 */

import { type FieldReader, Fields } from "../../http/fields.ts";

/** The fields with `{{NAME}}` in place of each key that was sent. */
export function redactFields(headers: FieldReader, sent: ReadonlyMap<string, string>): FieldReader {
  const spellings = [...sent].flatMap(([name, value]) =>
    [value, encodeURIComponent(value)].map((spelling) => [spelling, `{{${name}}}`] as const)
  );
  const redacted = new Fields();
  headers.forEach((value, name) => {
    let clean = value;
    for (const [spelling, mark] of spellings) if (spelling) clean = clean.replaceAll(spelling, mark);
    redacted.append(name, clean);
  });
  return redacted;
}
