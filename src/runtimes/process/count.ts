/**
 * Formats counts for messages.
 * @module
 */

/** Formats a number with its noun: `1 key`, `2 keys`. */
export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
