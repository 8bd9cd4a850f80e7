/**
 * Reads an address in the form of another proxy, and rewrites it as the equivalent link to `/__proxy__/`, so that every
 * rule for such links applies to it too.
 * @module
 */

import type { AddressForm } from "../../core/address/selector.ts";
import { isReserved, RESERVED } from "../../core/address/reserved-paths.ts";
import type { Config } from "../../core/settings/config.ts";
import type { Carried } from "../../core/who/host-selectors.ts";

/** The readers of the forms, loaded where the settings ask for one. */
let forms: typeof import("./forms.ts") | undefined;

/** Loads the readers, after which `readPath` can read paths synchronously. */
export async function loadForms(): Promise<void> {
  forms ??= await import("./forms.ts");
}

/** The path to use, and the form of the path that was sent. */
export interface ReadPath {
  readonly path: string;
  /** `undefined` for a path in none of the forms. */
  readonly form: AddressForm | undefined;
}

/**
 * Reads a path. A form counts only if the settings ask for it and nothing else determines a target: no host selector,
 * not even a malformed one, and no default target. If the settings ask for a form, `loadForms` must have ended before.
 *
 * @param path path and query as sent, without the mount path
 * @see specification 4.1, whose order still applies
 */
export function readPath(path: string, carried: Carried, { addressForms, target }: Config): ReadPath {
  const { header, cookie, label } = carried;
  const isDetermined = (header ?? cookie ?? label ?? target) !== undefined;
  if (addressForms.length === 0 || isDetermined || isReserved(path)) return { path, form: undefined };
  const written = forms!.readForm(path, addressForms);
  if (!written) return { path, form: undefined };
  return { path: `${RESERVED}/?url=${encodeURIComponent(written.address)}`, form: written.form };
}

/** How messages name the part of the request that holds the address. */
export function nameOf(form: AddressForm | undefined): string {
  if (form === "git" || form === "cors-anywhere") return "the path";
  return form === "scalar" ? "parameter scalar_url" : "parameter url";
}
