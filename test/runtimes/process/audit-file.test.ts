/** Lines of `AUDIT` on their way out: in order, whole, and each known to be written. @module */
import { execFileSync } from "node:child_process";
import { closeSync, constants, existsSync, linkSync, mkdirSync, mkdtempSync, openSync } from "node:fs";
import { readFileSync, readSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../../src/core/settings/config.ts";
import { AuditLines, makePipe, openAudit } from "../../../src/runtimes/process/audit-file.ts";
import { rereadAll } from "../../../src/runtimes/process/reread.ts";

const FULL = Object.assign(new Error("full"), { code: "ENOSPC" });

/** Lines to a destination that does with each write what `takes` says: so many bytes, or all, or it fails. */
function linesTo(takes: readonly (number | "all" | "fails")[], { most = 256, isLoose = false } = {}) {
  const writes: string[] = [];
  const told: string[] = [];
  const todo = [...takes];
  const lines = new AuditLines(
    {
      most,
      write(bytes) {
        const take = todo.shift() ?? "all";
        if (take === "fails") return Promise.reject(FULL);
        const written = take === "all" ? bytes.length : take;
        writes.push(Buffer.from(bytes.subarray(0, written)).toString());
        return Promise.resolve(written);
      },
    },
    isLoose,
    (state) => void told.push(state),
  );
  const write = (...texts: string[]) =>
    Promise.all(
      texts.map((text) => lines.write(text).then(() => "written", (error) => (error as Error).message)),
    );
  return { write, writes, told };
}

describe("lines", () => {
  it("go out in order, those of one turn in one write", async () => {
    const { write, writes } = linesTo([]);
    expect(await write("1", "2", "3")).toEqual(["written", "written", "written"]);
    expect(writes).toEqual(["1\n2\n3\n"]);
  });

  it("go out one at a time where no more are taken", async () => {
    const { write, writes } = linesTo([], { most: 1 });
    await write("1", "2", "3");
    expect(writes).toEqual(["1\n", "2\n", "3\n"]);
  });

  it("that are written in part are lost, and spoil none behind them", async () => {
    const { write, writes, told } = linesTo(["all", 6]);
    expect(await write("first")).toEqual(["written"]);
    expect(await write("22222", "33333", "44444"))
      .toEqual(["written", "Not all was written", "Not all was written"]);
    expect(await write("5")).toEqual(["written"]);
    expect(writes.join("")).toBe("first\n22222\n\n5\n");
    expect(told).toEqual(["fails (ENOSPC): requests are refused", "is back: it lacks 2 decisions"]);
  });

  it("that can't be written fail, and it is told once", async () => {
    const { write, told } = linesTo(["fails", "fails"]);
    expect(await write("1", "2")).toEqual(["full", "full"]);
    expect(told).toEqual(["fails (ENOSPC): requests are refused"]);
  });

  it("are no matter to their requests where that is loose", async () => {
    const { write, told } = linesTo(["fails"], { isLoose: true });
    expect([await write("1"), await write("2")]).toEqual([["written"], ["written"]]);
    expect(told).toEqual(["fails (ENOSPC): requests go on without a record", "is back: it lacks 1 decision"]);
  });
});

it("a pipe that nobody reads makes the first line wait, and no other", async () => {
  const full = Object.assign(new Error("full"), { code: "EAGAIN" });
  const takes: (() => Promise<number>)[] = [];
  let tried = 0;
  const pipe = makePipe(() => (tried += 1, takes.shift()?.() ?? Promise.reject(full)));
  await expect(pipe.write(Buffer.from("1\n"))).rejects.toThrow("full");
  tried = 0;
  for (const line of ["2\n", "3\n", "4\n"]) {
    await expect(pipe.write(Buffer.from(line))).rejects.toThrow("full");
  }
  expect(tried).toBe(3);
  takes.push(
    () => Promise.reject(full),
    () => Promise.resolve(2),
    () => Promise.reject(full),
    () => Promise.resolve(2),
  );
  await expect(pipe.write(Buffer.from("5\n"))).rejects.toThrow("full");
  expect([await pipe.write(Buffer.from("6\n")), await pipe.write(Buffer.from("7\n"))]).toEqual([2, 2]);
});

describe("a file", () => {
  let file: string;
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "fetchvia-audit-"));
    file = join(folder, "audit.jsonl");
    return () => rmSync(folder, { recursive: true });
  });
  const openFile = (suffix = "") => openAudit(readConfig({ AUDIT: file + suffix }));

  it("is read by its owner only, and appended to by several", async () => {
    const writers = [openFile(), openFile(), openFile(",loose")];
    const texts = Array.from({ length: 300 }, (_, index) => `${index} ${"x".repeat(index * 10)}`);
    await Promise.all(texts.map((text, index) => writers[index % 3]!.write!(text)));
    expect(new Set(readFileSync(file, "utf8").split("\n").slice(0, -1))).toEqual(new Set(texts));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("takes no line once the proxy has stopped, nor does what has its number then", async () => {
    const stopped = new AbortController();
    const { write } = openAudit(readConfig({ AUDIT: file }), stopped.signal);
    await write!("1");
    stopped.abort();
    const next = openSync(`${file}.next`, "w");
    await expect(write!("2")).rejects.toThrow();
    closeSync(next);
    expect([file, `${file}.next`].map((name) => readFileSync(name, "utf8"))).toEqual(["1\n", ""]);
  });

  it("that was renamed is left at SIGHUP for a new one", async () => {
    const { write, rereads: [reread] } = openFile();
    await write!("1");
    expect(await reread!()).toBeUndefined();
    renameSync(file, `${file}.1`);
    expect(existsSync(file)).toBe(false);
    expect(await reread!()).toBe("AUDIT, which is a new file");
    await write!("2");
    expect([readFileSync(`${file}.1`, "utf8"), readFileSync(file, "utf8")]).toEqual(["1\n", "2\n"]);
  });

  it("that is renamed while lines come loses none of them", async () => {
    const { write, rereads: [reread] } = openFile();
    for (let turn = 0; turn < 20; turn += 1) {
      const writing = write!(String(turn));
      renameSync(file, `${file}.${turn}`);
      await Promise.all([reread!(), writing]);
    }
    const names = [...Array.from({ length: 20 }, (_, turn) => `${file}.${turn}`), file];
    const lines = names.flatMap((name) => readFileSync(name, "utf8").split("\n").slice(0, -1));
    expect(lines).toEqual(Array.from({ length: 20 }, (_, turn) => String(turn)));
  });

  it("may be a pipe, but only if something reads it already: nothing waits for a reader", async () => {
    execFileSync("mkfifo", [file]);
    expect(() => openFile()).toThrow("or a pipe that something reads already");
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { write } = openFile();
    await Promise.all(["1", "2", "3"].map((line) => write!(line)));
    const bytes = Buffer.alloc(100);
    expect(bytes.toString("utf8", 0, readSync(reader, bytes))).toBe("1\n2\n3\n");
    closeSync(reader);
    await expect(write!("4")).rejects.toThrow("EPIPE");
  });

  it.each([
    { audit: undefined, opened: { rereads: [] } },
    { audit: "stderr", opened: { write: expect.any(Function), rereads: [] } },
  ])("is not opened for $audit", ({ audit, opened }) => {
    expect(openAudit(readConfig({ AUDIT: audit }))).toEqual(opened);
  });

  it.each([
    { about: "a folder", put: () => mkdirSync(file) },
    { about: "a pipe that nobody reads", put: () => void execFileSync("mkfifo", [file]) },
  ])("with $about in its place takes no line until that is gone", async ({ put }) => {
    const { write, rereads } = openFile();
    await write!("1");
    rmSync(file);
    put();
    await expect(rereads[0]!()).rejects.toThrow("expected a file that can be written");
    for (const line of ["2", "3"]) await expect(write!(line)).rejects.toThrow();
    rmSync(file, { recursive: true });
    await write!("4");
    expect(readFileSync(file, "utf8").trim()).toBe("4");
  });

  it.each([
    { suffix: "", outcome: "Requests are refused until then" },
    { suffix: ",loose", outcome: "Requests go on without a record until then" },
  ])(
    "$suffix that can't be opened at SIGHUP is told with what becomes of requests",
    async ({ suffix, outcome }) => {
      const { rereads } = openFile(suffix);
      rmSync(dirname(file), { recursive: true });
      const message =
        `cannot read again: AUDIT is ${JSON.stringify(file)}, expected a file that can be written, ` +
        `with one name, and no link to one, or a pipe that something reads already. ${outcome}`;
      expect(await rereadAll(rereads)).toEqual([message]);
      mkdirSync(dirname(file));
    },
  );

  /** What another one may put where the file is to be, and what else it would be written to. */
  const PLANTED: { about: string; plant: (other: string) => void }[] = [
    { about: "a link to a file", plant: (other) => symlinkSync(other, file) },
    { about: "a link to nothing", plant: (other) => symlinkSync(`${other}-none`, file) },
    { about: "another name of a file", plant: (other) => linkSync(other, file) },
  ];
  describe.each(PLANTED)("with $about in its place", ({ plant }) => {
    const plantNow = () => {
      const other = join(dirname(file), "other");
      writeFileSync(other, "as it was");
      plant(other);
      return () => [readFileSync(other, "utf8"), existsSync(`${other}-none`)];
    };

    it("is refused at the start, and nothing is written or made", () => {
      const look = plantNow();
      expect(() => openFile())
        .toThrow("expected a file that can be written, with one name, and no link to one");
      expect(look()).toEqual(["as it was", false]);
    });

    it("is not opened again, and nothing is written or made", async () => {
      const { write, rereads: [reread] } = openFile();
      rmSync(file);
      const look = plantNow();
      await expect(reread!())
        .rejects.toThrow("expected a file that can be written, with one name, and no link to one");
      await expect(write!("1")).rejects.toThrow();
      expect(look()).toEqual(["as it was", false]);
    });
  });

  it("may be a device, but no link to one: what is recorded would be gone", async () => {
    await openAudit(readConfig({ AUDIT: "/dev/null" })).write!("1");
    symlinkSync("/dev/null", file);
    expect(() => openFile()).toThrow("no link to one");
  });

  it("that can't be written, or is a folder, is refused", () => {
    expect(() => openFile("/below")).toThrow("expected a file that can be written");
    expect(() => openAudit(readConfig({ AUDIT: "/" }))).toThrow("expected a file that can be written");
  });
});
