/**
 * Shows pictures, sound, films, and a still picture of a target's HTML in a frame without any rights: without scripts, and without
 * all that it would load or lead to.
 *
 * The frame's sandbox allows nothing: no scripts, no forms, no origin. The frame also inherits the console's policy, so
 * it loads nothing; but both would report each attempt in the browser's console. That policy allows styles by nonce only, so
 * the frame's styles get that nonce, but never the one for scripts.
 * @module
 */

import { element, hint } from "../page/dom.ts";
import { essenceOf, formatBytes } from "../page/format.ts";
import type { Content, View } from "./body/view.ts";

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

/** Elements that run, load or lead somewhere as a whole. */
const ACTIVE = "script, iframe, frame, frameset, object, embed, meta, link, base, style, template";
/** What reacts to clicks and keys. */
const LEADING = "a, area, button, input, select, textarea, summary, label, [tabindex], [contenteditable]";
/** Attributes with an address that is loaded; of links it is only followed. */
const LOADED = new Set([
  ...["src", "srcset", "imagesrcset", "poster", "background", "data", "action", "formaction", "ping"],
  ...["lowsrc", "dynsrc", "manifest", "codebase", "archive", "classid", "profile", "xlink:href", "href"],
]);
const STYLE_ATTRIBUTE = "data-fetchvia-style";
/** The type of scripts that are none: styles stand in them while the page is read. */
const STYLE_TYPE = "fetchvia-style";
/** A tag with its attributes; a `>` in quotes does not end it. */
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^'">])*/gi;
const QUIET = `${LEADING.split(", ").join(",")}{pointer-events:none!important}`;

interface TrustedPolicy {
  createHTML(text: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: TrustedPolicy): TrustedPolicy;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
/** The only place in the page that accepts markup. */
const policy: TrustedPolicy = trustedTypes?.createPolicy("preview", { createHTML: (text) => text }) ??
  { createHTML: (text) => text };

/** Its markup, as the policy wants it, and how many things were left out that it would load. */
function makeStill(html: string) {
  const parsed = new DOMParser().parseFromString(policy.createHTML(quieten(html)), "text/html");
  const left = { count: 0 };
  const sheets = [...parsed.querySelectorAll(`script[type="${STYLE_TYPE}"]`)].map((style) =>
    readStyle(style, left)
  );
  for (const active of parsed.querySelectorAll(ACTIVE)) {
    if (active.matches("iframe, frame, object, embed, meta[rel][href]")) left.count += 1;
    active.remove();
  }
  for (const element of parsed.querySelectorAll("*")) stillAttributes(element, left);
  for (const leading of parsed.querySelectorAll(LEADING)) leading.setAttribute("tabindex", "-1");
  const rules = [...parsed.querySelectorAll(`[${STYLE_ATTRIBUTE}]`)].map((styled, index) => {
    const declarations = readDeclarations(styled.getAttribute(STYLE_ATTRIBUTE) ?? "", left);
    styled.setAttribute(STYLE_ATTRIBUTE, String(index));
    return `[${STYLE_ATTRIBUTE}="${index}"]{${declarations}}`;
  });
  const sheet = parsed.createElement("style");
  sheet.setAttribute("nonce", readStyleNonce());
  sheet.textContent = [...sheets, ...rules, QUIET].join("\n").replace(/<\/style/gi, "<\\/style");
  parsed.head.append(sheet);
  const markup = policy.createHTML(`<!doctype html>${parsed.documentElement.outerHTML}`);
  return { markup, left: left.count };
}

/**
 * Renames before parsing what this page's policy would report: it applies to a document that a script parses too.
 * Links and bases become the one empty element that may stand in a head.
 */
function quieten(html: string): string {
  return html.replace(TAG, (tag) => {
    if (/^<\/style\b/i.test(tag)) return "</script";
    return tag.replace(/^<style(?![\w-])/i, `<script type="${STYLE_TYPE}"`)
      .replace(/^<base(?![\w-])/i, "<meta").replace(/^<link(?![\w-])/i, "<meta")
      .replace(/([\s"'/])style\s*=/gi, `$1${STYLE_ATTRIBUTE}=`)
      .replace(/([\s"'/])(on[a-z]+|http-equiv|nonce)\s*=/gi, "$1data-$2=");
  });
}

/** Takes a style sheet out of the page. The browser's own reading of it has no escapes and no imports. */
function readStyle(style: Element, left: { count: number }): string {
  const text = style.textContent ?? "";
  const media = style.getAttribute("media");
  style.remove();
  left.count += text.match(/@import/gi)?.length ?? 0;
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text.replace(/@import[^;]*;?/gi, ""));
    const rules = [...sheet.cssRules].filter((rule) => !(rule instanceof CSSFontFaceRule));
    const kept = dropAddresses(rules.map(({ cssText }) => cssText).join("\n"), left);
    return media ? `@media ${media.replace(/[{};]/g, "")}{${kept}}` : kept;
  } catch {
    return "";
  }
}

function readDeclarations(text: string, left: { count: number }): string {
  const { style } = document.createElement("i");
  style.cssText = text;
  return dropAddresses(style.cssText, left);
}

/** Pictures in the page itself stay. */
function dropAddresses(css: string, left: { count: number }): string {
  const [start = "", ...parts] = css.split(/url\(/i);
  const kept = parts.map((part) => {
    if (/^\s*["']?(?:data:image\/|#)/i.test(part)) return `url(${part}`;
    left.count += 1;
    return `url("data:,")${part.slice(part.indexOf(")") + 1)}`;
  });
  return start + kept.join("");
}

function stillAttributes(element: Element, left: { count: number }): void {
  const isLink = element.localName === "a" || element.localName === "area";
  for (const { name, value } of [...element.attributes]) {
    const lower = name.toLowerCase();
    if (lower.startsWith("on") || lower === "autofocus" || lower === "nonce") element.removeAttribute(name);
    else if (LOADED.has(lower)) {
      if (/^\s*(?:data:image\/|#)/i.test(value) && !isLink) continue;
      if (!isLink && !/^(?:action|formaction|ping|profile)$/.test(lower)) left.count += 1;
      element.removeAttribute(name);
      // Without an address a link would lose its look.
      if (isLink && lower === "href") element.setAttribute("href", "#");
    } else if (lower !== STYLE_ATTRIBUTE && /url\(\s*["']?(?!#|data:image\/)/i.test(value)) {
      element.removeAttribute(name);
    }
  }
}

/** Browsers hide it from `getAttribute`, but not from the page's own script. */
function readStyleNonce(): string {
  return document.querySelector<HTMLLinkElement>("link[rel=stylesheet]")?.nonce ?? "";
}
