/**
 * A path that passes a prefix lies below it in every reading: all subsets of what servers do with a path, modelled here on
 * their own.
 * @module
 */
import { describe, expect, it } from "vitest";
import { isBelow } from "../../../src/core/address/path-prefix.ts";
import { Dice } from "../../support/dice.ts";
import { dealPath } from "../../support/paths.ts";

const CASES = 6_000;
const PREFIX = "/v1/";

/** What some server does with a path, in this order. */
const RULES: readonly ((path: string) => string)[] = [
  (path) => path.replace(/;[^/]*/g, ""),
  (path) => path.replace(/%25/g, "%"),
  (path) => path.replace(/%2e|%ef%bc%8e/gi, "."),
  (path) => path.replace(/%2f|%ef%bc%8f/gi, "/"),
  (path) => path.replace(/%5c|\\/gi, "/"),
  (path) => path.replace(/(?:;|%3b)[^/]*/gi, ""),
  (path) => path.replace(/\/{2,}/g, "/"),
  resolve,
];

function resolve(path: string): string {
  const found: string[] = [];
  for (const part of path.slice(1).split("/")) {
    if (part === "..") found.pop();
    else if (part !== ".") found.push(part);
  }
  return `/${found.join("/")}`;
}

/** What the servers read that find the path elsewhere: each rule is some server's, and not another's. */
function listElsewhere(path: string): string[] {
  let readings = new Set([path]);
  for (const rule of RULES) readings = new Set([...readings, ...[...readings].map(rule)]);
  return [...readings].filter((read) => !`${read}/`.startsWith(PREFIX));
}

describe("readings", () => {
  const dice = new Dice(41);
  const paths = Array.from({ length: CASES }, () => dealPath(dice));
  const passing = paths.filter((path) => isBelow([PREFIX], path));

  it(`lie below the prefix, all ${2 ** RULES.length} of them`, () => {
    expect(passing.filter((path) => listElsewhere(path).length > 0).slice(0, 3)).toEqual([]);
    expect(passing.length).toBeGreaterThan(CASES / 20);
  });

  it("are refused for what they are, not for how they look", () => {
    const harmless = paths.filter((path) => listElsewhere(path).length === 0);
    expect(harmless.filter((path) => !isBelow([PREFIX], path)).length).toBeLessThan(harmless.length / 4);
    expect(paths.length - harmless.length).toBeGreaterThan(CASES / 20);
  });
});
