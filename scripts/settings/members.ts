/**
 * The table of members in `docs/keys-and-gates.md`, made from their descriptions.
 * @module
 */

import { MEMBER_DOCS } from "./member-docs.ts";

/** The marks around the table. */
const MARKS = ["<!-- members -->", "<!-- /members -->"] as const;

/** The lines of the table. */
function formatMembers(): string {
  const rows = Object.entries(MEMBER_DOCS).map(([name, { effect }]) => `| \`${name}\` | ${effect} |`);
  return ["| member | what it does |", "| --- | --- |", ...rows].join("\n");
}

/** The page with the current table. */
export function writeMembers(page: string): string {
  const [begin, end] = MARKS.map((mark) => page.indexOf(mark)) as [number, number];
  if (begin < 0 || end < begin) {
    throw new Error(`Cannot write the members: ${MARKS.join(" and ")} are not there`);
  }
  return `${page.slice(0, begin + MARKS[0].length)}\n\n${formatMembers()}\n\n${page.slice(end)}`;
}
