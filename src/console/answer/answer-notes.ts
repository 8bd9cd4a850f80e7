/**
 * What there is to say about an answer beside its body: why there is none, where redirects led, what is missing.
 * @module
 */

import { copyButton, element } from "../page/dom.ts";
import { findField } from "../page/find-field.ts";
import { formatBytes } from "../page/format.ts";
import { MAX_SHOWN_BYTES, type Received } from "../builder/sending.ts";
import { readCause } from "./cause.ts";

/** Makes the notes for an answer so far. */
export function renderNotes(received: Received, isRunning: boolean): HTMLElement[] {
  const { status, headers, isOwn, isCut, broken, finalUrl } = received;
  const notes: HTMLElement[] = [];
  if (isOwn && !isRunning) notes.push(...renderCause(received));
  if (finalUrl) notes.push(note("Redirects led to ", element("code", {}, finalUrl)));
  const location = findField(headers, "location");
  if (location && status >= 300 && status < 400) {
    notes.push(note("The target redirects to ", element("code", {}, location)));
  }
  if (!isOwn && (status === 401 || status === 403)) {
    notes.push(
      note("The console sends no cookies of this browser, only those in the request's own headers."),
    );
  }
  if (isCut) {
    notes.push(note(`Only the first ${formatBytes(MAX_SHOWN_BYTES)} are shown. Save names them .part.`));
  }
  if (broken) notes.push(element("p", { class: "notice bad" }, `The body was ${broken}.`));
  return notes;
}

function renderCause({ status, headers, body }: Received): HTMLElement[] {
  const proxyStatus = findField(headers, "proxy-status") ?? "";
  const { headline, detail, advice, setting } = readCause(
    status,
    proxyStatus,
    new TextDecoder().decode(body),
  );
  const said = element(
    "div",
    { class: "notice bad" },
    element("p", {}, element("strong", {}, headline)),
    element("p", {}, `fetchvia answered this itself${detail ? `: ${detail}` : "."}`),
  );
  return [
    said,
    ...(setting ? [renderSetting(setting)] : []),
    ...(advice ? [note(advice)] : []),
  ];
}

/** Shows what would have allowed the request. */
function renderSetting({ what, text }: { what: string; text: string }): HTMLElement {
  return note(`${what} `, element("code", {}, text), " ", copyButton("the setting", () => text));
}

function note(...children: (Node | string)[]): HTMLElement {
  return element("p", { class: "notice" }, ...children);
}
