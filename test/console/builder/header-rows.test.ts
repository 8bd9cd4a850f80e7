/** What the builder says of each header row. @module */
import { describe, expect, it } from "vitest";
import { markHeaders } from "../../../src/console/builder/header-rows.ts";
import { alike } from "../../support/rows.ts";

describe("markHeaders", () => {
  it.each([
    { name: "Host", text: /address names the host/ },
    { name: "Content-Length", text: /sets its length/ },
    ...alike("name", { text: /next hop/ })`Connection Transfer-Encoding TE`,
    { name: "Proxy-Authorization", text: /Proxy-\*/ },
  ])("marks $name with the reason why it does not go out (defect 4)", ({ name, text }) => {
    expect(markHeaders([[name, "1"]])).toEqual([{ kind: "out", text: expect.stringMatching(text) }]);
  });

  it.each([
    { namesCaller: true, kind: "out" },
    { namesCaller: false, kind: undefined },
  ])("knows who names the caller: FORWARD_CLIENT $namesCaller", ({ namesCaller, kind }) => {
    expect(markHeaders([["X-Forwarded-For", "192.0.2.1"]], { namesCaller })[0]?.kind).toBe(kind);
  });

  it.each([
    { rows: [["a", "1"], ["b", "1"]], marks: [undefined, undefined] },
    { rows: [["X-A", "1"], ["x-a", "2"]], marks: ["note", "note"] },
    { rows: [["a b", "1"]], marks: ["wrong"] },
    { rows: [["", "1"]], marks: ["wrong"] },
    { rows: [["a", "1\n2"]], marks: ["wrong"] },
    { rows: [["", ""]], marks: [undefined] },
  ] as { rows: [string, string][]; marks: unknown[] }[])(
    "marks $rows as $marks (defect 19)",
    ({ rows, marks }) => expect(markHeaders(rows).map((mark) => mark?.kind)).toEqual(marks),
  );

  it.each([
    { name: "Authorization", text: /each line goes out, though a message has it once/ },
    { name: "X-A", text: /^Here 2 times: each line goes out$/ },
    { name: "Cookie", text: /joined by ; in one line/ },
  ])("says what becomes of a doubled $name", ({ name, text }) => {
    expect(markHeaders([[name, "1"], [name, "2"]])[1]?.text).toMatch(text);
  });
});
