/**
 * Compares a head before and behind the proxy, line by line.
 * @module
 */

import type { FieldLine } from "../../../../exchange/capture/capture.ts";

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
  const left = [...after];
  const rows: Change[] = before.map((line) => {
    const name = line[0].toLowerCase();
    const same = left.findIndex(([other, value]) => other.toLowerCase() === name && value === line[1]);
    const row: Change = { name, state: "removed", before: line };
    return same < 0 ? row : { ...row, state: "same", after: left.splice(same, 1)[0] as FieldLine };
  });
  for (const row of rows.filter(({ state }) => state === "removed")) {
    const next = left.findIndex(([other]) => other.toLowerCase() === row.name);
    if (next >= 0) Object.assign(row, { state: "changed", after: left.splice(next, 1)[0] });
  }
  return [
    ...rows,
    ...left.map((line): Change => ({ name: line[0].toLowerCase(), state: "added", after: line })),
  ];
}

/** A sentence such as `2 changed, 1 removed, 3 added`. */
export function countChanges(changes: readonly Change[]): string {
  const states: ChangeState[] = ["changed", "removed", "added"];
  const counts = states.map((state) =>
    [changes.filter((change) => change.state === state).length, state] as const
  );
  const said = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  return said.length > 0 ? said.join(", ") : "nothing changed";
}
