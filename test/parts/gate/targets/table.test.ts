import { describe, expect, it } from "vitest";
import { MEMBERS } from "../../../../src/parts/gate/targets/members.ts";
import { parseTable, readTable } from "../../../../src/parts/gate/targets/table.ts";
import { rowsOf } from "../../../support/rows.ts";
import { faultOf, messageOf, sourcesOf, tableOf } from "../../../support/table.ts";

/** A key in the wrong place. */
const PLANTED = "ghp_Planted9Key";
const AWS = { region: "r", service: "s3", key: "{{ID}}", secret: "{{KEY}}" };

describe("the table", () => {
  it("is read, with its schema's name and a comment beside the entries", () => {
    const text = '{"$schema":"./s.json","$comment":["mine"],"a.test":{"label":"a"}}';
    const table = parseTable(text, sourcesOf());
    expect(table.entries.map(({ name }) => name)).toEqual(["a.test"]);
    expect(table.find("https://a.test")?.name).toBe("a.test");
  });

  it("knows the keys, and which of them callers may place", () => {
    const { keys, callerKeys } = tableOf({ "a.test": { set: { x: "{{KEY}}" }, keys: ["OTHER"] } });
    expect([...keys.keys()].sort()).toEqual(["KEY", "OTHER"]);
    expect([...callerKeys.keys()]).toEqual(["OTHER"]);
  });

  it("has the key that goes out, also where its file changes meanwhile", () => {
    let reads = 0;
    const sources = {
      variable: (name: string) => name === "KEY_FILE" ? "key.txt" : undefined,
      readFile: () => `key ${reads += 1}`,
    };
    const { keys, entries } = readTable({ "a.test": { set: { x: "{{KEY}}" } } }, sources);
    expect([entries[0]?.set[0]?.value, keys.get("KEY")]).toEqual(["key 1", "key 1"]);
  });

  it("knows the fields in which some target takes a key", () => {
    const { keyFields } = tableOf({
      "a.test": { set: { x: "{{KEY}}", y: "1" } },
      "b.test": { set: { z: "{{KEY}}" } },
    });
    expect([...keyFields]).toEqual(["x", "z"]);
  });

  it("is empty without entries", () => expect(tableOf({})).toMatchObject({ entries: [], unchecked: 0 }));

  it.each([
    ["{", /^Cannot use t\.json: it is not JSON at line 1, column 2, expected a name in double quotes, or }$/],
    ["[]", /^Cannot use t\.json: it is no object/],
    [
      '{"a.test":{},"a.test":{}}',
      /^Cannot use t\.json at line 1, column 14: a name stands twice, expected each name once$/,
    ],
  ])("is refused: %s", (text, fault) => expect(() => parseTable(text, sourcesOf(), "t.json")).toThrow(fault));

  it.each([
    [{ "http://a.test": {} }, /entry "http:\/\/a\.test" is no target, expected a host/],
    [{ "a.test": 1 }, /entry "a\.test" is no object, expected members/],
    [{ "a.test": {}, "A.TEST": {} }, /entries "a\.test" and "A\.TEST" are for the same target or label/],
    [
      { "10.0.0.0/8:80": {}, "10.1.2.3/8:80": {} },
      /entries "10\.0\.0\.0\/8:80" and "10\.1\.2\.3\/8:80" are for the same/,
    ],
    [{ "fd00::/8": {}, "fd12::1/8": {} }, /entries "fd00::\/8" and "fd12::1\/8" are for the same/],
    [{ "a.test": { label: "x" }, "b.test": { label: "X" } }, /entries "a\.test" and "b\.test" are/],
    [null, /it is no object/],
  ])("is refused with %j", (entries, fault) => expect(faultOf(entries)).toMatch(fault));

  it("shows no key in a message", () =>
    expect(faultOf({ "a.test": { set: { "x-a": "{{KEY}}", "x-b": 1 } } })).not.toContain("k3y"));

  it.each(rowsOf(["member", "value"], [
    ...Object.keys(MEMBERS).flatMap((member) =>
      [
        [member, PLANTED],
        [member, [PLANTED]],
        [member, [[PLANTED]]],
        [member, { [PLANTED]: PLANTED }],
        [member, { authorization: [PLANTED] }],
        [member, { "x-a": `${PLANTED}\n` }],
        [member, { [`Authorization: Bearer ${PLANTED}`]: "" }],
        [member, { aws: { [PLANTED]: 1 } }],
        [member, { aws: { ...AWS, region: PLANTED + "/" } }],
        [member, { aws: { ...AWS, secret: `${PLANTED}\n` } }],
        [member, `{{${PLANTED}}}`],
        [member, { "x-a": `{{${PLANTED}}}` }],
      ] as [string, unknown][]
    ),
    [PLANTED, 1],
    [`Authorization: Bearer ${PLANTED}`, ""],
  ]))("names the place and no key: $member, $value", ({ member, value }) => {
    const text = JSON.stringify({ "a.test": { [member]: value } }, null, 1);
    const told = messageOf(() => parseTable(text, sourcesOf()));
    expect(told).not.toContain(PLANTED);
    expect(told).toMatch(/^$|^Cannot use TARGETS at line 3, column 3: entry "a\.test" (?:has|needs|holds) /);
    expect(faultOf(JSON.parse(text)) ?? "").toBe(told.replace(/ at line \d+, column \d+/, ""));
  });

  it.each([
    `{"a.test": {"set": {"x": "${PLANTED}" "y": 1}}}`,
    `{"a.test": {"set": {"x": ${PLANTED}}}}`,
    `{"a.test": {"set": {"x": "${PLANTED}}}}`,
    `{"a.test": {"set": {"x": "${PLANTED}",}}}`,
    `{"a.test": {"set": {"x": "${PLANTED}\n"}}}`,
    `{"a.test": {"set": {"x": '${PLANTED}'}}}`,
    `{"a.test": {"${PLANTED}": 1, "${PLANTED}": 2}}`,
    `{"a.test": {}} ${PLANTED}`,
    `{"https://u:${PLANTED}@a.test": {}}`,
    `{"${PLANTED}?": {}}`,
    `{"a.test": "${PLANTED}"}`,
    `["${PLANTED}"]`,
  ])("names the place and no key: %s", (text) => {
    const told = messageOf(() => parseTable(text, sourcesOf()));
    expect(told)
      .toMatch(/^Cannot use TARGETS(?:: it is not JSON)? at line \d, column \d+[:,] |it is no object/);
    expect(told).not.toContain(PLANTED);
  });
});
