/**
 * The parameters of an address, as rows. What was typed is never encoded again.
 * @module
 */

/** A parameter as it stands in the address. */
export type Param = [name: string, value: string];

/** An address in three parts; put together they are the same text. */
interface Split {
  before: string;
  /** Without `?`; `undefined` if there is none. */
  query: string | undefined;
  /** With `#`. */
  fragment: string;
}

/** The parameters, unchanged. A piece without `=` has an empty value. */
export function readParams(address: string): Param[] {
  const { query } = split(address);
  if (!query) return [];
  return query.split("&").map((piece) => {
    const at = piece.indexOf("=");
    return at < 0 ? [piece, ""] : [piece.slice(0, at), piece.slice(at + 1)];
  });
}

/**
 * Changes the parameters of an address. A piece whose row did not change stays to the byte (also `a` without `=`); of the others only what can't
 * stand in a query is encoded.
 *
 * @param rows those that the user sees; empty ones are left out
 */
export function writeParams(address: string, rows: readonly Param[]): string {
  const { before, query, fragment } = split(address);
  const old = query?.split("&") ?? [];
  const known = readParams(address);
  const used = new Set<number>();
  const pieces = rows.flatMap(([name, value], index) => {
    if (name === "" && value === "") return [];
    const isSame = (at: number) => !used.has(at) && known[at]?.[0] === name && known[at][1] === value;
    const found = isSame(index) ? index : known.findIndex((_, at) => isSame(at));
    if (found < 0) return [`${encodePart(name, true)}=${encodePart(value, false)}`];
    used.add(found);
    return [old[found] as string];
  });
  return before + (pieces.length > 0 ? `?${pieces.join("&")}` : "") + fragment;
}

/** Encodes what would end or split the parameter. `%41` stays, a single `%` becomes `%25`. */
function encodePart(text: string, isName: boolean): string {
  const encoded = text.replace(/%(?![\da-f]{2})/gi, "%25").replace(/[\s&#]/g, encodeURIComponent);
  return isName ? encoded.replaceAll("=", "%3D") : encoded;
}

function split(address: string): Split {
  const hash = address.indexOf("#");
  const plain = hash < 0 ? address : address.slice(0, hash);
  const mark = plain.indexOf("?");
  return {
    before: mark < 0 ? plain : plain.slice(0, mark),
    query: mark < 0 ? undefined : plain.slice(mark + 1),
    fragment: hash < 0 ? "" : address.slice(hash),
  };
}
