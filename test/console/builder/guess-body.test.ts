/** Which kind of body a text is. In the page: `test/console-e2e/builder.ts`. */
import { expect, it } from "vitest";
import { guessKind } from "../../../src/console/builder/guess-body.ts";

it.each([
  { text: "", kind: "none" },
  { text: "{", kind: "json" },
  { text: "{{body}}", kind: "raw" },
  { text: '\n [{"a":1}]', kind: "json" },
  { text: '"a"', kind: "raw" },
  { text: " ", kind: "raw" },
  { text: "a=1&b={}", kind: "raw" },
])("$text is $kind", ({ text, kind }) => expect(guessKind(text)).toBe(kind));
