/**
 * One drawn row of the list. It is made once, and then shows one request after the other.
 * @module
 */

import type { TrafficEntry } from "../../parts/console/traffic-message.ts";
import { element } from "../page/dom.ts";
import { formatBytes, formatClock, formatSpan, statusClass } from "../page/format.ts";
import type { Row } from "./store.ts";

/** How a row stands in the list. */
export interface Standing {
  index: number;
  isCurrent: boolean;
  isPicked: boolean;
  /** The proxy's clock, in Unix milliseconds. */
  now: number;
}

/** The id of the element of a request. */
export function idOfRow(key: string): string {
  return `row-${key}`;
}

/** A row. */
export class RowView {
  readonly node: HTMLElement;
  readonly #time = cell("time");
  readonly #method = cell("method");
  readonly #status = element("span");
  readonly #scheme = element("span", { class: "scheme" });
  readonly #host = element("b");
  readonly #path = element("span");
  readonly #more = element("span", { class: "scheme" });
  readonly #why = element("span", { class: "why" });
  readonly #target = cell("target", this.#scheme, this.#host, this.#path, this.#more, this.#why);
  readonly #selector = element("span", { class: "chip" });
  readonly #caller = element("span", { class: "chip", title: "The caller's token" });
  readonly #bytes = cell("number bytes");
  readonly #took = cell("number took");
  /** What it shows, so that nothing is drawn twice. */
  #entry: TrafficEntry | undefined;
  #place = "";

  constructor() {
    const status = cell("code", this.#status);
    const selector = cell("selector", this.#selector, this.#caller);
    const cells = [this.#time, this.#method, status, this.#target, selector, this.#bytes, this.#took];
    this.node = element("div", { role: "row", class: "log-row" }, ...cells);
  }

  /** Shows a request. */
  show({ key, entry }: Row, standing: Standing): void {
    const { index, isCurrent, isPicked, now } = standing;
    this.node.hidden = false;
    if (entry !== this.#entry) this.#write(key, entry);
    if (entry.isRunning) this.#took.textContent = formatRunning(now - entry.time);
    const place = `${index} ${isCurrent} ${isPicked}`;
    if (place === this.#place) return;
    this.#place = place;
    this.node.style.transform = `translateY(calc(${index} * var(--row)))`;
    // The row of names is the first.
    this.node.setAttribute("aria-rowindex", String(index + 2));
    this.node.setAttribute("aria-selected", String(isPicked));
    this.node.classList.toggle("current", isCurrent);
  }

  /** Shows nothing, until it is needed again. */
  clear(): void {
    this.node.hidden = true;
    this.node.removeAttribute("id");
    this.#entry = undefined;
  }

  #write(key: string, entry: TrafficEntry): void {
    const { time, method, status, bytesOut, totalMs, isRunning = false, error = "", setting } = entry;
    this.#entry = entry;
    this.node.id = idOfRow(key);
    this.node.dataset["key"] = key;
    this.node.classList.toggle("running", isRunning);
    this.#time.textContent = formatClock(time);
    this.#method.textContent = method;
    this.#status.textContent = status === 0 ? "waits" : String(status);
    this.#status.className = `status ${status === 0 ? "waits" : statusClass(status)}`;
    this.#writeTarget(entry);
    // A caller that leaves a response, such as a page that closes its event stream, is no failure.
    const isLeft = error === "caller_gone" && status !== 0;
    this.#why.textContent = isLeft ? "closed by caller" : error.replaceAll("_", " ");
    this.#why.classList.toggle("soft", isLeft);
    this.#why.title = setting ?? "";
    this.#selector.textContent = entry.selector ?? "–";
    this.#caller.textContent = entry.callerId ?? "";
    this.#bytes.textContent = formatBytes(bytesOut);
    if (!isRunning) this.#took.textContent = formatSpan(totalMs);
  }

  #writeTarget({ address, target, isPartial, operation }: TrafficEntry): void {
    const url = address === undefined ? undefined : /^(https?:\/\/)([^/]*)(.*)/s.exec(address);
    const [, scheme = "", host = target ?? "no target", path = ""] = url ?? [];
    this.#scheme.textContent = scheme === "http://" ? scheme : "";
    this.#host.textContent = host;
    this.#path.textContent = path;
    this.#more.textContent = [isPartial ? "…" : "", operation ?? ""].filter(Boolean).join(" ");
    const left = isPartial ? " (a query or a secret is left out)" : "";
    this.#target.title = `${address ?? target ?? "no target"}${left}`;
  }
}

function cell(name: string, ...children: Node[]): HTMLElement {
  return element("span", { role: "gridcell", class: name }, ...children);
}

/** Whole seconds, so that figures beside each other change together. */
function formatRunning(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s…`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min…` : `${Math.floor(minutes / 60)} h…`;
}
