/**
 * What is typed as a body chooses its kind, and a body its method, until the user chooses. Loaded after the first paint.
 * @module
 */

import { find, findRadios, hint } from "../page/dom.ts";

/** The kind of what is typed: JSON begins as an object or an array does, and `{{name}}` is a variable. */
export function guessKind(text: string): "none" | "json" | "raw" {
  return text === "" ? "none" : /^\s*(?:\[|{(?!{))/.test(text) ? "json" : "raw";
}

/** Makes it work. A `reset` of the builder tells that it holds another request. */
export function openBodyGuess(): void {
  const area = find<HTMLTextAreaElement>("body");
  const kinds = findRadios("kind");
  const follow = openMethod(kinds.value);
  /** The kind that the text has chosen. Where the user has chosen another, it stays. */
  let guessed = "none";
  const guess = () => {
    const kind = guessKind(area.value);
    if (kinds.value !== guessed || kind === guessed) return;
    kinds.value = kind;
    find("builder").querySelector("[name=kind]:checked")!.dispatchEvent(new Event("change"));
    guessed = kind;
  };
  const choose = () => {
    guessed = "none";
    follow(kinds.value);
  };
  area.placeholder = '{ "name": "value" }';
  for (const radio of kinds) radio.addEventListener("change", choose);
  find("builder").addEventListener("reset", choose);
  area.addEventListener("input", guess);
  // A click of the mouse goes on to the text; keys stay in the row of tabs.
  find("tab-body").addEventListener("click", ({ detail }) => void (detail > 0 && area.focus()));
  // Typed before this was there; the text of a draft without a body is hidden.
  if (!area.hidden) guess();
}

/** The method follows the body, unless the user has chosen one, or has loaded a request: GET becomes POST, and GET again without it. */
function openMethod(kind: string): (kind: string) => void {
  const select = find<HTMLSelectElement>("method");
  const note = hint("GET became POST. Without a body: GET again.", { role: "status", hidden: true });
  find("body-hint").after(note);
  let before = kind;
  let isChosen = false;
  const set = (method: string) => {
    select.value = method;
    note.hidden = method === "GET";
    select.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const forget = (isNow: boolean) => {
    isChosen = isNow;
    note.hidden = true;
  };
  select.addEventListener("change", () => forget(true));
  find("builder").addEventListener("reset", () => {
    forget(find<HTMLInputElement>("address").value !== "");
    before = "";
  });
  return (now) => {
    if (!isChosen && before === "none" && now !== "none" && select.value === "GET") set("POST");
    else if (!isChosen && now === "none" && !note.hidden) set("GET");
    before = now;
  };
}
