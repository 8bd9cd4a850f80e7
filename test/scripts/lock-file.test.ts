/** What `npm ci` installs says nothing to who runs Node 20: no package is deprecated, and none asks for another Node. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rowsOf } from "../support/rows.ts";

/** A package in the lock file. */
interface Locked {
  deprecated?: string;
  engines?: { node?: string };
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Locked>;
};

/** Whether a range of versions has the last of Node 20, as far as the ranges of the lock file go. */
function takesNode20(range: string): boolean {
  return range.split("||").some((part) => {
    const [, isOpen, major] = /^(>=)?\D*(\d+)/.exec(part.trim()) ?? [];
    return part === "*" || (isOpen ? Number(major) <= 20 : Number(major) === 20);
  });
}

it.each(rowsOf(["range", "takes"], [
  [">=20", true],
  [">= 12.0.0", true],
  ["^20.19.0 || >=22.12.0", true],
  ["*", true],
  [">=22", false],
  ["^18.0.0 || ^22.0.0 || >=24.0.0", false],
]))("$range takes Node 20: $takes", ({ range, takes }) => expect(takesNode20(range)).toBe(takes));

it("no installed package is deprecated, or asks for another Node", () => {
  const loud = Object.entries(packages).filter(([, { deprecated, engines }]) =>
    deprecated !== undefined || !takesNode20(engines?.node ?? "*")
  );
  expect(loud.map(([path]) => path)).toEqual([]);
});
