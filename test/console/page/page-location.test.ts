/** Where the page stands. @module */
import { expect, it } from "vitest";
import { readBase } from "../../../src/console/page/page-location.ts";

it.each([
  { pathname: "/__proxy__/", base: "http://localhost:8080" },
  { pathname: "/__proxy__", base: "http://localhost:8080" },
  { pathname: "/in/proxy/__proxy__/", base: "http://localhost:8080/in/proxy" },
])("a page at $pathname belongs to the proxy at $base", ({ pathname, base }) => {
  expect(readBase({ origin: "http://localhost:8080", pathname })).toBe(base);
});
