/**
 * What the page of the figures shows of the report: one core against the peers that readers know.
 * @module
 */

/** Some variants of fetchvia, floors, and peers that are like another one in the table, and slower. */
const LEFT_OUT = /^\| (?:ours-\w+-(?:quiet|table|source)|floor-|bare-bun|h3-|hono-deno|hono-node|fastify)/;

/** The report without their rows. The bars compare with them all the same. */
export function shortenReport(report: string): string {
  return report.split("\n").filter((line) => !LEFT_OUT.test(line)).join("\n");
}
