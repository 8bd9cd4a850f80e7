/**
 * Dialogs over the page: the focus goes back to where it was.
 * @module
 */

import { type Child, element } from "./dom.ts";

/** Shows a dialog until Escape, or a click beside it; another one goes. */
export function openDialog(label: string, ...children: Child[]): HTMLDialogElement {
  const dialog = element("dialog", { class: "over", "aria-label": label }, ...children);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
