import { describe, expect, it } from "vitest";
import { dropTokens, hideTokens } from "../../../src/parts/tokens/token-credentials.ts";
import { listTokens, refuseTokenIn } from "../../../src/parts/tokens/token-credentials.ts";
import { Fields } from "../../../src/core/http/fields.ts";

const TOKEN = `fv1.e30.${"A".repeat(43)}`;

describe("tokens in a field", () => {
  it.each([
    { value: TOKEN, tokens: [TOKEN] },
    { value: `Bearer ${TOKEN}`, tokens: [TOKEN] },
    { value: `token  ${TOKEN}`, tokens: [TOKEN] },
    { value: `Basic ${btoa(`${TOKEN}:`)}`, tokens: [TOKEN] },
    { value: `basic ${btoa(`x:${TOKEN}`)}`, tokens: [TOKEN] },
    { value: "Bearer sk-1", tokens: [] },
    { value: "Basic !", tokens: [] },
    { value: "", tokens: [] },
    { value: `Digest a=1, b=${TOKEN}`, tokens: [] },
  ])("are found in $value", ({ value, tokens }) => expect(listTokens(value)).toEqual(tokens));

  it("are dropped with it, line by line", () => {
    const fields = new Fields([
      ["a", "1"],
      ["b", `x ${TOKEN} y`],
      ["b", "2"],
      ["authorization", `Basic ${btoa(`u:${TOKEN}`)}`],
      ["cookie", `a=1; b=${TOKEN}; c=3`],
      ["cookie", `d=${TOKEN}`],
      ["c", "fv1.short"],
    ]);
    dropTokens(fields);
    expect([...fields]).toEqual([["a", "1"], ["b", "2"], ["cookie", "a=1; c=3"], ["c", "fv1.short"]]);
  });

  it("leave the letters of the other names as they are", () => {
    const fields = new Fields([["Authorization", `Bearer ${TOKEN}`], ["SOAPAction", "x"], ["X-a", "1"]]);
    dropTokens(fields);
    const written: unknown[] = [];
    fields.forEach((_, __, name) => void written.push(name));
    expect(written).toEqual(["SOAPAction", "X-a"]);
  });

  it("leave all others as they are", () => {
    const fields = new Fields([["authorization", `Basic ${btoa("u:p")}`], ["x", "fv1.a"]]);
    const { lines } = fields;
    const before = [...lines];
    dropTokens(fields);
    expect(fields.lines).toEqual(before);
    expect(fields.lines).toBe(lines);
  });
});

describe("tokens in an address", () => {
  it.each([`/${TOKEN}`, `/p?key=${TOKEN}`, `/p?key=${TOKEN.replaceAll(".", "%2E")}&x`])(
    "are refused: %s",
    (path) => expect(() => refuseTokenIn(path)).toThrow("its address holds a caller's token"),
  );

  it.each(["/", "/fv1.2", "/p?fv1=.x.y", "/fv1%2e%2e/"])("do not stand in %s", (path) => {
    expect(() => refuseTokenIn(path)).not.toThrow();
  });
});

it("are kept from a target in both places", () => {
  const fields = new Fields([["x", TOKEN], ["y", "1"]]);
  hideTokens(fields, "/p");
  expect([...fields]).toEqual([["y", "1"]]);
  expect(() => hideTokens(fields, `/${TOKEN}`)).toThrow("its address holds a caller's token");
});
