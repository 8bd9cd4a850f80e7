/**
 * Fields as workerd gives them, read as the lines that they were.
 * @module
 */
import { describe, expect, it } from "vitest";
import { readFields } from "../../../src/runtimes/worker/fields.ts";

describe("an address to go to", () => {
  it.each([
    { about: "one", value: "/a", lines: ["/a"] },
    { about: "two paths", value: "/a, /b", lines: ["/a", "/b"] },
    {
      about: "two of other hosts",
      value: "http://a.test/, HTTPS://b.test/",
      lines: ["http://a.test/", "HTTPS://b.test/"],
    },
    { about: "two without a scheme", value: "//a.test/, //b.test/", lines: ["//a.test/", "//b.test/"] },
    { about: "a comma in a path", value: "/a,b", lines: ["/a,b"] },
    { about: "a comma and a space in a path", value: "/Doe, Jane", lines: ["/Doe, Jane"] },
    {
      about: "a comma and a space in a query",
      value: "https://a.test/?q=a, b, c",
      lines: ["https://a.test/?q=a, b, c"],
    },
  ])("is read whole: $about", ({ value, lines }) => {
    expect([...readFields(new Headers({ location: value }))]).toEqual(
      lines.map((line) => ["location", line]),
    );
  });

  it("is all that is told apart: other lines mean the same in one", () => {
    expect([...readFields(new Headers({ link: "/a, /b" }))]).toEqual([["link", "/a, /b"]]);
  });
});
