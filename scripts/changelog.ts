/**
 * `npm run changelog`: prints the section of this version, made from the commits since the last tag; `-- --write` puts it
 * on top of CHANGELOG.md, where a person edits it.
 * @module
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { VERSION } from "../src/core/settings/version.ts";

/** The commits that the changelog lists, in this order; all others matter only to developers. */
const CHAPTERS = [
  { title: "Breaking", holds: ({ isBreaking }: Change) => isBreaking },
  { title: "Added", holds: ({ type }: Change) => type === "feat" },
  { title: "Fixed", holds: ({ type }: Change) => type === "fix" },
  { title: "Faster", holds: ({ type }: Change) => type === "perf" },
];

/** A commit whose first line reads `type(scope)!: what`. */
export interface Change {
  type: string;
  scope: string;
  isBreaking: boolean;
  what: string;
}

/** Reads the first line of a commit; `undefined` if it has another form. */
export function parseSubject(subject: string): Change | undefined {
  const [, type, scope = "", mark, what] = /^([a-z]+)(?:\(([^()]+)\))?(!)?: (.+)$/.exec(subject) ?? [];
  return type && what ? { type, scope, isBreaking: mark !== undefined, what } : undefined;
}

/** Writes the section of a version; each commit is listed in the first chapter that holds it. */
export function formatSection(version: string, subjects: readonly string[]): string {
  const changes = subjects.map(parseSubject).filter((change) => change !== undefined);
  const chapterOf = (change: Change) => CHAPTERS.find(({ holds }) => holds(change))?.title;
  const written = CHAPTERS.map(({ title }) => {
    const lines = changes.filter((change) => chapterOf(change) === title).map(formatChange);
    return lines.length > 0 ? `### ${title}\n\n${lines.join("\n")}\n` : "";
  });
  return `## ${version}\n\n${written.filter(Boolean).join("\n") || "Nothing that a user would see.\n"}`;
}

function formatChange({ scope, what }: Change): string {
  return `- ${scope ? `**${scope}:** ` : ""}${what}`;
}

/**
 * Puts a section on top.
 *
 * @throws {Error} if the changelog already has that version
 */
export function insertSection(changelog: string, section: string): string {
  const [head = ""] = section.split("\n", 1);
  if (changelog.split("\n").includes(head)) {
    throw new Error(`Cannot write ${head}: it is in CHANGELOG.md already, expected a new version`);
  }
  const first = changelog.search(/^## /m);
  const cut = first < 0 ? changelog.length : first;
  return `${changelog.slice(0, cut)}${section}\n${changelog.slice(cut)}`;
}

/** The first lines of the commits since the last tag, oldest first; without a tag all of them. */
function readSubjects(): string[] {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const [tag] = git("tag", "--merged", "HEAD", "--list", "v*", "--sort=-v:refname").split("\n");
  return git("log", "--reverse", "--no-merges", "--format=%s", tag ? `${tag}..HEAD` : "HEAD").split("\n");
}

if (import.meta.main) {
  const section = formatSection(VERSION, readSubjects());
  if (process.argv.includes("--write")) {
    const file = new URL("../CHANGELOG.md", import.meta.url);
    writeFileSync(file, insertSection(readFileSync(file, "utf8"), section));
  } else console.log(section);
}
