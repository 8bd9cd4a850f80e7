/**
 * Saves bytes as a file.
 * @module
 */

import { element } from "../page/dom.ts";

/** Browsers read the file some time after the click. */
const KEPT_MS = 60_000;

/** Saves bytes under this name. The type says nothing, so that the browser opens nothing. */
export function saveFile(bytes: Uint8Array<ArrayBuffer> | Blob, name: string): void {
  const href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = element("a", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
