/**
 * HTML of a target as a picture of itself: in a frame that may do nothing.
 *
 * The frame is sandboxed without any allowance: no scripts, no forms, no origin. It inherits the policy of the console
 * too, so nothing in it loads anything. That policy takes styles by nonce only, so the frame's own get one;
 * the nonce for scripts never goes in.
 * @module
 */

import { element } from "./dom.ts";

/** What does something, or loads something; the sandbox and the policy forbid it as well. */
const ACTIVE = "script, iframe, object, embed, base, meta[http-equiv], link";
const STYLE_ATTRIBUTE = "data-fetchvia-style";

interface TrustedPolicy {
  createHTML(text: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: TrustedPolicy): TrustedPolicy;
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
/** The only door in the page that takes markup. */
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

/** Gives every style the nonce; style attributes, which can have none, become rules. */
function allowStyles(html: string, nonce: string): string {
  // Before it is parsed: this page's policy holds for the parsed document too, and would complain of each of them.
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
