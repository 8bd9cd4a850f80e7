/**
 * What a media type is.
 * @module
 */

/** A media type without its parameters, in lower case. */
export function essenceOf(type: string): string {
  return (type.split(";", 1)[0] ?? "").trim().toLowerCase();
}
