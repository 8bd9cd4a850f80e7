/**
 * Shows what a request would meet. The proxy decides it, and nothing is sent.
 * @module
 */

import type { Explanation } from "../../parts/explain/explain.ts";
import { copyButton, element, find, terms } from "../page/dom.ts";
import { askProxy, showProof } from "../page/own-requests.ts";

/**
 * Gives what the form does.
 *
 * @param ticket proves that the console asks; `null` if the page has none
 */
export function openExplain(ticket: string | null): () => Promise<void> {
  let round = 0;
  return async () => {
    const mine = round += 1;
    const address = find<HTMLInputElement>("explain-address").value.trim();
    const looksUp = find<HTMLInputElement>("explain-dns").checked;
    // An address of the proxy itself is a request of this browser, such as one by `at`.
    const path = address.startsWith(`${location.origin}/`) ? address.slice(location.origin.length) : address;
    const asked = `${path.startsWith("/") ? "path" : "url"}=${encodeURIComponent(path)}`;
    const proof = showProof(ticket);
    const { told, problem = "" } = await askProxy<Explanation>(`explain?dns=${looksUp}&${asked}`, proof);
    if (mine !== round) return;
    find("explain-problem").textContent = problem;
    find("explain-result").replaceChildren(...told ? renderExplanation(told) : []);
  };
}

function renderExplanation(told: Explanation): HTMLElement[] {
  const { allowed, reason, setting } = told.verdict;
  const verdict = element(
    "p",
    { class: allowed ? "notice" : "notice bad" },
    element("b", {}, allowed ? "Allowed" : "Refused"),
    `: ${reason} `,
    setting !== undefined && copyButton(`the setting ${setting}`, () => setting),
  );
  return [verdict, element("dl", { class: "headers" }, ...terms(listFacts(told)))];
}

function listFacts({ selectors, target, entry, redirects, cookies, cors }: Explanation): [string, string][] {
  const names = (list: readonly string[]) => list.join(", ") || "none";
  return [
    ...selectors.map(({ selector, value, fault }): [string, string] => [selector, fault ?? value]),
    ["target", target ?? "none"],
    ["entry", entry ? entry.name : "none"],
    ...entry
      ? [
        ["sets", names(entry.set)] as [string, string],
        ["removes", names(entry.remove)] as [string, string],
        ["keys", names(entry.keys)] as [string, string],
        ["signs", entry.sign ? `for ${entry.sign.aws.service} of AWS` : "nothing"] as [string, string],
      ]
      : [],
    ["redirects", redirects === "follow" ? "are followed" : "are passed on"],
    ["cookies", `${cookies.sent ? "are sent" : "are not sent"}: ${cookies.why}`],
    ["CORS", cors.why],
  ];
}
