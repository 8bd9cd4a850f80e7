import { expect, it } from "vitest";
import { isTexts, parseMethods, parsePaths } from "../../../src/core/settings/request-lists.ts";

it.each([[["a"], true], [["a", "b"], true], [[], false], [["a", 1], false], ["a", false], [null, false]])(
  "knows that %j is a list of texts: %s",
  (value, is) => expect(isTexts(value)).toBe(is),
);

it.each([
  { methods: ["GET", "PROPFIND", "patch", "M-SEARCH"], isTaken: true },
  { methods: ["get"], isTaken: false },
  { methods: ["POST", "Delete"], isTaken: false },
])("takes $methods for methods: $isTaken", ({ methods, isTaken }) => {
  expect(parseMethods(methods)).toBe(isTaken ? methods : undefined);
});

it.each([
  { paths: ["/v1/", "/"], taken: ["/v1/", "/"] },
  { paths: ["/é/", "/a/./b", "=/é", "=/a/../b"], taken: ["/%C3%A9/", "/a/./b", "=/%C3%A9", "=/a/../b"] },
  { paths: ["/v1/", "/a/../b"], taken: undefined },
  { paths: ["/.."], taken: undefined },
  { paths: ["/a/%2e%2E/b"], taken: undefined },
  { paths: ["/a/..;x/"], taken: undefined },
])("takes $paths for paths as $taken, because nothing is below ..", ({ paths, taken }) => {
  expect(parsePaths(paths)).toEqual(taken);
});
