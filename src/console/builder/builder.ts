/**
 * The request builder: its panels, and the draft they form.
 * @module
 */

import { find, Tabs } from "../page/dom.ts";
import { hasField } from "../page/format.ts";
import { isKey } from "../page/page-keys.ts";
import { openAuth } from "./auth-view.ts";
import { type BodyEditor, isOwnType, openBody, typeOf } from "./body-editor.ts";
import { BODY, type Draft, readParams, writeParams } from "./draft.ts";
import { findReason, type HeaderFacts, markHeaders } from "./header-rows.ts";
import { openRows, type Rows } from "./rows.ts";

/** The builder. */
export type Builder = ReturnType<typeof openBuilder>;

/** Makes the builder work; `onChange` runs after every change, `onSend` when the user sends the request. */
export function openBuilder(facts: HeaderFacts, onChange: () => void, onSend: () => void) {
  const form = find<HTMLFormElement>("builder");
  const { tabs, writeTabs } = openTabs(facts);
  const panels = openPanels(facts, writeTabs, onChange);
  find("address").addEventListener("input", panels.showParams);
  form.addEventListener("input", () => {
    panels.showCounts();
    onChange();
  });
  form.addEventListener("click", ({ target }) => {
    // A removed row, a chosen tab or file: no input event tells of them.
    if (target instanceof Element && target.closest("button:not(#send)")) onChange();
  });
  sendWith(form, onSend);
  return {
    read: (): Draft => ({ ...readDraft(), ...panels.read() }),
    /** Fills it. The chosen tab stays. */
    write(draft: Draft) {
      writeMethod(draft.method);
      find<HTMLInputElement>("address").value = draft.address;
      find<HTMLInputElement>("follow").checked = draft.follow;
      panels.write(draft);
      form.dispatchEvent(new Event("reset"));
      onChange();
    },
    /** Shows why the request can't be sent, and what is worth knowing of it; both may be empty. */
    tell(problem: string, note: string) {
      find("builder-problem").textContent = problem;
      find("builder-note").textContent = note;
    },
    present,
    tab: () => `tab-${tabs.chosen}`,
    choose: (id: string) => form.querySelector<HTMLElement>(`#${CSS.escape(id)}[role=tab]`)?.click(),
  };
}

function openPanels(facts: HeaderFacts, writeTabs: WriteTabs, onChange: () => void) {
  const address = find<HTMLInputElement>("address");
  const labels = { what: "Header", list: "header-names" };
  const headers = openRows(find("header-rows"), labels, () => showHeaders());
  const showRows = openTextMode(headers, () => showHeaders());
  const params = openRows(find("param-rows"), { what: "Parameter" }, () => {
    address.value = writeParams(address.value, params.readPairs());
  });
  const change = () => {
    showHeaders();
    onChange();
  };
  const body = openTypedBody(headers, change);
  const showAuth = openAuth(() => headers.readPairs(), (rows) => {
    headers.writePairs(rows);
    change();
  });
  const showCounts = () => {
    find("method-other").hidden = find<HTMLSelectElement>("method").value !== "";
    const { kind } = body.read();
    find("body-ignored").hidden = kind === "none" || !/^(?:GET|HEAD)$/.test(readDraft().method);
    writeTabs(params.read().length, headers.readPairs(), kind);
  };
  const showParams = () => params.writePairs(readParams(address.value));
  const showHeaders = () => {
    const rows = headers.readPairs();
    headers.mark(markHeaders(rows, facts));
    showAuth(rows);
    showCounts();
  };
  const write = (draft: Draft) => {
    showRows();
    headers.writePairs(draft.headers);
    body.write(draft);
    showParams();
    showHeaders();
  };
  const read = () => ({ headers: headers.readPairs(), ...body.read() });
  return { read, write, showParams, showCounts };
}

/** Headers as text, loaded when it is first asked for; the result shows rows again. */
function openTextMode(headers: Rows, onChange: () => void): () => void {
  let showRows = () => {};
  find("header-text").addEventListener("click", async () => {
    const { openHeaderText } = await import("../after-paint.ts");
    showRows = openHeaderText(headers, onChange);
  }, { once: true });
  return () => showRows();
}

/** The body, whose content type is a header row: another kind replaces the row that the builder itself set. */
function openTypedBody(headers: Rows, onChange: () => void): BodyEditor {
  let set: { kind: Draft["kind"]; file?: Draft["file"] } = { kind: "none" };
  const editor = openBody(onChange, (kind) => {
    const { file } = editor.read();
    const rows = headers.readPairs();
    const types = rows.filter(([name]) => name.toLowerCase() === "content-type");
    const isOurs = types.every(([, value]) => isOwnType(value, set.kind, set.file));
    if (types.length < 2 && isOurs) {
      const type = typeOf(kind, file);
      const others = rows.filter((row) => !types.includes(row));
      headers.writePairs(type === undefined ? others : [...others, ["content-type", type]]);
    }
    set = { kind, ...(file && { file }) };
    onChange();
  });
  return {
    read: editor.read,
    write(draft) {
      editor.write(draft);
      const { kind, file } = editor.read();
      set = { kind, ...(file && { file }) };
    },
  };
}

function sendWith(form: HTMLFormElement, onSend: () => void): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onSend();
  });
  form.addEventListener("keydown", (event) => {
    if (!isKey(event, "send")) return;
    event.preventDefault();
    onSend();
  });
}

/** Scrolls it into view, with an optional note, and leads to the part of this name; `""` for the first of the open tab. */
function present(note?: string, name?: string): void {
  find("request").scrollIntoView({ block: "start" });
  const place = name === "" ? findOpen() : findPart(name);
  const panel = place.closest("[role=tabpanel]")?.id;
  if (panel) find("builder").querySelector<HTMLElement>(`[aria-controls=${panel}]`)!.click();
  place.focus({ preventScroll: true });
  const isLong = place.id === "address" || (place.id === "body" && name !== BODY);
  if (!isLong) place.select();
  if (note) find("builder-note").textContent = note;
}

/** What holds the part of a name: the value of a row, the body, or the address. */
function findPart(name: string | undefined): HTMLInputElement | HTMLTextAreaElement {
  const names = [...find("builder").querySelectorAll<HTMLInputElement>(".field input:first-child")];
  const row = names.find(({ value }) => value !== "" && value.toLowerCase() === name?.toLowerCase());
  if (row?.nextElementSibling instanceof HTMLInputElement) return row.nextElementSibling;
  return find<HTMLInputElement | HTMLTextAreaElement>(name === BODY ? "body" : "address");
}

/** The first value of the tab that is open, or the body; the address, where there is none. */
function findOpen(): HTMLInputElement | HTMLTextAreaElement {
  const values = find("builder").querySelectorAll<HTMLInputElement>(
    "[role=tabpanel] :is(.field input:nth-child(2), #body)",
  );
  return [...values].find((field) => field.value !== "" && field.checkVisibility()) ?? find("address");
}

function readDraft(): Pick<Draft, "method" | "address" | "follow"> {
  return {
    method: find<HTMLSelectElement>("method").value || find<HTMLInputElement>("method-other").value.trim(),
    address: find<HTMLInputElement>("address").value,
    follow: find<HTMLInputElement>("follow").checked,
  };
}

function writeMethod(method: string): void {
  const select = find<HTMLSelectElement>("method");
  select.value = method;
  if (select.value !== "") return;
  // One that is not listed leaves none chosen.
  select.value = "";
  find<HTMLInputElement>("method-other").value = method;
}

type WriteTabs = (params: number, headers: Draft["headers"], kind: Draft["kind"]) => void;

/** The tabs, with what there is in each. The headers are counted as they go out, so the figure is not that of the rows. */
function openTabs(facts: HeaderFacts) {
  const tabs = new Tabs("Parts of the request", (name) => find(`panel-${name}`), undefined, "tab");
  const writeTabs: WriteTabs = (params, headers, kind) => {
    const sent = headers.filter(([name]) => findReason(name, facts) === undefined).length;
    const all = headers.length;
    tabs.write([
      { name: "params", label: "Params", mark: String(params || "") },
      { name: "headers", label: "Headers", mark: sent === all ? String(all || "") : `${sent} of ${all}` },
      { name: "auth", label: "Auth", mark: hasField(headers, "authorization") ? "•" : "" },
      { name: "body", label: "Body", mark: kind === "none" ? "" : "•" },
      { name: "options", label: "Options" },
      { name: "saved", label: "Saved" },
    ]);
  };
  find("builder-tabs").replaceWith(tabs.element);
  writeTabs(0, [], "none");
  tabs.choose("headers");
  return { tabs, writeTabs };
}
