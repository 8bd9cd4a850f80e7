/**
 * Shows a body: pretty, as events, as the fields of a form, as a preview, as raw text or as bytes.
 * @module
 */

import { readCodings } from "../../parts/capture/decode-body.ts";
import { button, copyButton, element, say, Tabs } from "../page/dom.ts";
import { formatBytes } from "../page/format.ts";
import { isKey } from "../page/page-keys.ts";
import { listViews, type ViewName } from "./body/body-kind.ts";
import { BodyState } from "./body/body-state.ts";
import { makeCompletionView } from "./body/completion-view.ts";
import { decodeBody, type Decoded } from "./body/decoding.ts";
import { makeFormView } from "./body/form-view.ts";
import { makeEventView, makeHexView, makeJsonView, makeTextView } from "./body/line-view.ts";
import { SearchBar } from "./body/search-bar.ts";
import type { BodyTimes, View } from "./body/view.ts";
import { makePreview } from "./preview.ts";

/** A body to show. */
export interface ShownBody {
  bytes: Uint8Array<ArrayBuffer>;
  /** Its media type as in `Content-Type`; `""` if none. */
  type: string;
  /** The codings that are still on the bytes, as in `Content-Encoding`; `""` if none. */
  encoding: string;
  /** The bytes without those codings, where the proxy took them off; otherwise the browser does. */
  decoded?: Uint8Array<ArrayBuffer> | undefined;
  name: string;
  /** Bytes in whole, if more passed than are here. */
  size: number;
  isRunning: boolean;
  /** When its parts arrived, where that is known. */
  times?: BodyTimes | undefined;
  /** Gets all of a body that is too long to be shown. */
  fetchWhole?: ((signal: AbortSignal) => Promise<Blob>) | undefined;
}

const VIEWS: Readonly<Record<ViewName, () => View>> = {
  Pretty: makeJsonView,
  Completion: makeCompletionView,
  Events: makeEventView,
  Form: makeFormView,
  Preview: makePreview,
  Raw: makeTextView,
  Hex: makeHexView,
};

const shown = new WeakMap<HTMLElement, BodyView>();

/**
 * Shows a body in `place`, and replaces what stands there.
 *
 * Called again with the same place, it keeps the chosen view; with more of the same body also folds, search, position and
 * selection.
 */
export function showBody(place: HTMLElement, body: ShownBody): void {
  let view = shown.get(place);
  if (!view) shown.set(place, view = new BodyView());
  if (place.firstChild !== view.element || place.childNodes.length !== 1) place.replaceChildren(view.element);
  view.show(body);
}

class BodyView {
  readonly element: HTMLElement;
  readonly #panel = element("div", { class: "body-panel" });
  readonly #tools = element("div", { class: "body-tools" });
  readonly #note = element("p", { class: "hint body-note" });
  readonly #tabs = new Tabs<ViewName>("Views of the body", () => this.#panel, (name) => this.#choose(name));
  readonly #search = new SearchBar(() => this.#view?.element.focus());
  readonly #find = button("Find", () => this.#search.open(), { class: "quiet small" });
  readonly #copy = copyButton("body", () => this.#view?.readAll?.() ?? "");
  readonly #save = button("Save", () => void this.#saveBody());
  readonly #views = new Map<ViewName, View>();
  #state = new BodyState("");
  #body: ShownBody | undefined;
  #view: View | undefined;
  #chosen: ViewName | undefined;
  #decoded: Decoded | undefined;
  #isDecoding = false;
  /** While all of a long body is fetched. */
  #fetching: AbortController | undefined;

  constructor() {
    this.#nameSave();
    this.element = element(
      "div",
      { class: "body-view" },
      element("div", { class: "body-bar" }, this.#tabs.element, this.#tools),
      this.#search.element,
      this.#panel,
      this.#note,
    );
    this.element.addEventListener("keydown", (event) => {
      if (!isKey(event, "find") || !this.#view?.lines) return;
      event.preventDefault();
      this.#search.open();
    });
  }

  show(body: ShownBody): void {
    this.#body = body;
    if (readCodings(body.encoding).length === 0) {
      this.#decoded = undefined;
      this.#take(body, body.bytes);
    } else if (!this.#isDecoding) void this.#decode();
  }

  /** Decodes, and again if more has come meanwhile. */
  async #decode(): Promise<void> {
    this.#isDecoding = true;
    let done: ShownBody | undefined;
    while (this.#body && done !== this.#body) {
      done = this.#body;
      const decoded = done.decoded ? { bytes: done.decoded } : await decodeBody(done.bytes, done.encoding);
      if (done !== this.#body) continue;
      this.#decoded = decoded;
      this.#take(done, decoded.bytes);
    }
    this.#isDecoding = false;
  }

  #take(body: ShownBody, bytes: Uint8Array<ArrayBuffer>): void {
    const { type, isRunning, size } = body;
    const wasEmpty = this.#state.bytes.length === 0;
    const hasGrown = bytes.length > this.#state.bytes.length;
    if (wasEmpty || this.#state.type !== type || !this.#state.isContinuedBy(bytes)) {
      this.#state = new BodyState(type);
      this.#views.clear();
      this.#view = undefined;
    }
    const isWhole = !isRunning && size <= body.bytes.length && !this.#decoded?.problem;
    // Only what comes while one watches has a time that is known.
    const time = isRunning && hasGrown ? Date.now() : undefined;
    const times = bytes === body.bytes ? body.times : undefined;
    this.#state.update(bytes, { isRunning, isWhole, time, times });
    const names = listViews(type, bytes, () => this.#state.readText());
    this.#tabs.write(names.map((name) => ({ name })));
    const isKept = this.#view && this.#tabs.chosen && names.includes(this.#tabs.chosen);
    if (isKept) this.#view?.update(this.#state.content);
    else this.#open(this.#chosen && names.includes(this.#chosen) ? this.#chosen : names[0] ?? "Raw");
    this.#search.renew();
    this.#tell();
  }

  #choose(name: ViewName): void {
    this.#chosen = name;
    this.#open(name);
    this.#tell();
  }

  #open(name: ViewName): void {
    let view = this.#views.get(name);
    if (!view) {
      this.#views.set(name, view = VIEWS[name]());
      view.onProgress = () => this.#tell();
    }
    this.#view = view;
    this.#tabs.choose(name);
    this.#panel.replaceChildren(view.element);
    this.#search.attach(view);
    this.#find.hidden = !view.lines;
    this.#copy.hidden = !view.readAll;
    this.#tools.replaceChildren(...view.tools ?? [], this.#find, this.#copy, this.#save);
    view.update(this.#state.content);
  }

  #tell(): void {
    const body = this.#body;
    if (!body) return;
    const { bytes } = body;
    const size = Math.max(body.size, bytes.length);
    const codings = readCodings(body.encoding).join(", ");
    const isDecoded = codings !== "" && this.#decoded?.bytes !== bytes;
    const notes = [
      body.type,
      isDecoded
        ? `${formatBytes(size)} ${codings}, ${formatBytes(this.#state.bytes.length)} decoded`
        : formatBytes(size),
      size > bytes.length ? `only the first ${formatBytes(bytes.length)} are kept` : "",
      this.#view?.readNote?.() ?? "",
      this.#decoded?.problem ?? "",
    ];
    const text = notes.filter((note) => note !== "").join(" · ");
    if (this.#note.textContent !== text) this.#note.textContent = text;
  }

  #nameSave(): void {
    this.#save.textContent = this.#fetching ? "Stop saving" : "Save";
    this.#save.setAttribute("aria-label", this.#fetching ? "Stop saving" : "Save body");
  }

  /** Saves what is here, or all of a body that is longer: a request that only reads is sent again for it. */
  async #saveBody(): Promise<void> {
    if (this.#fetching) return this.#fetching.abort();
    const { name = "body", fetchWhole } = this.#body ?? {};
    const { bytes, content } = this.#state;
    if (!fetchWhole) return saveFile(bytes, content.isWhole ? name : `${name}.part`);
    const { signal } = this.#fetching = new AbortController();
    this.#nameSave();
    say("Sent again to save all of it");
    const whole = await fetchWhole(signal).catch(() => undefined);
    this.#fetching = undefined;
    this.#nameSave();
    if (signal.aborted) return say("Nothing saved");
    if (!whole) say("The whole body cannot be had again: its beginning is saved");
    saveFile(whole ?? bytes, whole ? name : `${name}.part`);
  }
}

/** Browsers read the file some time after the click. */
const KEPT_MS = 60_000;

/** Saves bytes under this name. The type says nothing, so that the browser opens nothing. */
export function saveFile(bytes: Uint8Array<ArrayBuffer> | Blob, name: string): void {
  const href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = element("a", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
