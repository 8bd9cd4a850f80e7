/**
 * Shows pictures, sound, films, and a target's HTML in a frame without any rights.
 *
 * The frame's sandbox allows nothing: no scripts, no forms, no origin. The frame also inherits the console's policy, so
 * it loads nothing. That policy allows styles by nonce only, so the frame's styles get that nonce, but never the one
 * for scripts.
 * @module
 */

import { element, hint } from "../page/dom.ts";
import { essenceOf, formatBytes } from "../page/format.ts";
import type { Content, View } from "./body/view.ts";
import { makeStill } from "./still-page.ts";

/** Shows what a browser can show. It waits until all has arrived. */
export function makePreview(): View {
  const place = element("div", {}, element("p", { class: "empty" }, "The preview comes with the last byte."));
  let shown: Uint8Array | undefined;
  let blob = "";
  return {
    element: place,
    update({ bytes, type, readText, isRunning }: Content) {
      if (isRunning || (shown && shown.buffer === bytes.buffer && shown.length === bytes.length)) return;
      shown = bytes;
      URL.revokeObjectURL(blob);
      const kind = /^(image|audio|video)\//.exec(essenceOf(type))?.[1] as
        | "image"
        | "audio"
        | "video"
        | undefined;
      if (!kind) return place.replaceChildren(...renderPage(readText()));
      blob = URL.createObjectURL(new Blob([bytes], { type }));
      place.replaceChildren(renderMedia(kind, blob, `${type}, ${formatBytes(bytes.length)}`));
    },
  };
}

function renderMedia(kind: "image" | "audio" | "video", src: string, text: string): HTMLElement {
  const caption = hint(text);
  const shown = kind === "image"
    ? element("img", { src, alt: "The image that the target sent" })
    : element(kind, { src, controls: true });
  shown.addEventListener("load", () => {
    if (shown instanceof HTMLImageElement) caption.append(`, ${shown.naturalWidth} × ${shown.naturalHeight}`);
  });
  shown.addEventListener("error", () => caption.append(", which this browser cannot show"));
  return element("div", { class: "media" }, shown, caption);
}

function renderPage(html: string): HTMLElement[] {
  const frame = element("iframe", {
    class: "preview",
    sandbox: "",
    referrerpolicy: "no-referrer",
    title: "Preview of the response",
  });
  const { markup, left } = makeStill(html);
  frame.srcdoc = markup as string;
  const files = left === 0 ? "" : ` Left out: ${left} ${left === 1 ? "thing" : "things"} that it would load.`;
  return [
    hint(`A still picture: scripts, links and forms are off.${files}`),
    frame,
  ];
}
