/**
 * The keys of the page: handlers read this table, and the help shows it.
 * @module
 */

/** A key, as `KeyboardEvent.key` has it, and what it does. `Ctrl` stands for Cmd too. */
export interface Key {
  where: string;
  key: string;
  does: string;
}

/** Keys that are more than those of tabs, lists and charts. */
export const KEYS = {
  palette: { where: "Everywhere", key: "Ctrl+K", does: "All actions" },
  help: { where: "Everywhere", key: "?", does: "These keys" },
  settings: { where: "Everywhere", key: ",", does: "Settings" },
  filter: { where: "Everywhere", key: "/", does: "To the filter" },
  leave: { where: "Everywhere", key: "Escape", does: "Close, or clear the filter or the span of time" },
  recall: { where: "Filter", key: "ArrowUp", does: "The filter before, of the last ten" },
  down: { where: "List", key: "ArrowDown", does: "Next request; from the filter to the list" },
  up: { where: "List", key: "ArrowUp", does: "Request before" },
  pageDown: { where: "List", key: "PageDown", does: "A page down" },
  pageUp: { where: "List", key: "PageUp", does: "A page up" },
  first: { where: "List", key: "Home", does: "To the newest" },
  last: { where: "List", key: "End", does: "To the last" },
  pick: { where: "List", key: "Enter", does: "Show the request" },
  earlier: {
    where: "Time line",
    key: "ArrowLeft",
    does: "2 s back; with Shift, narrow the list to the span",
  },
  later: { where: "Time line", key: "ArrowRight", does: "2 s on; with Shift, narrow the list to the span" },
  oldest: { where: "Time line", key: "Home", does: "To the oldest" },
  newest: { where: "Time line", key: "End", does: "To the newest" },
  send: { where: "Compose", key: "Ctrl+Enter", does: "Send" },
  find: { where: "Body", key: "Ctrl+F", does: "Search in it" },
} as const satisfies Record<string, Key>;

/** True if this key is pressed. */
export function isKey(event: KeyboardEvent, name: keyof typeof KEYS): boolean {
  const [last = "", control] = KEYS[name].key.split("+").reverse();
  const isHeld = event.ctrlKey || event.metaKey;
  return event.key.toLowerCase() === last.toLowerCase() && isHeld === (control !== undefined) &&
    !event.altKey;
}

/** Does something at a key, wherever the focus is; a character is left to whoever types. */
export function onKey(name: keyof typeof KEYS, run: () => void): void {
  document.addEventListener("keydown", (event) => {
    if (!isKey(event, name) || (KEYS[name].key.length === 1 && isTyping(event.target))) return;
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) run();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
