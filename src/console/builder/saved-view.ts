/**
 * The Saved panel: requests to load, rename and delete, and variables. Loaded when it is opened.
 * @module
 */

import { button, element, hint, say } from "../page/dom.ts";
import type { Draft } from "./draft.ts";
import { openRows, type Rows } from "./rows.ts";
import { ALL_HOSTS, type Saved, type SavedRequest, secretKey, unpackDraft } from "./saved.ts";
import {
  dropRequest,
  findExcess,
  isSecretVariable,
  renameRequest,
  saveRequest,
  setVariables,
} from "./saving.ts";

const WHO_READS = "Whoever uses this browser can read them, and any page of a target opened at this address.";

/** What the panel works on. */
export interface SavedContext {
  /** Reads it anew, because another tab may have saved something since. */
  read(): Saved;
  /** Stores it; false if that failed. */
  write(saved: Saved): boolean;
  /** Secret values, which are not stored. */
  secrets: Map<string, string>;
  draft(): Draft;
  /** Puts a request into the builder, and says what it lacks. */
  load(draft: Draft, missing: string[]): void;
  unfilled(): string[];
  /** The origin of the address in the builder; `undefined` if it has none yet. */
  origin(): string | undefined;
  /** Names in the builder that have no value. */
  missing(): string[];
}

/** Fills the panel. The result shows it again, for a changed address. */
export function openSaved(place: HTMLElement, context: SavedContext): () => void {
  const list = element("ul", { class: "saved" });
  const problem = hint("", { role: "status" });
  const write: Write = (saved, said, draft) => {
    const excess = findExcess(context.read(), saved, draft);
    problem.textContent = excess ??
      (context.write(saved) ? "" : "This browser stores no more: kept until you leave.");
    showList(list, context, write);
    say(excess ?? said);
    return !excess;
  };
  const variables = openVariables(context);
  place.replaceChildren(...openSaving(context, write), problem, list, variables.node);
  showList(list, context, write);
  return variables.show;
}

function openSaving(context: SavedContext, write: Write): HTMLElement[] {
  const name = element("input", {
    id: "save-name",
    autocomplete: "off",
    maxlength: 200,
    placeholder: "name",
  });
  const keeps = element("input", { type: "checkbox" });
  const save = () => {
    if (name.value.trim() === "") return name.focus();
    const [draft, missing] = [context.draft(), context.unfilled()];
    const saved = saveRequest(context.read(), name.value, draft, keeps.checked, missing);
    if (!write(saved, `${name.value} saved`, draft)) return;
    name.value = "";
    // It was said for that one request.
    keeps.checked = false;
  };
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    save();
  });
  const about = element("small", {}, WHO_READS);
  return [
    element("label", { for: "save-name" }, "Save this request as"),
    element("div", { class: "row" }, name, button("Save", save, { class: undefined })),
    element(
      "label",
      { class: "check" },
      keeps,
      element("span", {}, "Keep the values of its secrets in this browser", about),
    ),
    hint("Stays in this browser, without files."),
  ];
}

/** Saves, and says so; false for what is too much. */
type Write = (saved: Saved, said: string, draft?: Draft) => boolean;

function showList(list: HTMLElement, context: SavedContext, write: Write): void {
  const { requests } = context.read();
  list.replaceChildren(...requests.map((request) =>
    makeItem(request, context, write, () => {
      showList(list, context, write);
    })
  ));
}

function makeItem(
  { name, draft, missing, keepsSecrets }: SavedRequest,
  context: SavedContext,
  write: Write,
  again: () => void,
): HTMLElement {
  const load = () => {
    const read = unpackDraft(draft);
    if (read) context.load(read, missing);
    say(`${name} is in the builder`);
  };
  const labelled = (label: string, click: () => void) =>
    button(label, click, { "aria-label": `${label} ${name}` });
  const item = element(
    "li",
    {},
    button(name, load, { class: "quiet load" }),
    element("small", {}, `${draft.method} ${draft.address}${keepsSecrets ? " (with its secrets)" : ""}`),
    labelled(
      "Rename",
      () => askName(item, name, (text) => write(renameRequest(context.read(), name, text), "Renamed"), again),
    ),
    labelled("Delete", () => write(dropRequest(context.read(), name), `${name} deleted`)),
  );
  return item;
}

function askName(
  item: HTMLElement,
  name: string,
  onName: (text: string) => void,
  onEscape: () => void,
): void {
  const input = element("input", {
    "aria-label": `New name of ${name}`,
    autocomplete: "off",
    maxlength: 200,
  });
  const end = () => onName(input.value);
  input.value = name;
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") onEscape();
    if (event.key !== "Enter") return;
    event.preventDefault();
    end();
  });
  item.replaceChildren(input, button("Rename", end));
  input.select();
}

/** The variables of one scope, and what is said of them. */
class VariableRows {
  readonly place = element("div", { class: "fields" });
  readonly hint = hint("");
  readonly #rows: Rows;
  /** The rows as they were loaded or stored last. */
  #before: [name: string, value: string][] = [];

  readonly context: SavedContext;
  readonly scope: () => string;

  constructor(context: SavedContext, scope: () => string) {
    this.context = context;
    this.scope = scope;
    this.#rows = openRows(this.place, { what: "Variable" }, () => this.#store());
  }

  load(): void {
    const { secrets } = this.context;
    const values = this.context.read().variables.find(([scope]) => scope === this.scope())?.[1] ?? [];
    this.#rows.writePairs(
      values.map(([name, value]) => [name, secrets.get(secretKey(this.scope(), name)) ?? value]),
    );
    this.#before = this.#rows.readPairs();
    this.mark();
  }

  mark(): void {
    this.#rows.mark(
      this.#rows.readPairs().map(([name, value]) =>
        isSecretVariable(name, value)
          ? { kind: "note", text: "Looks like a secret: kept until you leave" }
          : undefined
      ),
    );
    const missing = this.context.missing();
    this.hint.textContent = missing.length > 0
      ? `Without a value: ${missing.join(", ")}`
      : "{{name}} in any part of a request stands for the value.";
  }

  #store(): void {
    const { context } = this;
    const values = this.#rows.readPairs();
    const saved = setVariables(context.read(), this.scope(), values, this.#before);
    const excess = findExcess(context.read(), saved);
    if (!excess) {
      for (const [name, value] of values) {
        if (isSecretVariable(name, value)) context.secrets.set(secretKey(this.scope(), name), value);
        else context.secrets.delete(secretKey(this.scope(), name));
      }
      context.write(saved);
      this.#before = values;
    }
    this.mark();
    if (excess) this.hint.textContent = excess;
  }
}

function openVariables(context: SavedContext): { node: HTMLElement; show: () => void } {
  const scopes = element("select", { id: "scope" });
  const rows = new VariableRows(context, () => scopes.value);
  const show = () => {
    const chosen = scopes.value;
    const known = context.read().variables.map(([scope]) => scope);
    const all = [...new Set([ALL_HOSTS, context.origin(), ...known].filter((scope) => scope !== undefined))];
    scopes.replaceChildren(
      ...all.map((scope) => element("option", { value: scope }, scope === ALL_HOSTS ? "all hosts" : scope)),
    );
    scopes.value = all.includes(chosen) ? chosen : ALL_HOSTS;
    if (scopes.value === chosen) rows.mark();
    else rows.load();
  };
  scopes.addEventListener("change", () => rows.load());
  show();
  const label = element("label", {}, "Variables for ", scopes);
  return { node: element("div", { class: "variables" }, label, rows.place, rows.hint), show };
}
