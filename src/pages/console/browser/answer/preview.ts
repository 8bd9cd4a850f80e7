/**
 * Shows a target's HTML in a frame without any rights.
 *
 * The frame's sandbox allows nothing: no scripts, no forms, no origin. The frame also inherits the console's policy, so
 * it loads nothing. That policy allows styles by nonce only, so the frame's styles get that nonce, but never the one
 * for scripts.
 * @module
 */

import { element } from "../page/dom.ts";

/** Elements that run or load something. The sandbox and the policy forbid them too. */
const ACTIVE = "script, iframe, object, embed, base, meta[http-equiv], link";
const STYLE_ATTRIBUTE = "data-fetchvia-style";

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

/** Makes the frame. */
export function renderPreview(html: string): HTMLElement {
  const frame = element("iframe", {
    class: "preview",
    sandbox: "",
    referrerpolicy: "no-referrer",
    title: "Preview of the answer",
  });
  frame.srcdoc = policy.createHTML(allowStyles(html, readStyleNonce()));
  return element(
    "div",
    {},
    element("p", { class: "hint" }, "A still picture: scripts, links to other files and forms are off."),
    frame,
  );
}

/** Gives every style the nonce. Style attributes cannot have one, so they become rules. */
function allowStyles(html: string, nonce: string): string {
  // Renamed before parsing: this page's policy applies to the parsed document too, and would report each style.
  const renamed = html.replace(
    /<[a-z][^>]*/gi,
    (tag) => tag.replace(/(\s)style\s*=/gi, `$1${STYLE_ATTRIBUTE}=`),
  )
    .replace(/<style\b/gi, `<style nonce="${nonce}"`);
  const parsed = new DOMParser().parseFromString(policy.createHTML(renamed), "text/html");
  for (const active of parsed.querySelectorAll(ACTIVE)) active.remove();
  const rules = [...parsed.querySelectorAll(`[${STYLE_ATTRIBUTE}]`)].map((styled, index) => {
    const declarations = styled.getAttribute(STYLE_ATTRIBUTE) ?? "";
    styled.setAttribute(STYLE_ATTRIBUTE, String(index));
    return `[${STYLE_ATTRIBUTE}="${index}"]{${declarations}}`;
  });
  const sheet = parsed.createElement("style");
  sheet.setAttribute("nonce", nonce);
  sheet.textContent = rules.join("\n");
  parsed.head.append(sheet);
  return `<!doctype html>${parsed.documentElement.outerHTML}`;
}

/** Browsers hide it from `getAttribute`, but not from the page's own script. */
function readStyleNonce(): string {
  return document.querySelector<HTMLLinkElement>("link[rel=stylesheet]")?.nonce ?? "";
}
