/** What loads with the core, and what only when it is asked for. */
import { describe, expect, it } from "vitest";
import { sizeCore } from "../../scripts/bench/core-size.ts";
import { rowsOf } from "../support/rows.ts";

/** In bytes, minified, without packages. Make it smaller with the core; who makes it larger says why. */
const MOST = 196 * 1_024;

/** The same for `fetchvia/core`. */
const MOST_ALONE = 153 * 1_024;

const { eager, later, eagerFiles, laterFiles } = await sizeCore();
const alone = await sizeCore("external", "src/core/index.ts");

describe("the core", () => {
  it("loads no more than this at once", () => {
    expect(eager).toBeLessThanOrEqual(MOST);
    // Room that is never used would let it grow unseen.
    expect(eager).toBeGreaterThan(MOST - 4_096);
  });

  it("loads no part, and less, where it is imported alone", () => {
    expect(alone.eager).toBeLessThanOrEqual(MOST_ALONE);
    expect(alone.eager).toBeGreaterThan(MOST_ALONE - 4_096);
    expect(alone.eagerFiles.filter((path) => !path.startsWith("src/core/"))).toEqual([]);
  });

  it("reaches what is loaded later, too", () => {
    expect(later).toBeGreaterThan(50_000);
    expect(eagerFiles).toContain("src/core/proxy.ts");
  });

  it.each(rowsOf(["about", "files"], [
    [
      "pages of parts",
      /^src\/parts\/(?:explain\/(?!part)|console\/(?!part|traffic(?!-page|-watchers)|used-passes|mask))/,
    ],
    ["capture", /^src\/parts\/capture\/(?!part)/],
    ["the sum of metrics", /^src\/parts\/metrics\/metrics-page\.ts$/],
    ["keys of the table", /^src\/parts\/gate\/(?:dress|key-rights|placed-keys|redact|spellings)/],
    ["signatures of links", /^src\/parts\/links\/signed-link\.ts$/],
    ["callers' tokens", /^src\/parts\/tokens\/(?!mint|part)/],
    ["forms of other proxies", /^src\/parts\/forms\/form/],
  ]))("loads $about only when asked for", ({ files }) => {
    expect(eagerFiles.filter((path) => files.test(path))).toEqual([]);
    expect(laterFiles.filter((path) => files.test(path))).not.toEqual([]);
  });

  it.each([
    { about: "descriptions of settings", files: /effects|member-docs/ },
    { about: "modules of runtimes", files: /^src\/(?:wire|runtimes|command)\// },
  ])("never loads $about", ({ files }) => {
    expect([...eagerFiles, ...laterFiles].filter((path) => files.test(path))).toEqual([]);
  });
});
