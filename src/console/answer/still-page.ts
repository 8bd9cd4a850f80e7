/**
 * Makes a still picture of a page: without scripts, and without all that it would load or lead to.
 *
 * Sandbox and policy forbid that anyway, but would report each attempt in the browser's console.
 * @module
 */

/** Elements that run, load or lead somewhere as a whole. */
const ACTIVE =
  "script, iframe, frame, frameset, object, embed, applet, portal, meta, link, base, style, template";
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

/** A page that does nothing. */
export interface Still {
  /** Its markup, as the policy wants it. */
  markup: string;
  /** How many things were left out that it would load. */
  left: number;
}

/** Makes the still picture of a page. */
export function makeStill(html: string): Still {
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
