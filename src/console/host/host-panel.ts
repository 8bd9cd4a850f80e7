/**
 * The panel that shows, sets, switches and clears the host.
 * @module
 */

import { type PageFacts, tellSelector } from "../../parts/console/page-facts.ts";
import { button, element, find, say } from "../page/dom.ts";
import { onForgotten, openStorage, type Shelf } from "../page/storage.ts";
import { addRecent, dropRecent, readRecents } from "./recents.ts";
import { completeText } from "../builder/complete-address.ts";
import { askProxy, showProof } from "../page/own-requests.ts";

/** The page itself is for browsers. */
const AS_JSON = { accept: "application/json" };

type HostState = Pick<PageFacts, "host" | "selector">;

/** Makes the panel work without leaving the page; `onChange` receives the base that requests go to. */
export function openHostPanel(facts: PageFacts, onChange: (host: string | null) => void): void {
  const shelf = openStorage();
  const input = find<HTMLInputElement>("host-input");
  let current: HostState = facts;
  const openMore = openMenu(find("host"), () => void (input.value = current.host ?? input.value));

  const show = (state: HostState, problem?: string) => {
    current = state;
    showState(state, problem);
    listRecents();
    onChange(state.host);
  };
  const listRecents = () => showRecents(shelf, current.host, store);
  const store = async (host: string) => {
    const error = await storeHost(host, facts.ticket ?? facts.proof);
    find("host-error").textContent = error ?? "";
    input.toggleAttribute("aria-invalid", error !== undefined);
    openMore(error !== undefined);
    if (error) return;
    if (host) await remember(shelf, host);
    await refresh(true);
    if (current.host === null) input.value = host;
    tellTabs();
  };
  const refresh = async (isOwn: boolean) => {
    const state = await readState();
    if (!state) return;
    if (!isOwn && state.host === current.host && state.selector === current.selector) return;
    if (isOwn || state.host !== null) input.value = state.host ?? "";
    show(state);
    say(state.host ? `Requests go to ${state.host}, ${tellSelector(state)}` : "No host is set");
  };
  const tellTabs = watchTabs(() => void refresh(false));

  connectForm(input, (host) => void store(host));
  show(facts, facts.problem);
  onForgotten(listRecents);
  if (facts.problem) openMore(true);
  void forgetSecrets(shelf);
}

function connectForm(input: HTMLInputElement, onHost: (host: string) => void): void {
  find("host-form").addEventListener("submit", (event) => {
    event.preventDefault();
    onHost(completeText(input.value, null) || input.value.trim());
  });
  find("host-clear").addEventListener("click", (event) => {
    event.preventDefault();
    onHost("");
  });
}

/** Calls back when another tab may have changed the host. The result tells the others that this one has. */
function watchTabs(onChange: () => void): () => void {
  // Any page of this origin may send there, so a message says nothing but that it is time to ask.
  const channel = new BroadcastChannel("fetchvia.host");
  channel.addEventListener("message", onChange);
  addEventListener("focus", onChange);
  return () => channel.postMessage("");
}

/**
 * What lies below the host is shown while its field is used.
 *
 * @param onLeave called when it is left: what was typed and not set must not look as if it were
 */
function openMenu(host: HTMLElement, onLeave: () => void): (isOpen: boolean) => void {
  const open = (isOpen: boolean) => host.classList.toggle("open", isOpen);
  const leave = () => {
    if (!host.classList.contains("open")) return;
    open(false);
    onLeave();
  };
  const input = find("host-input");
  for (const kind of ["focus", "click", "input"]) input.addEventListener(kind, () => open(true));
  document.addEventListener("pointerdown", ({ target }) => host.contains(target as Node) || leave());
  host.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !host.contains(relatedTarget as Node)) leave();
  });
  host.addEventListener("keydown", (event) => {
    if (event.key === "Escape") leave();
  });
  return open;
}

/** Adds it to the recent ones, unless it holds a secret: any page of this origin reads those. */
async function remember(shelf: Shelf | undefined, host: string): Promise<void> {
  const { hideAddress } = await import("../after-paint.ts");
  if (hideAddress(host) === host) addRecent(shelf, host);
}

/** Drops those that an older page remembered, though they hold a secret. */
async function forgetSecrets(shelf: Shelf | undefined): Promise<void> {
  const hosts = readRecents(shelf);
  if (hosts.length === 0) return;
  const { hideAddress } = await import("../after-paint.ts");
  for (const host of hosts) if (hideAddress(host) !== host) dropRecent(shelf, host);
}

/** Stores a host. Returns what is wrong with it, if anything. */
async function storeHost(host: string, proof: string | null): Promise<string | undefined> {
  const fields = { ...AS_JSON, ...showProof(proof) };
  const otherwise = "Not a base address. Enter one such as https://api.example.com, without a query";
  return (await askProxy(`?host=${encodeURIComponent(host)}`, fields, { otherwise })).problem;
}

async function readState(): Promise<HostState | undefined> {
  const { told } = await askProxy<Partial<HostState>>("", AS_JSON);
  return told && { host: told.host ?? null, selector: told.selector ?? null };
}

function showState({ host, selector }: HostState, problem?: string): void {
  const target = find("host-target");
  target.replaceChildren(element("span", { class: "sr" }, "to "), host ?? "nowhere yet");
  target.closest(".host")?.classList.toggle("unset", host === null);
  find("host-selector").textContent = problem ?? tellSelector({ host, selector });
  find("host-selector").title = problem ?? "";
  find("host-selector").classList.toggle("bad", problem !== undefined);
  find("host-clear").hidden = host === null && problem === undefined;
  find("host-open").hidden = host === null;
}

function showRecents(
  shelf: Shelf | undefined,
  current: string | null,
  store: (host: string) => void,
): void {
  const hosts = readRecents(shelf);
  find("recents").hidden = hosts.length === 0;
  find("recents-list").replaceChildren(...hosts.map((host) => {
    const isCurrent = host.replace(/\/$/, "") === current;
    return element(
      "li",
      { class: isCurrent ? "current" : undefined },
      button(host.replace(/^https:\/\//, ""), () => store(host), {
        class: "pick",
        "aria-current": isCurrent ? "true" : undefined,
      }),
      button("×", () => {
        dropRecent(shelf, host);
        showRecents(shelf, current, store);
      }, { class: "drop", "aria-label": `Forget ${host}` }),
    );
  }));
}
