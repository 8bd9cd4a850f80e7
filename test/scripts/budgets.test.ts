/** The ratchet of scripts/check/budgets.ts: what has grown is told, with the room and both numbers. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkBudgets } from "../../scripts/check/budgets.ts";
import { rowsOf } from "../support/rows.ts";

const TWICE = "file names that stand twice";
/** What the files below come to. */
const BUDGETS = {
  core: 3,
  "parts without the console": 1,
  console: 0,
  "parts/console": 1,
  wire: 0,
  runtimes: 0,
  command: 0,
  "fetchvia run": 0,
  "audit, report and sign": 0,
  client: 0,
  test: 1,
  scripts: 0,
  [TWICE]: 1,
};
const FILES = {
  "src/core/a.ts": "1\n2\n",
  "src/core/may/b.ts": "1\n",
  "src/parts/gate/b.ts": "1\n",
  "src/parts/console/c.ts": "1\n",
  "src/parts/console/assets.ts": "1\n2\n3\n",
  "src/console/notes.md": "1\n",
  "test/a.test.ts": "1\n",
};

describe("the ratchet", () => {
  let root: string;
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const setBudgets = (more: object) => write("scripts/budgets.json", JSON.stringify({ ...BUDGETS, ...more }));
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "fetchvia-budgets-"));
    const rooms = ["console", "wire", "runtimes", "command", "client"];
    for (const room of rooms) mkdirSync(join(root, "src", room), { recursive: true });
    for (const [path, text] of Object.entries(FILES)) write(path, text);
    setBudgets({});
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(root, { recursive: true });
  });

  it("has nothing to say of what is as it was, or less", async () => {
    expect(await checkBudgets(root)).toEqual([]);
    setBudgets({ core: 30 });
    expect(await checkBudgets(root)).toEqual([]);
  });

  it.each(rowsOf(["about", "path", "text", "says"], [
    ["a room that rose by a line", "src/core/a.ts", "1\n2\n3\n", "core: 4, expected 3 at most"],
    ["a new file of a room", "src/wire/d.css", "1\n", "wire: 1, expected 0 at most"],
    ["a test that grew", "test/a.test.ts", "1\n2\n", "test: 2, expected 1 at most"],
    ["a file name that stands twice", "src/wire/a.ts", "", `${TWICE}: 2, expected 1 at most`],
  ]))("refuses $about", async ({ path, text, says }) => {
    write(path, text);
    expect(await checkBudgets(root)).toEqual([expect.stringContaining(`${says}: delete first, or raise it`)]);
  });

  it("is only ever lowered by BUDGETS=write", async () => {
    vi.stubEnv("BUDGETS", "write");
    setBudgets({ core: 30, test: 0 });
    expect(await checkBudgets(root)).toEqual([expect.stringContaining("test: 1, expected 0 at most")]);
    expect(JSON.parse(readFileSync(join(root, "scripts/budgets.json"), "utf8"))).toEqual({
      ...BUDGETS,
      test: 0,
    });
  });
});
