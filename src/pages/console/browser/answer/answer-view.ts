/**
 * Shows a response: status, times, headers and body. The body is shown as text, media or a static preview only.
 * @module
 */

import { copyButton, element, find } from "../page/dom.ts";
import { formatBytes, formatSpan, statusClass } from "../page/format.ts";
import { indentJson, renderJson } from "./json.ts";
import { renderPreview } from "./preview.ts";
import { MAX_SHOWN_BYTES, type Received } from "../builder/sending.ts";

/** One way to look at a body. */
interface View {
  name: string;
  render(): HTMLElement;
}

/** Fields that the proxy adds to responses of `arg`. */
const ADDED: Readonly<Record<string, RegExp>> = {
  "content-security-policy": /sandbox allow-scripts allow-forms allow-popups allow-downloads$/,
  "x-content-type-options": /^nosniff$/,
  "referrer-policy": /no-referrer$/,
  "x-final-url": /./,
  "proxy-status": /./,
};
const MAX_DUMP_BYTES = 4_096;
const DUMP_WIDTH = 16;

/** Addresses of blobs in the view; freed with the next response. */
let blobs: string[] = [];

/** Shows that nothing was sent yet. */
export function showNothing(): void {
  find("answer-view").replaceChildren(element(
    "div",
    { class: "empty" },
    element("p", {}, "Nothing sent yet."),
    element("p", {}, element("kbd", {}, "Ctrl"), " + ", element("kbd", {}, "Enter"), " sends the request."),
  ));
}

/** Shows that a request is in flight, or how much of its response has arrived. */
export function showProgress(stop: () => void, received?: Received): void {
  const view = find("answer-view");
  const waiting = view.querySelector(".waiting-text");
  const text = received
    ? `${received.status} ${received.statusText} · ${formatBytes(received.body.length)} so far`
    : "Waiting for the target…";
  if (waiting) {
    waiting.textContent = text;
    return showStream(view, received);
  }
  view.replaceChildren(element(
    "div",
    { class: "waiting" },
    element("span", { class: "waiting-text" }, text),
    element("button", { type: "button", class: "small", click: stop }, "Stop"),
  ));
}

/** Shows that the request to the proxy failed. */
export function showFailure(message: string): void {
  find("answer-status").textContent = message;
  find("answer-view").replaceChildren(element("p", { class: "notice bad" }, message));
}

/** Shows a complete response. */
export function showAnswer(received: Received, method: string): void {
  for (const blob of blobs) URL.revokeObjectURL(blob);
  blobs = [];
  const { status, statusText, headMs, totalMs, body, headers } = received;
  find("answer-status").textContent = `Answered ${status} ${statusText} in ${formatSpan(totalMs)}, ${
    formatBytes(body.length)
  }`;
  find("answer-view").replaceChildren(
    element(
      "div",
      { class: "summary" },
      element(
        "strong",
        { class: `status ${statusClass(status)}` },
        `${status}${statusText && ` ${statusText}`}`,
      ),
      fact("headers", formatSpan(headMs)),
      fact("total", formatSpan(totalMs)),
      fact("size", `${formatBytes(body.length)}${received.isCut ? "+" : ""}`),
    ),
    ...renderNotes(received),
    renderParts(headers, listViews(received, method)),
  );
}

/** Shows a streamed text while it arrives. */
function showStream(view: HTMLElement, received: Received | undefined): void {
  if (!received || !/^text\/(?:event-stream|plain)/.test(typeOf(received))) return;
  let block = view.querySelector("pre");
  if (!block) {
    view.append(block = element("pre", { class: "body", tabindex: 0, "aria-label": "Body so far" }));
  }
  block.textContent = readText(received).slice(-20_000);
  block.scrollTop = block.scrollHeight;
}

function fact(name: string, value: string): HTMLElement {
  return element("span", { class: "fact" }, element("small", {}, name), ` ${value}`);
}

function renderNotes(received: Received): HTMLElement[] {
  const { status, headers, isOwn, isCut, broken, finalUrl } = received;
  const notes: HTMLElement[] = [];
  if (isOwn) {
    notes.push(
      element(
        "p",
        { class: "notice bad" },
        "fetchvia answered this itself: the target was not reached or not allowed.",
      ),
    );
    const setting = /To allow it, set ([A-Z_]+=[^\s"]+)/.exec(readText(received))?.[1];
    if (setting) notes.push(renderSetting(setting));
  }
  if (finalUrl) {
    notes.push(element("p", { class: "notice" }, "Redirects led to ", element("code", {}, finalUrl)));
  }
  const location = headers.find(([name]) => name === "location")?.[1];
  if (location && status >= 300 && status < 400) {
    notes.push(element("p", { class: "notice" }, "The target redirects to ", element("code", {}, location)));
  }
  if (isCut) {
    notes.push(
      element("p", { class: "notice" }, `Only the first ${formatBytes(MAX_SHOWN_BYTES)} are shown.`),
    );
  }
  if (broken) notes.push(element("p", { class: "notice bad" }, `The body was ${broken}.`));
  return notes;
}

/** Shows the setting that would have allowed the request. */
function renderSetting(setting: string): HTMLElement {
  const code = element("code", {}, setting);
  return element(
    "p",
    { class: "notice" },
    "This setting allows it: ",
    code,
    " ",
    copyButton("the setting", () => setting),
  );
}

/** Shows body views and headers, with one row of buttons. */
function renderParts(headers: Received["headers"], views: View[]): HTMLElement {
  const content = element("div", { class: "part" });
  const parts: View[] = [...views, {
    name: `Headers (${headers.length})`,
    render: () => renderHeaders(headers),
  }];
  const buttons = parts.map((part) => {
    const button = element("button", { type: "button", "aria-pressed": "false" }, part.name);
    button.addEventListener("click", () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      content.replaceChildren(part.render());
    });
    return button;
  });
  buttons[0]?.click();
  return element(
    "div",
    {},
    element("div", { class: "tabs", role: "group", "aria-label": "Parts of the answer" }, ...buttons),
    content,
  );
}

function renderHeaders(headers: Received["headers"]): HTMLElement {
  const text = headers.map(([name, value]) => `${name}: ${value}`).join("\n");
  const rows = headers.flatMap(([name, value]) => [
    element("dt", {}, name, ADDED[name]?.test(value) && element("small", { class: "tag" }, "by fetchvia")),
    element("dd", {}, value),
  ]);
  return element(
    "div",
    {},
    element("div", { class: "over" }, copyButton("headers", () => text)),
    element("dl", { class: "headers" }, ...rows),
  );
}

function listViews(received: Received, method: string): View[] {
  const { body, isCut } = received;
  if (body.length === 0) {
    const reason = method === "HEAD" ? "HEAD is answered without a body." : "The answer has no body.";
    return [{ name: "Body", render: () => element("p", { class: "empty" }, reason) }];
  }
  const type = typeOf(received);
  const media = mediaView(type, received);
  const isText = isTextual(type, body);
  const source: View = isText
    ? { name: "Source", render: () => renderText(readText(received)) }
    : { name: "Bytes", render: () => renderDump(received) };
  if (media) return [media, source];
  if (/^(?:text\/html|application\/xhtml\+xml)/.test(type)) {
    return [{ name: "Preview", render: () => renderPreview(readText(received)) }, source];
  }
  const tokens = isText && !isCut ? indentJson(readText(received)) : undefined;
  const isJson = tokens && (/json/.test(type) || /^[[{]/.test(tokens[0]?.text ?? ""));
  return isJson
    ? [{ name: "JSON", render: () => renderCopyable(renderJson(tokens)) }, source]
    : [{ ...source, name: isText ? "Text" : "Bytes" }];
}

function mediaView(type: string, { body }: Received): View | undefined {
  const kind = /^(image|audio|video)\//.exec(type)?.[1] as "image" | "audio" | "video" | undefined;
  if (!kind) return undefined;
  const name = kind === "image" ? "Image" : "Player";
  return {
    name,
    render() {
      const src = URL.createObjectURL(new Blob([body], { type }));
      blobs.push(src);
      const caption = element("p", { class: "hint" }, `${type}, ${formatBytes(body.length)}`);
      const shown = kind === "image"
        ? element("img", { src, alt: "The image that the target sent" })
        : element(kind, { src, controls: true });
      shown.addEventListener("load", () => {
        if (shown instanceof HTMLImageElement) {
          caption.append(`, ${shown.naturalWidth} × ${shown.naturalHeight}`);
        }
      });
      shown.addEventListener("error", () => caption.append(", which this browser cannot show"));
      return element("div", { class: "media" }, shown, caption);
    },
  };
}

function renderText(text: string): HTMLElement {
  return renderCopyable(element("pre", {}, text));
}

function renderCopyable(block: HTMLElement): HTMLElement {
  block.classList.add("body");
  block.tabIndex = 0;
  block.setAttribute("aria-label", "Body");
  return element(
    "div",
    {},
    element("div", { class: "over" }, copyButton("body", () => block.textContent ?? "")),
    block,
  );
}

/** Shows the first bytes in hexadecimal, and a link to save all. */
function renderDump(received: Received): HTMLElement {
  const { body } = received;
  const lines: string[] = [];
  for (let offset = 0; offset < Math.min(body.length, MAX_DUMP_BYTES); offset += DUMP_WIDTH) {
    const row = [...body.subarray(offset, offset + DUMP_WIDTH)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${offset.toString(16).padStart(6, "0")}  ${digits.padEnd(DUMP_WIDTH * 3)} ${text}`);
  }
  if (body.length > MAX_DUMP_BYTES) lines.push(`… ${formatBytes(body.length - MAX_DUMP_BYTES)} more`);
  const href = URL.createObjectURL(new Blob([body], { type: "application/octet-stream" }));
  blobs.push(href);
  const save = element("a", { class: "button small", href, download: "answer.bin" }, "Save");
  return element(
    "div",
    {},
    element("div", { class: "over" }, save),
    element("pre", { class: "body", tabindex: 0, "aria-label": "Bytes" }, lines.join("\n")),
  );
}

function typeOf({ headers }: Received): string {
  return (headers.find(([name]) => name === "content-type")?.[1] ?? "").toLowerCase();
}

function isTextual(type: string, body: Uint8Array): boolean {
  if (/^text\/|json|xml|javascript|x-www-form-urlencoded|svg/.test(type)) return true;
  return !body.subarray(0, 1_024).some((byte) => byte < 9 || (byte > 13 && byte < 32)) &&
    !/^(?:image|audio|video|font)\/|octet-stream|zip|pdf/.test(type);
}

function readText(received: Received): string {
  const charset = /charset="?([\w-]+)/.exec(typeOf(received))?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(received.body);
  } catch {
    return new TextDecoder().decode(received.body);
  }
}
