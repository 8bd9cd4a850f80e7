/** Beside a restriction of paths or methods, no field means another one than the request says. @module */
import { describe, expect, it } from "vitest";
import { checkDestination, dropOverriding, findNarrowing } from "../../../src/core/way/overriding.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { NO_HOOKS } from "../../../src/core/exchange/hooks.ts";
import { hooksFor, tableOf } from "../../support/table.ts";
import { rowsOf, words } from "../../support/rows.ts";

const ORIGIN = new URL("https://a.test");
const BELOW = { paths: [["/v1/"]] };
const fieldsOf = (...fields: [string, string][]) => new Fields([["accept", "*/*"], ...fields]);

describe("fields that override", () => {
  it.each(words`x-original-url x-rewrite-url x_original_url x-original-uri x-forwarded-uri
    x-forwarded-prefix x-http-method-override x-http-method x-method-override`)(
    "do not go out: %s",
    (name) => {
      const headers = fieldsOf([name, "/admin"]);
      expect([...dropOverriding(headers)]).toEqual([["accept", "*/*"]]);
      expect([...headers]).toHaveLength(2);
    },
  );

  it("leave all others as they are", () => {
    const headers = fieldsOf(["x-forwarded-for", "192.0.2.1"], ["x-methodical", "1"]);
    expect(dropOverriding(headers)).toBe(headers);
  });
});

describe("a Destination", () => {
  it.each(["/v1/b", "https://a.test/v1/b", "https://other.test/v1/b"])("may lie below: %s", (destination) => {
    expect(() => checkDestination(fieldsOf(["destination", destination]), BELOW)).not.toThrow();
  });

  it.each(["/admin", "https://a.test/admin", "https://a.test", "/v1/..%2fadmin", "v1/b"])(
    "is refused elsewhere: %s",
    (destination) => {
      expect(() => checkDestination(fieldsOf(["destination", destination]), BELOW)).toThrow(/Destination/);
    },
  );
});

describe("what S3 copies", () => {
  const headersOf = (source: string) =>
    fieldsOf(["x-amz-copy-source", source], ["x-amz-rename-source", source]);
  it.each(["/v1/b", "v1/b?versionId=1", "v1/b%20c"])("may lie below: %s", (source) => {
    expect(() => checkDestination(headersOf(source), BELOW)).not.toThrow();
  });

  it.each([
    "other/b",
    "/other/b",
    "v1/../other/b",
    "v1%2F..%2Fother",
    "arn:aws:s3:::v1/b",
    "",
    "%2Fv1/b",
    "a://b/v1/b",
  ])(
    "is refused elsewhere: %s",
    (source) =>
      expect(() => checkDestination(headersOf(source), BELOW)).toThrow(/its x-amz-copy-source is not/),
  );
});

it.each(
  words`x-ms-copy-source x-ms-rename-source x-ms-file-rename-source x-goog-copy-source x-oss-copy-source x-cos-copy-source x-copy-from`,
)(
  "what other clouds copy is refused elsewhere: %s",
  (name) => {
    const check = (source: string) => () => checkDestination(fieldsOf([name, source]), BELOW);
    expect(check("https://a.test/v1/b?sig=x")).not.toThrow();
    expect(check("v1/b")).not.toThrow();
    expect(check("https://a.test/other/b?sig=x")).toThrow(`its ${name} is not below`);
    expect(check("other/b")).toThrow(`its ${name} is not below`);
    expect(check("https://a.test\\other/v1/b")).toThrow(`its ${name} is not below`);
  },
);

describe("what narrows a request", () => {
  const table = tableOf({
    "a.test": { paths: ["/v1/"] },
    "b.test": { methods: ["GET"] },
    "c.test": {},
    "d.test": { requests: ["MOVE https =/a", "PUT https =/b"] },
    "e.test": { requests: [] },
  });
  const parts = hooksFor(table);
  const token = { claims: { paths: ["/v1/x/"] } } as never;

  it.each(rowsOf(["about", "given", "narrowing"], [
    ["no entry", { parts: NO_HOOKS }, undefined],
    ["paths of the entry", { parts }, { paths: [["/v1/"]] }],
    ["those of the token too", { parts, token }, { paths: [["/v1/"], ["/v1/x/"]] }],
  ]))("are $about", ({ given, narrowing }) => expect(findNarrowing(given, ORIGIN)).toEqual(narrowing));

  it("are methods as well, and nothing for an entry without either", () => {
    expect(findNarrowing({ parts }, new URL("https://b.test"))).toEqual({ paths: [] });
    expect(findNarrowing({ parts }, new URL("https://c.test"))).toBeUndefined();
  });

  it("are the paths of all requests that an entry allows", () => {
    expect(findNarrowing({ parts }, new URL("https://d.test"))).toEqual({ paths: [["=/a", "=/b"]] });
    expect(findNarrowing({ parts }, new URL("https://e.test"))).toEqual({ paths: [[]] });
  });
});
