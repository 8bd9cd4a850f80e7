/**
 * The id of this page: what it sends is shown to it unmasked. It is not stored, because a target's page could read it there.
 * @module
 */

const BYTES = 16;

let made: string | undefined;

/** The id: 32 hexadecimal digits, made once for each load of the page. */
export function readViewer(): string {
  made ??= [...crypto.getRandomValues(new Uint8Array(BYTES))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return made;
}
