/**
 * Notices a pasted curl command.
 * @module
 */

import { find } from "../page/dom.ts";

/** True for text that begins a curl command. */
export function isCurl(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}

/** Hands pasted commands on. An input would join their lines. */
export function openCurlPaste(read: (text: string) => void): void {
  for (const id of ["address", "decode-input"]) {
    find(id).addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (!isCurl(text)) return;
      event.preventDefault();
      read(text);
    });
  }
}
