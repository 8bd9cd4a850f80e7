/** Where an `arg` stops being the Base64 of a JSON object (rule 21.2). @module */
import { expect, it } from "vitest";
import { findArgFault } from "../../../../src/core/pages/argument/format-fault.ts";
import { rowsOf } from "../../../support/rows.ts";

const base64 = (text: string) => btoa(text);
const utf8 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

it.each(rowsOf(["about", "text", "fault"], [
  ["an object", base64('{"url":"x"}'), undefined],
  ["an object with a byte order mark", utf8("\ufeff{}"), undefined],
  ["%", "%%%", "not Base64: % at 0"],
  ["% of a byte beyond ASCII", "e30%FC", "not Base64: % at 3"],
  ["JSON itself", '{"url":"x"}', "not Base64: { at 0"],
  ["a letter beyond ASCII", "e30%C3%BC", "not Base64: % at 3"],
  ["a letter beyond ASCII as it is", "e3ü0", "not Base64: U+00FC at 2"],
  ["padding in between", "e=30", "not Base64: = at 1"],
  ["a length of no Base64", "e30xx", "not Base64: it ends at 5"],
  // This must not take longer than other texts of its length.
  ["much padding in between", `${"=".repeat(400_000)}!`, "not Base64: = at 0"],
  ["one padding too many", "e30==", "not Base64: it ends at 5"],
  ["nothing", "", "JSON ends at 0"],
  ["JSON that is cut", base64('{"url":"https://example.com/a"'), "JSON ends at 30"],
  ["JSON behind a mark that is cut", utf8('\ufeff{"a"'), "JSON ends at 7"],
  ["str(dict) of Python", base64("{'url': 'x'}"), "not JSON: ' at byte 1"],
  ["a control character", base64('{"a":"\n"}'), "not JSON: U+000A at byte 6"],
  ["a curly quote", utf8("{“url”: 1}"), "not JSON: U+201C at byte 1"],
  ["Latin-1", base64('{"url":"ü"}'), "not UTF-8 at byte 8"],
  ["Latin-1 that begins as UTF-8", base64('{"url":"é"}'), "not UTF-8 at byte 8"],
  ["Latin-1 twice", base64('{"url":"éé"}'), "not UTF-8 at byte 8"],
  ["a lone tail", base64('{"url":"a\x80"}'), "not UTF-8 at byte 9"],
  ["a surrogate", base64('{"url":"a\xed\xa0\x80"}'), "not UTF-8 at byte 9"],
  ["a control behind a character", utf8('{"a":"ü\n"}'), "not JSON: U+000A at byte 8"],
  ["an array", base64("[]"), "JSON is no object"],
]))("of $about: $fault", async ({ text, fault }) => expect(await findArgFault(text)).toBe(fault));
