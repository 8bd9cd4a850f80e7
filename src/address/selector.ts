/**
 * The ways in which a caller names a target.
 * @module
 */

/**
 * `header`, `cookie` and `label` are the host selectors; `preset` stands for the setting `TARGET`, where none of them is
 * there; `url` and `arg` give a whole address.
 */
export type Selector = "header" | "cookie" | "label" | "preset" | "url" | "arg";
