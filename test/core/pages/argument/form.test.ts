/** Objects as forms: the same bytes as `URLSearchParams`, within limits. @module */
import { describe, expect, it } from "vitest";
import { encodeForm, MAX_FORM_BYTES } from "../../../../src/core/pages/argument/form.ts";
import { MAX_MEMBERS } from "../../../../src/core/pages/argument/json-members.ts";
import { Pace, STRETCH_BYTES } from "../../../../src/core/pages/argument/pace.ts";
import { rowsOf } from "../../../support/rows.ts";

const encode = async (json: string) =>
  new TextDecoder().decode(await encodeForm(new TextEncoder().encode(json), new Pace()));
const form = (fields: [name: string, value: string][]) => new URLSearchParams(fields).toString();

const ASCII = String.fromCharCode(...Array.from({ length: 128 }, (_, byte) => byte));

describe("encodeForm", () => {
  it.each([
    { json: "{}", fields: [] },
    { json: '{"a":"1"}', fields: [["a", "1"]] },
    { json: '{"a":"1","b":"2"}', fields: [["a", "1"], ["b", "2"]] },
    { json: '{"":""}', fields: [["", ""]] },
    { json: '{"a":null,"b":true,"c":-1.50}', fields: [["a", ""], ["b", "true"], ["c", "-1.50"]] },
    {
      json: '{"a":[1,"2",null,[3],{"b":4}]}',
      fields: [["a", "1"], ["a", "2"], ["a", ""], ["a", "[3]"], ["a", '{"b":4}']],
    },
    { json: '{"a":[],"b":[ ]}', fields: [] },
    { json: '{"a":{ "b" : 1 }}', fields: [["a", '{ "b" : 1 }']] },
    { json: '{"z":1,"a":2,"z":3}', fields: [["z", "3"], ["a", "2"]] },
    { json: '{"a":1,"\\u0061":2}', fields: [["a", "2"]] },
    { json: '{"__proto__":"1"}', fields: [["__proto__", "1"]] },
    { json: '{"é\\u00e9":"日\\ud83d\\ude80🚀"}', fields: [["éé", "日🚀🚀"]] },
    { json: '{"a":"\\ud800"}', fields: [["a", "\ud800"]] },
    { json: '{"a":"\\ufeffb\\ufeff"}', fields: [["a", "\ufeffb\ufeff"]] },
    { json: JSON.stringify({ [ASCII]: ASCII }), fields: [[ASCII, ASCII]] },
  ] as { json: string; fields: [string, string][] }[])("of $json", async ({ json, fields }) => {
    expect(await encode(json)).toBe(form(fields));
  });

  it("of long texts joins what it encodes at several stretches", async () => {
    const name = "é ".repeat(STRETCH_BYTES);
    const value = "\n日x".repeat(STRETCH_BYTES);
    expect(await encode(JSON.stringify({ [name]: value, b: [value] })))
      .toBe(form([[name, value], ["b", value]]));
  });

  it.each(rowsOf(["about", "json"], [
    ["members", (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":1`).join(",")}}`],
    ["equal members", (count: number) => `{${Array.from({ length: count }, () => '"a":1').join(",")}}`],
    ["items", (count: number) => JSON.stringify({ a: Array.from({ length: count }, () => 1) })],
  ]))("takes $about up to a limit", async ({ json }) => {
    expect(await encode(json(MAX_MEMBERS))).toMatch(/=1$/);
    await expect(encode(json(MAX_MEMBERS + 1))).rejects.toMatchObject({
      code: "bad_request",
      message: "Cannot use field of arg: body is a form with too many fields, expected at most 10000",
    });
  });

  it("counts the items of all lists", async () => {
    const items = Array.from({ length: MAX_MEMBERS / 2 }, () => 1);
    expect(await encode(JSON.stringify({ a: items, b: items }))).toMatch(/=1$/);
    await expect(encode(JSON.stringify({ a: items, b: items, c: 1 }))).rejects.toThrow("too many fields");
  });

  it("takes no long name many times", async () => {
    const json = (count: number) =>
      JSON.stringify({ ["x".repeat(MAX_FORM_BYTES / 100 - 10)]: Array.from({ length: count }, () => 1) });
    expect((await encode(json(100))).length).toBeLessThan(MAX_FORM_BYTES);
    await expect(encode(json(101))).rejects.toMatchObject({
      code: "bad_request",
      message:
        `Cannot use field of arg: body is a form that is too long, expected at most ${MAX_FORM_BYTES} bytes`,
    });
  });
});
