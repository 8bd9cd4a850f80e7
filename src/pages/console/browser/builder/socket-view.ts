/** @module */
export function openSocket(..._: unknown[]): void {}
