/**
 * The palette: whatever the buttons of the page do, by its name.
 * @module
 */

import type { PageFacts } from "../../parts/console/page-facts.ts";
import { loadStyle, openHelp } from "./sheet.ts";
import { element, find, setAttributes } from "./dom.ts";
import { KEYS } from "./page-keys.ts";
import { openSettings } from "./settings.ts";
import { showView } from "./views.ts";

interface Action {
  name: string;
  key?: string;
  run(): void;
}

/** Buttons, links and lists of the page, and what stands before their names. */
const CONTROLS: readonly [before: string, selector: string][] = [
  ["Go to ", "nav a"],
  ["List: ", "#traffic-grouped, .traffic-foot button"],
  ["Filter: ", "#traffic-presets button"],
  ["Request: ", "#inspector .tools > button, #inspector .pin > button"],
  ["Copy as ", "#inspector .copy-as select"],
  ["Capture: ", "#capture-mode"],
  ["", "#traffic-pulse, #theme, #sign-out button, #host-clear"],
  ["Host: ", "#recents-list .pick"],
];

/** Puts the actions below the field, which may hold something already. Enter does what is chosen, after the focus has gone back. */
export async function fillPalette(
  dialog: HTMLDialogElement,
  field: HTMLInputElement,
  facts: PageFacts,
): Promise<void> {
  setAttributes(field, {
    placeholder: "What to do …",
    autocomplete: "off",
    spellcheck: "false",
    "aria-controls": "palette-list",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
  });
  const list = element("ul", { id: "palette-list", role: "listbox", "aria-label": "Actions", hidden: "" });
  dialog.append(list);
  connect(field, list, readActions(facts), (action) => {
    dialog.close();
    action.run();
  });
  await loadStyle();
  list.hidden = false;
}

/** Shows the actions that have all words of the field, one of them marked. */
function connect(
  field: HTMLInputElement,
  list: HTMLElement,
  actions: readonly Action[],
  run: (action: Action) => void,
): void {
  let shown: readonly Action[] = [];
  let at = 0;
  const mark = (place: number) => {
    at = (place + shown.length) % (shown.length || 1);
    for (const [index, item] of [...list.children].entries()) item.ariaSelected = String(index === at);
    list.children[at]?.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", shown.length > 0 ? `action-${at}` : "");
  };
  const draw = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    shown = actions.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    list.replaceChildren(...shown.map((action, index) => drawAction(action, index, () => run(action))));
    mark(0);
  };
  field.addEventListener("input", draw);
  field.addEventListener("keydown", (event) => {
    const { key, isComposing } = event;
    const chosen = shown[at];
    if (key === KEYS.down.key) mark(at + 1);
    else if (key === KEYS.up.key) mark(at - 1);
    else if (key === KEYS.pick.key && !isComposing && chosen) run(chosen);
    else return;
    event.preventDefault();
  });
  draw();
}

function drawAction({ name, key }: Action, index: number, click: () => void): HTMLElement {
  return element(
    "li",
    { id: `action-${index}`, role: "option", click },
    element("span", {}, name),
    key !== undefined && element("kbd", {}, key),
  );
}

function readActions(facts: PageFacts): Action[] {
  const own: Action[] = [
    { name: "Keys", key: KEYS.help.key, run: openHelp },
    { name: "Settings", key: KEYS.settings.key, run: () => openSettings(facts) },
    {
      name: "Go to the filter",
      key: KEYS.filter.key,
      run() {
        showView("traffic");
        find("traffic-filter").focus();
      },
    },
  ];
  return CONTROLS.flatMap(([before, selector]) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter(isUsable).flatMap((control) =>
      readControl(before, control)
    )
  ).concat(own);
}

/** A list gives an action for each of its choices. */
function readControl(before: string, control: HTMLElement): Action[] {
  if (!(control instanceof HTMLSelectElement)) {
    const name = control.id === "theme" ? "Change the colours" : readName(control);
    return [{ name: before + name, run: () => control.click() }];
  }
  return [...control.options].map(({ value, text }) => ({
    name: before + text,
    run() {
      control.value = value;
      control.dispatchEvent(new Event("change"));
      control.parentElement?.querySelector<HTMLElement>(".copy")?.click();
    },
  }));
}

/** What it says, part by part, without what is only drawn. */
function readName({ childNodes }: HTMLElement): string {
  return [...childNodes].filter((node) => !(node instanceof Element && node.ariaHidden))
    .map(({ textContent }) => textContent?.trim()).join(" ");
}

/** Another view may be shown: what it has can be used. */
function isUsable(control: HTMLElement): boolean {
  return !control.matches(":disabled") && !control.closest("[hidden]:not([data-view])");
}
