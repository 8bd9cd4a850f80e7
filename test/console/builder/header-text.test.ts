import { expect, it } from "vitest";
import { readHeaderText } from "../../../src/console/builder/header-text.ts";
import { rowsOf } from "../../support/rows.ts";

it.each(rowsOf(["text", "fields"], [
  ["", []],
  ["X-A: 1\n\n  x-a:2 \r\n", [["X-A", "1"], ["x-a", "2"]]],
  ["referer: https://a.test/?b:c", [["referer", "https://a.test/?b:c"]]],
  ["x-b", [["x-b", ""]]],
  [":path: /", [[":path", "/"]]],
]))("reads %j", ({ text, fields }) => {
  expect(readHeaderText(text)).toEqual(fields);
});
