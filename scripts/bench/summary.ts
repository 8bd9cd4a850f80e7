/**
 * The few figures of the report that are shown in the README.
 * @module
 */

/** The candidates in the summary, with the names that README readers know. */
const SHOWN: Readonly<Record<string, string>> = {
  "ours-bun": "**fetchvia** on Bun",
  "ours-node": "**fetchvia** on Node",
  "ours-deno": "**fetchvia** on Deno",
  "http-proxy-3": "http-proxy-3 (Node)",
  "fastify": "@fastify/http-proxy (Node)",
  "hono-bun": "Hono's helper (Bun)",
  "hono-node": "Hono's helper (Node)",
  "nginx": "nginx",
};
const HEADING = "### 100 B answers, 32 connections";
/** Columns of the report: requests per second, CPU time each, and the first of them over that of http-proxy-3. */
const COLUMNS = [1, 2, 6];

/**
 * Makes the table.
 *
 * @throws {Error} if the report has no such figures
 */
export function formatSummary(report: string): string {
  const [, after = ""] = report.split(`${HEADING}\n\n`);
  const [table = ""] = after.split("\n\n");
  const rows = table.split("\n").slice(2).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
  const shown = rows.filter(([name = ""]) => name in SHOWN).map((cells) =>
    `| ${[SHOWN[cells[0] as string], ...COLUMNS.map((column) => cells[column])].join(" | ")} |`
  );
  if (!shown.length) throw new Error(`Cannot sum up the figures: none stand under '${HEADING}'`);
  return ["| | requests/s | CPU µs each | ÷ http-proxy-3 |", "| --- | ---: | ---: | ---: |", ...shown].join(
    "\n",
  );
}
