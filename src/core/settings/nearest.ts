/**
 * Finds the name that an unknown name was probably meant to be.
 * @module
 */

/** A name with this many letters may differ in two of them, a shorter one in one. */
const LONG = 6;

/**
 * The first of the known names that differs least from a name, if it differs little. Case, `-` and `_` do not count.
 *
 * @param most how many letters may differ; by default one, or two in a long name
 */
export function findNearest(name: string, known: readonly string[], most?: number): string | undefined {
  return nearestOf(known)(name, most);
}

/** Finds one name after the other among the same known names, which are read once. */
export function nearestOf(known: readonly string[]): (name: string, most?: number) => string | undefined {
  const others = known.map((other) => [other, normalize(other)] as const);
  return (name, most = name.length < LONG ? 1 : 2) => {
    const wanted = normalize(name);
    let nearest: string | undefined;
    // A few letters are near everything.
    let least = Math.min(most, Math.floor(wanted.length / 2)) + 1;
    for (const [other, letters] of others) {
      const distance = measure(wanted, letters, least - 1);
      if (distance < least) [nearest, least] = [other, distance];
    }
    return nearest;
  };
}

/** Names what would be known, for the end of a message about an unknown name: the nearest one first. */
export function nameKnown(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  const others = known.filter((other) => other !== nearest).join(", ");
  const oneOf = known.length > 1 ? `one of ${others}` : others;
  return nearest === undefined ? oneOf : [nearest, oneOf].filter(Boolean).join(", or ");
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** Counts the letters that are changed, missing, too many, or swapped with their neighbour; stops beyond the limit. */
function measure(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return Infinity;
  let last: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let column = 0; column < other.length; column += 1) {
      const isSame = one[at] === other[column];
      const isSwapped = at > 0 && column > 0 && one[at] === other[column - 1] &&
        one[at - 1] === other[column];
      next.push(Math.min(
        next[column]! + 1,
        row[column + 1]! + 1,
        row[column]! + (isSame ? 0 : 1),
        isSwapped ? last[column - 1]! + 1 : Infinity,
      ));
    }
    [last, row] = [row, next];
    if (Math.min(...last, ...row) > limit) return Infinity;
  }
  return row.at(-1)!;
}
