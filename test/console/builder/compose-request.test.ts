/** The builder's request: from what is typed to what goes out. @module */
import { describe, expect, it } from "vitest";
import type { Draft } from "../../../src/console/builder/draft.ts";
import { buildRequest, type Outcome } from "../../../src/console/builder/compose-request.ts";

const DRAFT: Draft = {
  method: "POST",
  address: "https://a.test/",
  headers: [],
  kind: "none",
  body: "",
  fields: [],
  follow: true,
};
const build = (draft: Partial<Draft>, variables = new Map<string, string>()) =>
  buildRequest({ ...DRAFT, ...draft }, { host: null, variables });
const requestOf = (outcome: Outcome) => outcome.problem === undefined ? outcome.request : undefined;
const notesOf = (outcome: Outcome) => outcome.problem === undefined ? outcome.notes.join(". ") : undefined;
const bytesOf = async (body: string | Blob | undefined) =>
  Buffer.from(await new Blob([body ?? ""]).arrayBuffer());

describe("the body", () => {
  it.each([
    '{ "a" : 1.0, "b": 1e2, "a": 2, "id": 12345678901234567890 }',
    '  {"é":"\\u00e9"}\n',
    "[1,]",
    '"text"',
  ])("of kind JSON goes out as typed (defect 1): %s", (body) => {
    expect(requestOf(build({ kind: "json", body }))?.body).toBe(body);
  });

  it("is told to be no JSON, and goes out", () => {
    const outcome = build({ kind: "json", body: "{" });
    expect([requestOf(outcome)?.body, notesOf(outcome)])
      .toEqual(["{", expect.stringMatching(/not valid JSON/)]);
  });

  it.each([
    {
      about: "fields with & + = and beyond ASCII (defect 3)",
      draft: {
        kind: "form",
        fields: [{ name: "city", value: "Köln & Bonn" }, { name: "sum", value: "1+1" }],
      },
      body: "city=K%C3%B6ln+%26+Bonn&sum=1%2B1",
    },
    { about: "an empty form", draft: { kind: "form" }, body: "" },
    { about: "raw text, blanks too", draft: { kind: "raw", body: " a \n" }, body: " a \n" },
    { about: "empty raw text", draft: { kind: "raw" }, body: "" },
    { about: "no JSON at all", draft: { kind: "json" }, body: undefined },
    { about: "none", draft: { body: "left over" }, body: undefined },
  ] as { about: string; draft: Partial<Draft>; body: string | undefined }[])(
    "is $about",
    ({ draft, body }) => expect(requestOf(build(draft))?.body).toBe(body),
  );

  it("has a part for each row, files as they are, between our boundary", async () => {
    const content = new Blob([Uint8Array.of(0, 255)]);
    const { body, files } = requestOf(build({
      kind: "multipart",
      headers: [["content-type", "multipart/form-data; boundary=B1"]],
      fields: [{ name: 'a"', value: " x\n" }, {
        name: "f",
        value: "",
        file: { name: "p.bin", type: "", content },
      }],
    })) ?? {};
    const written = `--B1\r\ncontent-disposition: form-data; name="a%22"\r\n\r\n x\n\r\n` +
      `--B1\r\ncontent-disposition: form-data; name="f"; filename="p.bin"\r\n` +
      `content-type: application/octet-stream\r\n\r\n\x00\xff\r\n--B1--\r\n`;
    expect((await bytesOf(body)).toString("latin1")).toBe(written);
    expect(files?.fields).toHaveLength(2);
  });

  it("is a file", async () => {
    const content = new Blob([Uint8Array.of(13, 10, 0)]);
    const { body } = requestOf(build({ kind: "file", file: { name: "a", type: "", content } })) ?? {};
    expect([...await bytesOf(body)]).toEqual([13, 10, 0]);
  });
});

describe("the headers", () => {
  it("go out line by line, those with one name too (defect 20)", () => {
    const headers: Draft["headers"] = [["X-A", "1"], ["x-a", " 2 "], ["", ""], ["X-A", "1"]];
    expect(requestOf(build({ headers }))?.headers).toEqual([["X-A", "1"], ["x-a", "2"], ["X-A", "1"]]);
  });

  it("that do not go out are named (defect 4)", () => {
    const outcome = build({
      headers: [["Host", "x"], ["X-A", "1"], ["Connection", "close"], ["Content-Length", "9"]],
    });
    expect(requestOf(outcome)?.headers).toEqual([["X-A", "1"]]);
    expect(notesOf(outcome)).toBe("Does not go out: Host, Connection, Content-Length");
  });

  it("get no content type that the user can't see", () =>
    expect(requestOf(build({ kind: "json", body: "{}" }))?.headers).toEqual([]));
});

describe("variables", () => {
  const variables = new Map([["base", "https://b.test"], ["id", "7"]]);
  it("are put into every part", () => {
    const draft: Partial<Draft> = {
      address: "{{base}}/p?id={{ id }}",
      headers: [["x-{{id}}", "{{id}}"]],
      kind: "raw",
      body: "{{id}}",
    };
    expect(requestOf(build(draft, variables)))
      .toMatchObject({ url: "https://b.test/p?id=7", headers: [["x-7", "7"]], body: "7" });
  });

  it("without a value are named, and stay as typed", () => {
    const outcome = build({ kind: "raw", body: "{{other}} {{id}}" }, variables);
    expect(requestOf(outcome)?.body).toBe("{{other}} 7");
    expect(notesOf(outcome)).toBe("No value for {{other}}: sent as typed");
  });
});

it.each([
  { about: "no address", draft: { address: "" }, problem: /address/ },
  { about: "a method that is none", draft: { method: "GE T" }, problem: /method/ },
  { about: "a method for proxies", draft: { method: "trace" }, problem: /proxies/ },
  { about: "a header name that is none", draft: { headers: [["x a", "1"]] }, problem: /x a/ },
  { about: "a value without a name", draft: { headers: [["", "1"]] }, problem: /no name/ },
  { about: "a value beyond Latin-1", draft: { headers: [["a", "€"]] }, problem: /Latin-1/ },
  { about: "no file", draft: { kind: "file" }, problem: /Choose the file/ },
] as { about: string; draft: Partial<Draft>; problem: RegExp }[])(
  "a request that can't be sent says why: $about",
  ({ draft, problem }) => expect(build(draft).problem).toMatch(problem),
);
