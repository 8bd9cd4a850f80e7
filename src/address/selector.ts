/**
 * The selectors: how a caller names a target.
 * @module
 */

/**
 * `header`, `cookie` and `label` are the host selectors. `preset` is the setting `TARGET`, used without them. `url` and
 * `arg` give a whole address.
 */
export type Selector = "header" | "cookie" | "label" | "preset" | "url" | "arg";
