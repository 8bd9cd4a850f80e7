/**
 * The selectors: how a caller names a target.
 * @module
 */

/**
 * `header`, `cookie` and `label` are the host selectors. `preset` is the setting `TARGET`, used without them. `url` and
 * `arg` give a whole address, `at` a label in the path.
 */
export type Selector = "header" | "cookie" | "label" | "preset" | "url" | "arg" | "at";

/** True for a selector by which every path outside `/__proxy__/` leads to the target; false for `url`, `arg` and `at`. */
export function isByHost(selector: Selector): boolean {
  return selector !== "url" && selector !== "arg" && selector !== "at";
}

/** The names of the forms of other proxies, in the order in which they are tried: the narrowest comes first. */
export const ADDRESS_FORMS = ["git", "scalar", "corsproxy", "cors-anywhere"] as const;

/**
 * A form in which another proxy takes an address, named after the proxy that people know it from.
 * - `git`: `/github.com/o/r.git/info/refs?service=…`, for what git clients ask for only
 * - `scalar`: `/?scalar_url=…`
 * - `corsproxy`: `/?url=…` and `/?https://…`
 * - `cors-anywhere`: `/https://…` and `/example.com:443/…`
 *
 * @internal
 */
export type AddressForm = (typeof ADDRESS_FORMS)[number];
