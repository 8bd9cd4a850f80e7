/**
 * The ways in which a caller names a target.
 * @module
 */

/** `header`, `cookie` and `label` are the host selectors; `url` and `arg` give a whole address. */
export type Selector = "header" | "cookie" | "label" | "url" | "arg";
