/**
 * Reads an address in the form of another proxy, and writes it as the link to `/__proxy__/` that means the same. So
 * every rule for that link holds for it too.
 * @module
 */

import type { AddressForm } from "../../core/address/selector.ts";
import { isReserved, RESERVED } from "../../core/address/reserved-paths.ts";
import type { Config } from "../../core/settings/config.ts";
import type { Carried } from "../../core/who/host-selectors.ts";

/** The readers of the forms, loaded where the settings ask for one. */
let forms: typeof import("./forms.ts") | undefined;

/** Loads them; once they are loaded, paths are read at once. */
export async function loadForms(): Promise<void> {
  forms ??= await import("./forms.ts");
}

/** The path that counts, and the form of the one that was sent. */
export interface ReadPath {
  readonly path: string;
  /** `undefined` for a path in no form. */
  readonly form: AddressForm | undefined;
}

/**
 * Reads a path. A form counts only if the settings ask for it and nothing else determines a target: no host selector,
 * not even a malformed one, and no default target. Where the settings ask for a form, `loadForms` comes before.
 *
 * @param path path and query as sent, without the mount path
 * @see specification 4.1, whose order stays in force
 */
export function readPath(path: string, carried: Carried, { addressForms, target }: Config): ReadPath {
  const { header, cookie, label } = carried;
  const isDetermined = (header ?? cookie ?? label ?? target) !== undefined;
  if (addressForms.length === 0 || isDetermined || isReserved(path)) return { path, form: undefined };
  const written = forms!.readForm(path, addressForms);
  if (!written) return { path, form: undefined };
  return { path: `${RESERVED}/?url=${encodeURIComponent(written.address)}`, form: written.form };
}

/** What the address is called in messages about it. */
export function nameOf(form: AddressForm | undefined): string {
  if (form === "git" || form === "cors-anywhere") return "the path";
  return form === "scalar" ? "parameter scalar_url" : "parameter url";
}
