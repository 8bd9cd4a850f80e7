/** What is true of one runtime alone. What it changes: `test/conformance/secure-targets.ts` and `certificates.ts`. */
import { expect, it } from "vitest";
import { traitsOf } from "../../../src/runtimes/process/own-traits.ts";
import { traits } from "../../../src/wire/runtime-traits.ts";
import { rowsOf } from "../../support/rows.ts";

it.each(rowsOf(["versions", "own"], [
  [{ node: "24.0.0" }, []],
  [{ node: "24.0.0", bun: "1.4.0" }, ["hasOwnCiphers", "hasVagueFaults"]],
  [{ node: "24.0.0", deno: "2.9.0" }, [
    "hasOwnCiphers",
    "hasVagueFaults",
    "readsWhilePaused",
    "refusesOldDigests",
    "resumesByItself",
    "starvesSockets",
  ]],
]))("is said of $versions", ({ versions, own }) => {
  expect(Object.keys(traitsOf(versions)).toSorted()).toEqual(own);
});

it("is nothing on Node, whose modules the wire is written for", () => expect(traits).toEqual({}));
