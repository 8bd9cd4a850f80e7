/**
 * The JSON Schema of the table, for editors, made from the descriptions of its members.
 * @module
 * @see https://json-schema.org/draft/2020-12
 */

import { MEMBER_DOCS } from "./member-docs.ts";

/** Writes the schema. */
export function formatTableSchema(): string {
  const properties = Object.fromEntries(
    Object.entries(MEMBER_DOCS).map((
      [name, { schema, effect }],
    ) => [name, { description: effect, ...schema }]),
  );
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Targets of fetchvia",
    description: "What the proxy does for each target: fields, keys, methods, paths, limits, certificates.",
    type: "object",
    properties: { $schema: { type: "string" }, $comment: MEMBER_DOCS["$comment"]?.schema },
    additionalProperties: {
      description: "A host, *.suffix or an address, each with an optional port.",
      type: "object",
      properties,
      additionalProperties: false,
      dependentRequired: { cert: ["key"], key: ["cert"] },
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
