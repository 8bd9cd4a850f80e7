/**
 * Text as part of an HTML page.
 * @module
 */

/** The text with all that means something to HTML as references, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
