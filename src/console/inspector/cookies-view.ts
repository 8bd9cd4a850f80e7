/**
 * Cookies of both sides, taken apart.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import { element, hint } from "../page/dom.ts";
import { readCookies, readSetCookie, type SetCookie } from "../../parts/console/cookie-list.ts";
import { valuesOf } from "../../parts/console/har-content.ts";
import { drawTable, drawValue } from "./head-view.ts";

/** How many cookies there are. */
export function countCookies(capture: Capture): number {
  const { sent, set } = listCookies(capture);
  return sent.length + set.length;
}

/** Draws the cookies that the target got, and those that it set. */
export function drawCookies(capture: Capture): Node[] {
  const { sent, set } = listCookies(capture);
  if (sent.length + set.length === 0) return [hint("No cookies.")];
  return [
    ...drawRows("To the target", ["Name", "Value"], sent.map(({ name, value }) => [name, value])),
    ...drawRows(
      "From the target",
      ["Name", "Value", "Attributes"],
      set.map((cookie) => [cookie.name, cookie.value, describe(cookie)]),
    ),
    hint("What the caller got stands under Changes."),
  ];
}

function listCookies({ request, response, hops }: Capture) {
  const [first] = hops;
  const sent = valuesOf(first?.request.headers ?? request.headers, "cookie").flatMap(readCookies);
  const answers = hops.length > 0 ? hops.flatMap((hop) => hop.response ?? []) : response ? [response] : [];
  const set = answers.flatMap(({ headers }) => valuesOf(headers, "set-cookie")).map(readSetCookie);
  return { sent, set };
}

function describe(
  { path, domain, expires, maxAge, httpOnly, secure, sameSite, others = [] }: SetCookie,
): string {
  return [
    domain !== undefined && `Domain ${domain}`,
    path !== undefined && `Path ${path}`,
    maxAge !== undefined && `Max-Age ${maxAge} s`,
    expires !== undefined && `Expires ${expires}`,
    httpOnly && "HttpOnly",
    secure && "Secure",
    sameSite !== undefined && `SameSite ${sameSite}`,
    ...others,
  ].filter(Boolean).join(", ");
}

/** A table; none without rows. */
function drawRows(title: string, names: readonly string[], rows: readonly string[][]): HTMLElement[] {
  const cells = rows.map((row) => element("tr", {}, ...row.map((value) => drawValue("td", value))));
  return rows.length > 0 ? [drawTable(undefined, [title], names, cells)] : [];
}
