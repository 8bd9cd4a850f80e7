/**
 * Compares a head before and behind the proxy, line by line.
 * @module
 */

import type { FieldLine } from "../../parts/capture/capture.ts";

/** What became of a line. */
export type ChangeState = "same" | "changed" | "removed" | "added";

/** One row: a line before the proxy beside its line behind it. */
export interface Change {
  /** Lower-case. */
  name: string;
  state: ChangeState;
  /** The whole line on each side; absent if there is none. */
  before?: FieldLine;
  after?: FieldLine;
}

/**
 * Compares the lines. Order and case of names mean nothing (RFC 9110 §5.3), order of equal names does: equal values are
 * paired first, then the others as they come.
 *
 * @returns in the order of `before`; lines that were added stand last
 */
export function compareFields(before: readonly FieldLine[], after: readonly FieldLine[]): Change[] {
  const taken = new Set<number>();
  const equal = groupPlaces(after, lineKey);
  const named = groupPlaces(after, nameKey);
  const rows: Change[] = before.map((line) => {
    const row: Change = { name: nameKey(line), state: "removed", before: line };
    const same = takePlace(equal, lineKey(line), taken);
    return same === undefined ? row : { ...row, state: "same", after: after[same] as FieldLine };
  });
  for (const row of rows.filter(({ state }) => state === "removed")) {
    const next = takePlace(named, row.name, taken);
    if (next !== undefined) Object.assign(row, { state: "changed", after: after[next] });
  }
  const left = after.filter((_, place) => !taken.has(place));
  return [...rows, ...left.map((line): Change => ({ name: nameKey(line), state: "added", after: line }))];
}

const nameKey = ([name]: FieldLine) => name.toLowerCase();
const lineKey = ([name, value]: FieldLine) => `${name.toLowerCase()}:${value}`;

/** The places of lines with the same key, the first one last: a file may hold very many lines of one name. */
function groupPlaces(lines: readonly FieldLine[], keyOf: (line: FieldLine) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (let place = lines.length - 1; place >= 0; place -= 1) {
    const key = keyOf(lines[place] as FieldLine);
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  return groups;
}

/** Takes the first place of a key that is not taken yet. */
function takePlace(groups: Map<string, number[]>, key: string, taken: Set<number>): number | undefined {
  const group = groups.get(key) ?? [];
  let place = group.pop();
  while (place !== undefined && taken.has(place)) place = group.pop();
  if (place !== undefined) taken.add(place);
  return place;
}

/** A sentence such as `2 changed, 1 removed, 3 added`. */
export function countChanges(changes: readonly Pick<Change, "state">[]): string {
  const states: ChangeState[] = ["changed", "removed", "added"];
  const counts = states.map((state) =>
    [changes.filter((change) => change.state === state).length, state] as const
  );
  const said = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  return said.length > 0 ? said.join(", ") : "nothing changed";
}
