/**
 * Compares two texts line by line.
 * @module
 */

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
