/**
 * Compares a head before and behind the proxy, and two texts, line by line.
 * @module
 */

import type { Lines } from "../page/format.ts";

type FieldLine = Lines[number];

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
export function compareFields(before: Lines, after: Lines): Change[] {
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
function groupPlaces(lines: Lines, keyOf: (line: FieldLine) => string): Map<string, number[]> {
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

/** A line of a comparison: of both texts, or of one of them. */
export interface DiffLine {
  state: "same" | "removed" | "added";
  text: string;
}

/** Maximum pairs of lines that are compared with each other. */
const MOST_PAIRS = 4_000_000;

/**
 * The lines of both texts, with the fewest that are removed and added.
 *
 * @returns `undefined` if too many lines differ
 */
export function diffLines(before: string, after: string): DiffLine[] | undefined {
  const left = before.split("\n");
  const right = after.split("\n");
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const middle = diffMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end));
  const same = (text: string): DiffLine => ({ state: "same", text });
  return middle &&
    [...left.slice(0, start).map(same), ...middle, ...left.slice(left.length - end).map(same)];
}

/** By the longest common subsequence, found from the end. */
function diffMiddle(left: readonly string[], right: readonly string[]): DiffLine[] | undefined {
  const width = right.length + 1;
  if (left.length * right.length > MOST_PAIRS) return undefined;
  const common = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      common[at] = left[row] === right[column]
        ? common[at + width + 1]! + 1
        : Math.max(common[at + width]!, common[at + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length || column < right.length) {
    const at = row * width + column;
    if (row < left.length && left[row] === right[column]) {
      lines.push({ state: "same", text: left[row]! });
      row += 1;
      column += 1;
    } else if (column === right.length || (row < left.length && common[at + width]! >= common[at + 1]!)) {
      lines.push({ state: "removed", text: left[row++]! });
    } else lines.push({ state: "added", text: right[column++]! });
  }
  return lines;
}
