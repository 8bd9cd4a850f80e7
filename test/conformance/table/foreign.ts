/**
 * What suites of others say of their own server, directly and through the proxy: rows of the document, which
 * `test/apps/suites.test.ts` compares with what they say today.
 * @module
 */

/** The suites. */
export type SuiteName = "litmus" | "http-cache-tests" | "MCP conformance";

/** One of them. */
export interface ForeignSuite {
  name: SuiteName;
  about: string;
  direct: string;
  /** The same on Bun, Deno and Node. */
  through: string;
  /** The cases that are judged otherwise through the proxy, and why. */
  otherwise: readonly string[];
  reason: string;
}

/** All of them. */
export const FOREIGN: readonly ForeignSuite[] = [
  {
    name: "litmus",
    about: "0.13: WebDAV, with Apache's mod_dav",
    direct: "104 of 104",
    through: "104 of 104",
    otherwise: [],
    reason: "none",
  },
  {
    name: "http-cache-tests",
    about: "0.4.5: fields, conditional requests and ranges; what fails is what only a cache can do",
    direct: "114 of 350",
    through: "110 of 350",
    otherwise: ["vary-no-match", "vary-omit", "vary-omit-stored", "vary-star"],
    reason: "`Vary` names what chose the target, too",
  },
  {
    name: "MCP conformance",
    about:
      "0.1.16, all scenarios of servers: event streams that ask the client, or are closed and taken up again",
    direct: "44 of 44",
    through: "44 of 44",
    otherwise: [],
    reason: "none",
  },
];

/** The section of the document. */
export function writeForeign(): string {
  return [
    "## Other people's suites",
    "",
    "`test/apps/suites.test.ts` runs them against a server, and against the command in front of it (`TARGET`). Case by case, they say",
    "the same through Bun, Deno and Node as directly, but for the differences here.",
    "",
    "| suite | passes directly | through the proxy | differences |",
    "| --- | --- | --- | --- |",
    ...FOREIGN.map(({ name, about, direct, through, otherwise, reason }) => {
      const differences = otherwise.length === 0 ? reason : `${otherwise.join(", ")}: ${reason}`;
      return `| \`${name}\` ${about} | ${direct} | ${through} | ${differences} |`;
    }),
    "",
  ].join("\n");
}
