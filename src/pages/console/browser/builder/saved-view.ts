/**
 * The Saved panel: requests to load, rename and delete, and variables. Loaded when it is opened.
 * @module
 */

import { element, say } from "../page/dom.ts";
import type { Draft } from "./draft.ts";
import { openRows } from "./rows.ts";
import {
  ALL_HOSTS,
  dropRequest,
  isSecretVariable,
  renameRequest,
  type Saved,
  saveRequest,
  secretKey,
  setVariables,
} from "./saved.ts";
import { unpackDraft } from "./stored.ts";

/** What the panel works on. */
export interface SavedContext {
  read(): Saved;
  /** Stores it; false if that failed. */
  write(saved: Saved): boolean;
  /** Secret values of this tab. */
  secrets: Map<string, string>;
  draft(): Draft;
  load(draft: Draft): void;
  /** The origin of the address in the builder; `undefined` if it has none yet. */
  origin(): string | undefined;
  /** Names in the builder that have no value. */
  missing(): string[];
}

/** Fills the panel. The result shows it again, for a changed address. */
export function openSaved(place: HTMLElement, context: SavedContext): () => void {
  const list = element("ul", { class: "saved" });
  const name = element("input", {
    id: "save-name",
    autocomplete: "off",
    maxlength: 200,
    placeholder: "name",
  });
  const problem = element("p", { class: "hint", role: "status" });
  const write = (saved: Saved, said: string) => {
    problem.textContent = context.write(saved)
      ? ""
      : "This browser stores nothing more: it lasts until you leave.";
    showList(list, context, write);
    say(said);
  };
  const save = () => {
    if (name.value.trim() === "") return name.focus();
    write(saveRequest(context.read(), name.value, context.draft()), `${name.value} saved`);
    name.value = "";
  };
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    save();
  });
  const variables = openVariables(context);
  place.replaceChildren(
    element("label", { for: "save-name" }, "Save this request as"),
    element("div", { class: "row" }, name, element("button", { type: "button", click: save }, "Save")),
    element("p", { class: "hint" }, "Stays in this browser, without passwords, tokens, cookies and files."),
    problem,
    list,
    variables.node,
  );
  showList(list, context, write);
  return variables.show;
}

function showList(
  list: HTMLElement,
  context: SavedContext,
  write: (saved: Saved, said: string) => void,
): void {
  const { requests } = context.read();
  list.replaceChildren(...requests.map(({ name, draft }) => {
    const rename = () => {
      const input = element("input", { "aria-label": `New name of ${name}`, maxlength: 200 });
      input.value = name;
      const end = () => write(renameRequest(context.read(), name, input.value), "Renamed");
      input.addEventListener("keydown", (event) => {
        if (event.key === "Escape") showList(list, context, write);
        if (event.key !== "Enter") return;
        event.preventDefault();
        end();
      });
      item.replaceChildren(
        input,
        element("button", { type: "button", class: "small", click: end }, "Rename"),
      );
      input.select();
    };
    const load = () => {
      const read = unpackDraft(draft);
      if (read) context.load(read);
      say(`${name} is in the builder`);
    };
    const item = element(
      "li",
      {},
      element("button", { type: "button", class: "quiet load", click: load }, name),
      element("small", {}, `${draft.method} ${draft.address}`),
      element(
        "button",
        { type: "button", class: "small", "aria-label": `Rename ${name}`, click: rename },
        "Rename",
      ),
      element("button", {
        type: "button",
        class: "small",
        "aria-label": `Delete ${name}`,
        click: () => write(dropRequest(context.read(), name), `${name} deleted`),
      }, "Delete"),
    );
    return item;
  }));
}

function openVariables(context: SavedContext): { node: HTMLElement; show: () => void } {
  const place = element("div", { class: "fields" });
  const scopes = element("select", { id: "scope" });
  const hint = element("p", { class: "hint" });
  const rows = openRows(place, { what: "Variable" }, () => {
    const values = rows.read().map(({ name, value }): [string, string] => [name.trim(), value]);
    for (const [name, value] of values) {
      if (isSecretVariable(name)) context.secrets.set(secretKey(scopes.value, name), value);
    }
    context.write(setVariables(context.read(), scopes.value, values));
    showMarks();
  });
  const showMarks = () => {
    rows.mark(
      rows.read().map(({ name }) =>
        isSecretVariable(name)
          ? { kind: "note", text: "By its name a secret: kept in this tab only" }
          : undefined
      ),
    );
    const missing = context.missing();
    hint.textContent = missing.length > 0
      ? `Without a value: ${missing.join(", ")}`
      : "{{name}} in any part of a request stands for the value.";
  };
  const load = () => {
    const values = context.read().variables.find(([scope]) => scope === scopes.value)?.[1] ?? [];
    rows.write(values.map(([name, value]) => ({
      name,
      value: isSecretVariable(name) ? context.secrets.get(secretKey(scopes.value, name)) ?? "" : value,
    })));
    showMarks();
  };
  const show = () => {
    const chosen = scopes.value;
    const known = context.read().variables.map(([scope]) => scope);
    const all = [...new Set([ALL_HOSTS, context.origin(), ...known].filter((scope) => scope !== undefined))];
    scopes.replaceChildren(
      ...all.map((scope) => element("option", { value: scope }, scope === ALL_HOSTS ? "all hosts" : scope)),
    );
    scopes.value = all.includes(chosen) && chosen !== "" ? chosen : ALL_HOSTS;
    if (scopes.value !== chosen || chosen === "") load();
    showMarks();
  };
  scopes.addEventListener("change", load);
  show();
  load();
  return {
    node: element("div", { class: "variables" }, element("label", {}, "Variables for ", scopes), place, hint),
    show,
  };
}
