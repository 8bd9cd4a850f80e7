/** Beside a restriction of paths or methods, no field means another one than the request says. @module */
import { describe, expect, it } from "vitest";
import { narrowHeaders } from "../../../src/core/way/overriding.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tableOf } from "../../support/table.ts";
import { rowsOf, words } from "../../support/rows.ts";

const BELOW = { paths: ["/v1/"] };
const exchange = exchangeOf({});
const narrow = (headers: Fields) => narrowHeaders(headers, BELOW, exchange);
const fieldsOf = (...fields: [string, string][]) => new Fields([["accept", "*/*"], ...fields]);

describe("fields that override", () => {
  it.each(words`x-original-url x-rewrite-url x_original_url x-original-uri x-forwarded-uri
    x-forwarded-prefix x-http-method-override x-http-method x-method-override`)(
    "do not go out: %s",
    (name) => {
      const headers = fieldsOf([name, "/admin"]);
      expect([...narrow(headers) ?? []]).toEqual([["accept", "*/*"]]);
      expect([...headers]).toHaveLength(2);
    },
  );

  it("leave all others as they are", () => {
    const headers = fieldsOf(["x-forwarded-for", "192.0.2.1"], ["x-methodical", "1"]);
    expect(narrow(headers)).toBe(headers);
  });
});

describe("a Destination", () => {
  it.each(["/v1/b", "https://a.test/v1/b", "https://other.test/v1/b"])("may lie below: %s", (destination) => {
    expect(() => narrow(fieldsOf(["destination", destination]))).not.toThrow();
  });

  it.each(["/admin", "https://a.test/admin", "https://a.test", "/v1/..%2fadmin", "v1/b"])(
    "is refused elsewhere: %s",
    (destination) => {
      expect(() => narrow(fieldsOf(["destination", destination]))).toThrow(/Destination/);
    },
  );
});

describe("what S3 copies", () => {
  const headersOf = (source: string) =>
    fieldsOf(["x-amz-copy-source", source], ["x-amz-rename-source", source]);
  it.each(["/v1/b", "v1/b?versionId=1", "v1/b%20c"])("may lie below: %s", (source) => {
    expect(() => narrow(headersOf(source))).not.toThrow();
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
    (source) => expect(() => narrow(headersOf(source))).toThrow(/its x-amz-copy-source is not/),
  );
});

it.each(
  words`x-ms-copy-source x-ms-rename-source x-ms-file-rename-source x-goog-copy-source x-oss-copy-source x-cos-copy-source x-copy-from`,
)(
  "what other clouds copy is refused elsewhere: %s",
  (name) => {
    const check = (source: string) => () => narrow(fieldsOf([name, source]));
    expect(check("https://a.test/v1/b?sig=x")).not.toThrow();
    expect(check("v1/b")).not.toThrow();
    expect(check("https://a.test/other/b?sig=x")).toThrow(`its ${name} is not below`);
    expect(check("other/b")).toThrow(`its ${name} is not below`);
    expect(check("https://a.test\\other/v1/b")).toThrow(`its ${name} is not below`);
  },
);

describe("the limits of a request", () => {
  const table = tableOf({
    "a.test": { paths: ["/v1/"] },
    "b.test": { methods: ["GET"] },
    "c.test": {},
    "d.test": { requests: ["MOVE https =/a", "PUT https =/v1/b"] },
    "e.test": { requests: [] },
  });
  const headers = fieldsOf(["destination", "/v1/b"], ["x-original-url", "/admin"]);

  it.each(rowsOf(["host", "expected"], [
    ["a.test", ["accept", "destination"]],
    ["b.test", ["accept", "destination"]],
    ["c.test", undefined],
    ["d.test", ["accept", "destination"]],
    ["none.test", undefined],
  ]))("leave of the headers to $host: $expected", ({ host, expected }) => {
    const left = narrowHeaders(headers, table.find(new URL(`https://${host}`)), exchange);
    expect(left && [...left].map(([name]) => name)).toEqual(expected);
  });

  it("allow no second path where an entry allows no request", () => {
    expect(() => narrowHeaders(headers, table.find(new URL("https://e.test")), exchange)).toThrow(
      /Destination/,
    );
  });
});
