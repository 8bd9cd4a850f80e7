/**
 * The header of an answer: what the target sent, and what this proxy made of it.
 * @module
 */

import { copyButton, element } from "../page/dom.ts";
import type { Lines } from "../page/format.ts";

/** A field as it is listed. */
export interface ListedField {
  name: string;
  /** The target's line; absent for a field that it did not send. */
  sent?: string;
  /** What this proxy makes of it, if that is something else. */
  ours?: string;
  /** Why `ours` differs; absent if it does not. */
  fate?: "added" | "changed" | "removed";
}

/**
 * Lists the fields of an answer. Those that the proxy did not touch come as they are; of the others the target's lines
 * stand beside ours.
 *
 * @param headers what the proxy answers with
 * @param changed the fields that differ by lower-case names, with the target's lines
 */
export function listFields(
  headers: Lines,
  changed: readonly (readonly [name: string, lines: readonly string[]])[] = [],
): ListedField[] {
  const differing = new Map(changed);
  const names = new Set([...headers.map(([name]) => name.toLowerCase()), ...differing.keys()]);
  return [...names].flatMap((name): ListedField[] => {
    const lines = headers.filter(([other]) => other.toLowerCase() === name);
    const sent = differing.get(name);
    if (!sent) return lines.map(([written, value]) => ({ name: written, sent: value }));
    return pairLines(lines[0]?.[0] ?? name, sent, lines.map(([, value]) => value));
  });
}

/** Lines that both have are not marked; the others are paired in their order. */
function pairLines(name: string, sent: readonly string[], ours: readonly string[]): ListedField[] {
  const left = [...ours];
  const rest: string[] = [];
  const same: ListedField[] = [];
  for (const line of sent) {
    const index = left.indexOf(line);
    if (index === -1) rest.push(line);
    else same.push({ name, sent: left.splice(index, 1)[0] ?? line });
  }
  const pairs = Array.from({ length: Math.max(rest.length, left.length) }, (_, index): ListedField => {
    const [theirs, mine] = [rest[index], left[index]];
    if (theirs === undefined) return { name, ours: mine ?? "", fate: "added" };
    return mine === undefined
      ? { name, sent: theirs, fate: "removed" }
      : { name, sent: theirs, ours: mine, fate: "changed" };
  });
  return [...same, ...pairs];
}

const TAGS = {
  added: "by fetchvia",
  changed: "changed by fetchvia",
  removed: "removed by fetchvia",
} as const;

/** Shows the fields of an answer. */
export function renderFields(fields: readonly ListedField[]): HTMLElement {
  const text = fields.filter(({ sent }) => sent !== undefined).map(({ name, sent }) => `${name}: ${sent}`)
    .join("\n");
  const rows = fields.flatMap(({ name, sent, ours, fate }) => [
    element("dt", {}, name, fate && element("small", { class: "tag" }, TAGS[fate])),
    element(
      "dd",
      { class: fate },
      sent !== undefined && (fate === "removed" ? element("del", {}, sent) : sent),
      ours !== undefined && fate === "changed" &&
        element("small", { class: "ours" }, "as sent: ", element("ins", {}, ours)),
      ours !== undefined && fate === "added" && element("ins", {}, ours),
    ),
  ]);
  return element(
    "div",
    { class: "fields-part" },
    element("div", { class: "body-tools" }, copyButton("headers", () => text)),
    element(
      "div",
      { class: "headers-scroll", tabindex: 0, role: "group", "aria-label": "Header fields" },
      element("dl", { class: "headers" }, ...rows),
    ),
  );
}
