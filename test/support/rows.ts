/**
 * Tables whose columns are named once: rows of cells become the objects that `it.each` names in its titles.
 * @module
 */

/** What stands in a column, in whichever rows have it. */
type Cell<Row, Column> = Row extends unknown ? Column extends keyof Row ? Row[Column] : undefined : never;

/** Gives each cell the name of its column; cells that a row leaves out at its end are undefined. */
export function rowsOf<const Names extends readonly string[], Cells extends readonly [unknown, ...unknown[]]>(
  names: Names,
  rows: readonly Cells[],
): { [Index in keyof Names & `${number}` as Names[Index] & string]: Cell<Cells, Index> }[] {
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]]))) as never;
}

/** The same for rows whose type is known where they go. */
export function typedRows<Row, const Names extends readonly (keyof Row)[] = readonly (keyof Row)[]>(
  names: Names,
  rows: readonly { readonly [Index in keyof Names]?: Row[Names[Index]] | undefined }[],
): Row[] {
  return rowsOf(names as readonly string[], rows as never) as never;
}

/** The words of a text; of a template as they are written, without escapes. Or what stands between its bars. */
export function words(text: string | TemplateStringsArray, ...values: string[]): string[] {
  const whole = (typeof text === "string" ? text : String.raw({ raw: text.raw }, ...values)).trim();
  return whole.split(whole.includes(" | ") ? /\s+\|\s+/ : /\s+/).filter(Boolean);
}

/** Rows of two columns, by what they have in the first one: a row for each value of the second. */
export function grouped<const Names extends readonly [string, string], const Common, Each>(
  [common, each]: Names,
  groups: readonly (readonly [Common, readonly Each[]])[],
): ({ [Name in Names[0]]: Common } & { [Name in Names[1]]: Each })[] {
  return groups.flatMap(([value, all]) => all.map((one) => ({ [common]: value, [each]: one }) as never));
}

/** Rows that differ only in one column, whose words are written behind it. */
export function alike<Column extends string, const Rest extends object = object>(
  column: Column,
  rest: Rest = {} as Rest,
): (text: TemplateStringsArray, ...values: string[]) => ({ [Name in Column]: string } & Rest)[] {
  return (...text) => words(...text).map((word) => ({ [column]: word, ...rest }) as never);
}

/** Rows of texts alone: a line for each, with bars between its cells. */
export function textRows<const Names extends readonly string[]>(
  names: Names,
): (text: TemplateStringsArray, ...values: string[]) => { [Name in Names[number]]: string }[] {
  return (text, ...values) =>
    String.raw({ raw: text }, ...values).trim().split("\n").map((line) => {
      const cells = line.split("|");
      return Object.fromEntries(names.map((name, at) => [name, cells[at]?.trim()])) as never;
    });
}
