/**
 * The id of this tab: what it sends is shown to it unmasked.
 * @module
 */

const NAME = "fetchvia-viewer";
const BYTES = 16;

/** The id: 32 hexadecimal digits, made once for each tab. */
export function readViewer(): string {
  const known = read();
  if (known !== null && /^[0-9a-f]{32}$/.test(known)) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const made = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  keep(made);
  return made;
}

/** Used where the browser stores nothing. */
let held: string | null = null;

function read(): string | null {
  try {
    return sessionStorage.getItem(NAME) ?? held;
  } catch {
    return held;
  }
}

function keep(id: string): void {
  held = id;
  try {
    sessionStorage.setItem(NAME, id);
  } catch {
    // It lasts until the page is left.
  }
}
