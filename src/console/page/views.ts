/**
 * The views of the page: one is shown at a time, and the fragment of the address names it.
 * @module
 */

/** The views, by the section that each is about. */
export type ViewName = "traffic" | "request" | "explain";

let shown: ViewName | undefined;
/** What the list has put into the address; it stands there while the list is shown. */
let listHash = readListHash();

/** What the list has kept for a reload. A target's page of this origin may have written it, and must not lead elsewhere. */
export function readListHash(): string {
  const list: unknown = history.state?.list;
  return typeof list === "string" && list.startsWith("#") ? list : "";
}

/** Shows the view that the address names, or else `first`, and follows links to views. */
export function openViews(first: ViewName): void {
  const follow = () => {
    const named = location.hash.slice(1);
    show(document.querySelector(`[data-view="${CSS.escape(named)}"]`) ? named as ViewName : first);
  };
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a[href^='#']");
    // With a key it opens in another tab.
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A new entry of the history would have no state, and so no draft of a request.
    event.preventDefault();
    showView(link.getAttribute("href")!.slice(1) as ViewName);
    if (link.classList.contains("skip")) document.getElementById("traffic-scroll")?.focus();
  });
  addEventListener("hashchange", follow);
  follow();
}

/** Shows a view, and names it in the address. */
export function showView(name: ViewName): void {
  history.replaceState(history.state, "", name === "traffic" && listHash || `#${name}`);
  show(name);
}

/** Keeps the state of the list for a reload, and in the address while the list is shown. */
export function keepListHash(hash: string): void {
  listHash = hash;
  // Another view keeps its own address.
  const address = shown === "traffic" ? location.pathname + location.search + hash : undefined;
  history.replaceState({ ...history.state, list: hash }, "", address);
}

function show(name: ViewName): void {
  shown = name;
  for (const view of document.querySelectorAll<HTMLElement>("[data-view]")) {
    view.hidden = view.dataset["view"] !== name;
  }
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
