/** The changelog: which commits it tells of, and where a section goes. */
import { describe, expect, it } from "vitest";
import { formatSection, insertSection, parseSubject } from "../../scripts/changelog.ts";
import { rowsOf } from "../support/rows.ts";

it.each([
  { subject: "feat: a", change: { type: "feat", scope: "", isBreaking: false, what: "a" } },
  { subject: "fix(bun): a: b", change: { type: "fix", scope: "bun", isBreaking: false, what: "a: b" } },
  { subject: "feat!: a", change: { type: "feat", scope: "", isBreaking: true, what: "a" } },
  { subject: "perf(core)!: a", change: { type: "perf", scope: "core", isBreaking: true, what: "a" } },
  { subject: "", change: undefined },
  { subject: "a word", change: undefined },
  { subject: "feat:a", change: undefined },
  { subject: "feat(): a", change: undefined },
  { subject: "Feat: a", change: undefined },
])(
  "the first line of a commit: $subject",
  ({ subject, change }) => expect(parseSubject(subject)).toEqual(change),
);

describe("a section", () => {
  it("tells users what concerns them, each thing once", () => {
    const subjects = [
      "fix(node): one",
      "feat: two",
      "docs: three",
      "refactor!: four",
      "perf: five",
      "feat(api)!: six",
      "no form",
      "feat: seven",
    ];
    expect(formatSection("1.2.3", subjects)).toBe(`## 1.2.3

### Breaking

- four
- **api:** six

### Added

- two
- seven

### Fixed

- **node:** one

### Faster

- five
`);
  });

  it.each([{ subjects: [] }, { subjects: ["docs: a", "test: b", "x"] }])(
    "of $subjects says so",
    ({ subjects }) => {
      expect(formatSection("1.2.3", subjects)).toBe("## 1.2.3\n\nNothing that a user would see.\n");
    },
  );

  it.each(rowsOf(["changelog", "written"], [
    ["# Changelog\n\n## 1.0.0\n\n- a\n", "# Changelog\n\n## 2.0.0\n\n- b\n\n## 1.0.0\n\n- a\n"],
    ["# Changelog\n\n", "# Changelog\n\n## 2.0.0\n\n- b\n\n"],
  ]))("goes on top of $changelog", ({ changelog, written }) => {
    expect(insertSection(changelog, "## 2.0.0\n\n- b\n")).toBe(written);
  });

  it("of a version that is there already is refused", () => {
    expect(() => insertSection("# Changelog\n\n## 2.0.0\n", "## 2.0.0\n\n- b\n")).toThrow(
      "expected a new version",
    );
  });
});
