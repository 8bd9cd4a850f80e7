/** What `fetchvia run --report` sets. @module */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { setReport } from "../../../src/command/run/report.ts";

describe("--report", () => {
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-report-"));
  const [file, link, loose] = ["file", "link", "loose"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, "");
  symlinkSync(file, link);
  symlinkSync(join(folder, "none"), loose);
  afterAll(() => rmSync(folder, { recursive: true }));

  it("sets policy and record", () => {
    expect(setReport({})).toEqual({ gate: "report", audit: "fetchvia-audit.jsonl" });
    expect(setReport({}, file)).toEqual({ gate: "report", audit: file });
  });

  it.each([{ about: "a file", path: link }, { about: "nothing", path: loose }])(
    "writes through no link to $about",
    ({ path }) => expect(() => setReport({}, path)).toThrow(/is a link, expected a file of its own/),
  );

  it("leaves what a flag says, a link too", () => {
    expect(setReport({ audit: link, gate: "enforce" }, link)).toEqual({ gate: "enforce", audit: link });
  });
});
