/** What the browser stores of the builder: never trusted, and never a secret where others read it. @module */
import { describe, expect, it } from "vitest";
import { type Draft, emptyDraft, listUnfilled } from "../../../src/console/builder/draft.ts";
import { recall } from "../../../src/console/builder/drafts.ts";
import { ALL_HOSTS, packDraft, readSaved, readVariables } from "../../../src/console/builder/saved.ts";
import { type Saved, unpackDraft, writeSaved } from "../../../src/console/builder/saved.ts";
import { cleanSaved, dropRequest, findExcess, hideSecrets } from "../../../src/console/builder/saving.ts";
import { renameRequest, saveRequest, setVariables } from "../../../src/console/builder/saving.ts";
import type { Shelf } from "../../../src/console/page/storage.ts";
import { OPEN_FIELDS, OPEN_PARAMETERS, SECRET_ADDRESSES } from "../../support/secret-names.ts";
import { SECRET_BODIES, SECRET_FIELDS, SECRET_PARAMETERS } from "../../support/secret-names.ts";
import { words } from "../../support/rows.ts";

const DRAFT: Draft = {
  ...emptyDraft(),
  method: "POST",
  address: "https://a.test/",
  headers: [["Authorization", "Bearer t"], ["x-api-key", "{{key}}"], ["cookie", "a=1"], ["x-a", "1"]],
  kind: "json",
  body: "{}",
};
const NOTHING: Saved = { requests: [], variables: [] };

/** A shelf that holds one text. */
function shelfOf(text: string | null): Shelf & { text: string | null } {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_: string, text: string) {
      this.text = text;
    },
  };
}

describe("a stored draft", () => {
  it("comes back as it was, without files", () => {
    const file = { name: "f", type: "", content: new Blob([]) };
    const fields = [{ name: "a", value: "1" }, { name: "f", value: "", file }];
    expect(unpackDraft(JSON.parse(JSON.stringify(packDraft({ ...DRAFT, fields, file })))))
      .toEqual({ ...DRAFT, fields: [{ name: "a", value: "1" }] });
  });

  it("loses its secrets where others may read it, but no variables", () => {
    expect(hideSecrets(packDraft(DRAFT)).headers)
      .toEqual([["Authorization", ""], ["x-api-key", "{{key}}"], ["cookie", ""], ["x-a", "1"]]);
    const bearer: Draft = { ...DRAFT, headers: [["authorization", "Bearer {{token}}"]] };
    expect(hideSecrets(packDraft(bearer)).headers).toEqual(bearer.headers);
  });

  it.each([
    { stored: undefined },
    { stored: null },
    { stored: "x" },
    { stored: { ...packDraft(DRAFT), address: 1 } },
    { stored: { ...packDraft(DRAFT), body: "x".repeat(1_000_001) } },
  ])("is nothing if it is $stored", ({ stored }) => expect(unpackDraft(stored)).toBeUndefined());

  it("is taken as far as it is one", () => {
    const stored = { ...packDraft(DRAFT), kind: "script", headers: [["a", "1"], ["b"], 1], fields: "x" };
    expect(unpackDraft(stored)).toMatchObject({ kind: "none", headers: [["a", "1"]], fields: [] });
  });
});

/** What is stored of a draft. */
const store = (draft: Partial<Draft>) => hideSecrets(packDraft({ ...emptyDraft(), ...draft }));

it("what only looks like a secret is stored", () => {
  const body = `{"model": "m", "max_tokens": 512, "usage": {"prompt_tokens": 7}, "status_code": 404}`;
  expect(store({ kind: "json", body }).body).toBe(body);
});

describe("a secret is not stored", () => {
  it.each(SECRET_FIELDS)("in the field %s", (name) => {
    expect(store({ headers: [[name.toUpperCase(), "a=PLANTED"]] }).headers)
      .toEqual([[name.toUpperCase(), ""]]);
  });

  it.each(SECRET_PARAMETERS)("in the parameter %s", (name) => {
    const address = (value: string) => `https://a.test/?a=1&${encodeURIComponent(name)}=${value}#b`;
    const fields = [{ name, value: "PLANTED" }];
    const body = (value: string) => `{"a": 1.0, ${JSON.stringify(name)}: "${value}"}`;
    expect(store({ address: address("PLANTED"), fields, body: body("PLANTED") }))
      .toMatchObject({ address: address(""), fields: [[name, ""]], body: body("") });
    const variables = { address: address("{{a}}"), fields: [{ name, value: "{{a}}" }], body: body("{{a}}") };
    expect(store(variables)).toMatchObject({ ...variables, fields: [[name, "{{a}}"]] });
  });

  it.each(SECRET_ADDRESSES)("where an address has $what", ({ address }) => {
    const fields = [{ name: "to", value: address }];
    const headers: Draft["headers"] = [["referer", address]];
    expect(store({ address }).address).not.toContain("PLANTED");
    expect(JSON.stringify(setVariables(NOTHING, ALL_HOSTS, [["base", address]]))).not.toContain("PLANTED");
    expect(JSON.stringify(store({ fields, headers }))).not.toContain("PLANTED");
  });

  it.each(SECRET_BODIES)("where a body has $what", ({ body }) => {
    expect(store({ body }).body).not.toContain("PLANTED");
  });

  it.each(words`authorization: Bearer PLANTED | sid=PLANTED | {"pin":"PLANTED"} | fv1.PLANTED.x`)(
    "in a name such as %s",
    (name) => {
      const draft = { headers: [[name, ""]] as Draft["headers"], fields: [{ name, value: "" }] };
      const saved = setVariables(saveRequest(NOTHING, name, { ...emptyDraft(), ...draft }), ALL_HOSTS, [[
        name,
        "",
      ]]);
      expect(JSON.stringify(saved)).not.toContain("PLANTED");
      expect(JSON.stringify(renameRequest(saved, saved.requests[0]?.name ?? "", name)))
        .not.toContain("PLANTED");
    },
  );
});

describe("what is no secret is stored as it is", () => {
  it.each(OPEN_FIELDS)("in the field %s", (name) => {
    expect(store({ headers: [[name, "a=b"]] }).headers).toEqual([[name, "a=b"]]);
  });

  it.each(OPEN_PARAMETERS)("in the parameter %s", (name) => {
    const draft = { address: ` a.test/x?${name}=1 2`, body: `{ "${name}" : [1.0, "a\\u0062", {}] }` };
    expect(store({ ...draft, fields: [{ name, value: "b c" }] }))
      .toMatchObject({ ...draft, fields: [[name, "b c"]] });
  });

  it.each([
    "https://{{user}}:{{pass}}@a.test/{{a_very_long_name_of_a_variable_1}}?key={{k}}",
    "{{base}}/p?q=a b",
    "/users?x",
    "",
    "https://d111111abcdef8abcdefgh.a.test/x",
  ])("in the address %s", (address) => expect(store({ address }).address).toBe(address));

  it.each([
    "",
    '{"id": 12345678901234567890, "a": 1e2, "a": [true, null], "token": null}',
    '{"password": {{pw}}, "b": "{{token}}"}',
    ...words`a=1&b=%20 <a><b>1</b></a> data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA`,
    "Dear all,\n\n  see https://a.test/x?y=1 (and: that).\n",
  ])("in the body %s", (body) => expect(store({ body }).body).toBe(body));
});

it.each([
  { state: null, kept: undefined },
  { state: { fetchvia: 1 }, kept: undefined },
  { state: { fetchvia: { draft: {} } }, kept: undefined },
  {
    state: { fetchvia: { draft: packDraft(DRAFT), tab: 1, missing: ["a", 2], secrets: [["a b", "1"]] } },
    kept: { draft: DRAFT, tab: "", missing: ["a"] },
  },
])("recall of $state", ({ state, kept }) => expect(recall(state)).toEqual(kept));

describe("saved requests", () => {
  it("are saved, renamed and deleted by name", () => {
    const saved = saveRequest(saveRequest(NOTHING, " one ", DRAFT), "two", DRAFT);
    expect(saved.requests.map(({ name }) => name)).toEqual(["two", "one"]);
    expect(saveRequest(saved, "one", DRAFT).requests).toHaveLength(2);
    expect(renameRequest(saved, "one", "three").requests.map(({ name }) => name)).toEqual(["two", "three"]);
    expect(renameRequest(saved, "one", "two")).toBe(saved);
    expect(dropRequest(saved, "two").requests.map(({ name }) => name)).toEqual(["one"]);
  });

  it("lose the secrets that an older page stored", () => {
    const draft = packDraft({ ...DRAFT, address: "https://me:PLANTED@a.test/" });
    const saved: Saved = {
      requests: [{ name: "one", draft, missing: ["x-b"] }],
      variables: [[ALL_HOSTS, [["sid", "PLANTED"]]]],
    };
    const cleaned = cleanSaved(saved);
    expect(JSON.stringify(cleaned)).not.toMatch(/PLANTED|Bearer/);
    expect(cleaned.requests[0]?.missing).toEqual(["x-b", "Authorization", "cookie", "the address"]);
  });

  it("keep their secrets where the user says so for that one, over a rename and a reload", () => {
    const kept = renameRequest(saveRequest(NOTHING, "one", DRAFT, true), "one", "two");
    const saved = saveRequest(kept, "three", DRAFT);
    const shelf = shelfOf(null);
    writeSaved(shelf, saved);
    const [without, whole] = cleanSaved(readSaved(shelf)).requests;
    expect(whole).toEqual({ name: "two", draft: packDraft(DRAFT), missing: [], keepsSecrets: true });
    expect(without).toMatchObject({ name: "three", missing: ["Authorization", "cookie"] });
    expect(JSON.stringify(without)).not.toMatch(/Bearer|a=1/);
    expect(JSON.stringify(saveRequest(saved, "two", DRAFT))).not.toMatch(/Bearer|a=1/);
  });

  it.each([
    { part: "a header", draft: { headers: [["x-key", "1"], ["x-a", "1"]] }, missing: ["x-key"] },
    { part: "a cookie", draft: { headers: [["Cookie", "a=1"]] }, missing: ["Cookie"] },
    { part: "a parameter", draft: { address: "/a?b=1&sid=2#c" }, missing: ["sid"] },
    { part: "a password", draft: { address: "https://me:pw@a.test/?sid=2" }, missing: ["the address"] },
    {
      part: "a nameless parameter",
      draft: { address: "/?PLANTED0123456789abcdef" },
      missing: ["the address"],
    },
    { part: "a fragment", draft: { address: "/#id_token=1" }, missing: ["the address"] },
    { part: "a command", draft: { address: "curl -u me:pw a.test" }, missing: ["the address"] },
    { part: "a field", draft: { fields: [{ name: "pin", value: "1" }] }, missing: ["pin"] },
    { part: "a body", draft: { body: '{"pin":1}' }, missing: ["the body"] },
    { part: "a variable", draft: { headers: [["x-key", "{{key}}"]] }, missing: [] },
  ] as { part: string; draft: Partial<Draft>; missing: string[] }[])(
    "name what is missing of $part",
    ({ draft, missing }) => {
      const given = { ...emptyDraft(), ...draft };
      const { requests: [request] } = saveRequest(NOTHING, "one", given, false, ["before"]);
      expect(request?.missing).toEqual(["before", ...missing]);
      expect(listUnfilled(missing, unpackDraft(request?.draft) ?? given, given)).toEqual([]);
      expect(listUnfilled(["x-b", ...missing], given, given)).toEqual(["x-b", ...missing]);
    },
  );

  it("outlive the page", () => {
    const shelf = shelfOf(null);
    const saved = setVariables(saveRequest(NOTHING, "one", DRAFT), ALL_HOSTS, [["id", "7"]]);
    expect(writeSaved(shelf, saved)).toBe(true);
    expect(readSaved(shelf)).toEqual(saved);
    expect(shelf.text).not.toMatch(/Bearer|a=1/);
  });

  it.each(
    [
      { about: "a short one", length: 1, before: 0 },
      { about: "as many as there is room for", length: 250_000, before: 7 },
      { about: "one that is too long", length: 270_000, before: 0, excess: /256 KiB/ },
      {
        about: "one whose body is too long to be kept at all",
        length: 2_000_000,
        before: 0,
        excess: /256 KiB/,
      },
      { about: "more than all may be", length: 250_000, before: 8, excess: /2 MiB/ },
    ] as { about: string; length: number; before: number; excess?: RegExp }[],
  )("are bounded: $about", ({ length, before, excess = /^$/ }) => {
    const long = (length: number) => ({ ...emptyDraft(), body: "x".repeat(length) });
    const names = Array.from({ length: before }, (_, at) => `n${at}`);
    const saved = names.reduce((all, name) => saveRequest(all, name, long(250_000)), NOTHING);
    const next = saveRequest(saved, "one", long(length));
    expect(findExcess(saved, next, long(length)) ?? "").toMatch(excess);
    expect(findExcess(next, dropRequest(next, "one"))).toBeUndefined();
  });

  it.each([
    { about: "a long address", draft: { address: `/${"x".repeat(200_000)}` } },
    { about: "many rows", draft: { headers: Array(5_000).fill(["a", "1"]) } },
  ] as { about: string; draft: Partial<Draft> }[])("come back whole with $about", ({ draft }) => {
    const shelf = shelfOf(null);
    const saved = saveRequest(NOTHING, "one", { ...emptyDraft(), ...draft });
    writeSaved(shelf, saved);
    expect(JSON.stringify(readSaved(shelf)) === JSON.stringify(saved)).toBe(true);
  });

  it.each([
    null,
    ...words`{ "x" {"requests":[1,{"name":2},{"name":"a","draft":{}}],"variables":[1,{}]}`,
  ])("are none if the browser holds %s", (text) => expect(readSaved(shelfOf(text))).toEqual(NOTHING));

  it("are told not to be stored where the browser refuses", () => {
    const full = { getItem: () => null, setItem: () => expect.fail("full") };
    expect([writeSaved(full, NOTHING), writeSaved(undefined, NOTHING)]).toEqual([false, false]);
  });
});

describe("variables", () => {
  const saved = setVariables(
    setVariables(NOTHING, ALL_HOSTS, [["id", "1"], ["base", "b"], ["api_key", "secret"], ["", "x"]]),
    "https://a.test",
    [["id", "2"]],
  );

  it("are those of the host before those of all", () => {
    expect([...readVariables(saved, "https://a.test", new Map())]).toEqual([["id", "2"], ["base", "b"]]);
    expect([...readVariables(saved, undefined, new Map())]).toEqual([["id", "1"], ["base", "b"]]);
  });

  it("that hold a secret are stored without a value, and keep it in the tab", () => {
    const held = setVariables(NOTHING, ALL_HOSTS, [["base", "https://me:PLANTED@a.test"], ["v", "fv1.a.b"]]);
    expect(held.variables).toEqual([[ALL_HOSTS, [["base", ""], ["v", ""]]]]);
    const secrets = new Map([[`${ALL_HOSTS} base`, "https://me:PLANTED@a.test"]]);
    expect([...readVariables(held, undefined, secrets)]).toEqual([["base", "https://me:PLANTED@a.test"]]);
  });

  it("that another tab has set, changed or removed meanwhile are as it left them", () => {
    const before: [string, string][] = [["a", "1"], ["b", "1"], ["c", "1"], ["key", "s"]];
    const theirs = setVariables(NOTHING, ALL_HOSTS, [["a", "2"], ["c", "1"], ["d", "1"], ["key", ""]]);
    const mine: [string, string][] = [["a", "1"], ["b", "1"], ["c", "3"], ["key", "s"], ["e", "1"]];
    const all = setVariables(theirs, ALL_HOSTS, mine, before);
    expect(all.variables)
      .toEqual([[ALL_HOSTS, [["a", "2"], ["c", "3"], ["d", "1"], ["key", ""], ["e", "1"]]]]);
    expect(setVariables(all, ALL_HOSTS, [], mine).variables).toEqual([[ALL_HOSTS, [["d", "1"]]]]);
  });

  it("that are secrets by their names are stored without a value", () => {
    expect(JSON.stringify(saved)).not.toContain("secret");
    const secrets = new Map([[`${ALL_HOSTS} api_key`, "secret"]]);
    expect(readVariables(saved, undefined, secrets).get("api_key")).toBe("secret");
  });
});
