/**
 * Draws a part of the pane anew only if it has changed, so that scroll position and selection stay.
 * @module
 */

const drawn = new WeakMap<HTMLElement, string>();

/**
 * Draws what depends on `facts`.
 *
 * @param facts what JSON can hold
 * @returns true if it was drawn
 */
export function redraw(place: HTMLElement, facts: unknown, draw: () => readonly Node[]): boolean {
  const signature = JSON.stringify(facts);
  if (drawn.get(place) === signature) return false;
  drawn.set(place, signature);
  place.replaceChildren(...draw());
  return true;
}
