/**
 * Loads the inspector's own style sheet, which the first paint does not need.
 * @module
 */

import { element } from "../page/dom.ts";
import { ownAddress } from "../page/own-requests.ts";

let loaded: Promise<void> | undefined;

/** Loads it once. Ends when it applies, or when it cannot be had: then everything is readable, but plain. */
export function loadStyle(): Promise<void> {
  return loaded ??= new Promise((resolve) => {
    const known = document.querySelector<HTMLLinkElement>("link[rel=stylesheet]");
    const link = element("link", {
      rel: "stylesheet",
      href: ownAddress("console-inspector.css"),
      nonce: known?.nonce,
      load: () => resolve(),
      error: () => resolve(),
    });
    document.head.append(link);
  });
}
