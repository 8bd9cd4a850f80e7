/** Tables for `it.each` whose columns are named once, above their rows. */

/** What a row holds in a column; nothing where it is shorter. */
type Cell<Row, Index> = Row extends unknown ? Index extends keyof Row ? Row[Index] : undefined : never;

/** A row with the names of its columns. */
type Named<Names extends readonly string[], Row> = {
  [Index in Extract<keyof Names, `${number}`> as Names[Index]]: Cell<Row, Index>;
};

/** The rows as objects, so that titles and tests name the columns. A shorter row lacks the last ones. */
export function cases<const Names extends readonly string[], Row extends readonly [unknown, ...unknown[]]>(
  names: Names,
  rows: readonly Row[],
): Named<Names, Row>[] {
  return rows.map((row) =>
    Object.fromEntries(row.map((value, at) => [names[at], value])) as Named<Names, Row>
  );
}

/** The words of a text, for lists of what has no blanks. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** Rows of two columns, by what they have in the first one: a row for each value of the second. */
export function grouped<const Names extends readonly [string, string], const Common, Each>(
  names: Names,
  groups: readonly (readonly [Common, readonly Each[]])[],
): ({ [Name in Names[0]]: Common } & { [Name in Names[1]]: Each })[] {
  const [common, each] = names;
  return groups.flatMap(([value, all]) =>
    all.map((one) =>
      ({ [common]: value, [each]: one }) as
        & { [Name in Names[0]]: Common }
        & { [Name in Names[1]]: Each }
    )
  );
}
