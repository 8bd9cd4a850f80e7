import { describe, expect, it } from "vitest";
import { readClaims } from "../../../src/parts/tokens/claims.ts";
import { isTokenId } from "../../../src/core/settings/values.ts";
import { grouped, rowsOf } from "../../support/rows.ts";

const LEAST = { id: "ci", exp: 2_000_000_000 };

describe("the claims of a token", () => {
  it("are an id and an end at least", () => expect(readClaims(LEAST)).toEqual(LEAST));

  it.each(rowsOf(["claim", "read"], [
    [{ targets: "a.test,*.b.test:81" }, { targets: [{ host: "a.test" }, { suffix: ".b.test" }] }],
    [{ targets: ["10.0.0.0/8"] }, { targets: [{ kind: "range" }] }],
    [{ methods: ["GET", "POST"] }, { methods: ["GET", "POST"] }],
    [{ paths: ["/v1/", "/a"] }, { paths: ["/v1/", "/a"] }],
    [{ rate: "10/1m" }, { rate: { requests: 10, seconds: 60 } }],
    [{ origins: "https://a.test/" }, { origins: { any: false, listed: new Set(["https://a.test"]) } }],
    [{ origins: ["*"] }, { origins: { any: true } }],
  ]))("read $claim as its setting does", ({ claim, read }) => {
    expect(readClaims({ ...LEAST, ...claim })).toMatchObject(read);
  });

  it.each([
    { claims: null, says: "its claims are no object" },
    { claims: [], says: "its claims are no object" },
    { claims: { exp: 1 }, says: "it has no id, expected" },
    { claims: { id: "a" }, says: "it has no exp, expected" },
    { claims: { ...LEAST, admin: true }, says: 'it has "admin", expected one of id, exp, targets' },
    { claims: { ...LEAST, toString: 1 }, says: 'it has "toString", expected' },
    { claims: { ...LEAST, id: "@ci" }, says: 'id is "@ci", expected 1 to 64 letters' },
    { claims: { ...LEAST, exp: 1.5 }, says: "exp is 1.5, expected whole Unix seconds" },
    { claims: { ...LEAST, exp: 1_700_000_000_000 }, says: "exp is 1700000000000, expected" },
    { claims: { ...LEAST, exp: "1" }, says: 'exp is "1", expected' },
    { claims: { ...LEAST, targets: [] }, says: "targets is [], expected" },
    { claims: { ...LEAST, targets: [1] }, says: "targets is [1], expected" },
    { claims: { ...LEAST, targets: "a.test," }, says: 'targets is "a.test,", expected' },
    { claims: { ...LEAST, methods: [] }, says: "methods is [], expected" },
    { claims: { ...LEAST, methods: "GET" }, says: 'methods is "GET", expected' },
    { claims: { ...LEAST, paths: ["v1"] }, says: 'paths is ["v1"], expected' },
    { claims: { ...LEAST, rate: 5 }, says: "rate is 5, expected" },
    { claims: { ...LEAST, rate: "5" }, says: 'rate is "5", expected' },
    { claims: { ...LEAST, origins: [] }, says: "origins is [], expected" },
    { claims: { ...LEAST, origins: "a.test" }, says: 'origins is "a.test", expected' },
    { claims: { ...LEAST, methods: null }, says: "methods is null, expected" },
  ])("refuse $claims", ({ claims, says }) => expect(readClaims(claims)).toContain(says));

  it.each(grouped(["is", "id"], [
    [true, ["ci", "team:ci@2026+1.x-y_z", "a".repeat(64)]],
    [false, ["a".repeat(65), "", "@file", "a b", "a,b", "a\n"]],
  ]))("have the id $id: $is", ({ id, is }) => expect(isTokenId(id)).toBe(is));
});
