/**
 * The input and output of the rules: files as text and as syntax trees, and what a rule finds in them.
 * @module
 */
import { type ESTree, parseSync } from "rolldown/utils";

/** A node of the syntax tree (ESTree with TypeScript). */
export type Node = ESTree.Node;

/** A node and its place in the tree. */
export interface Place {
  node: Node;
  parent?: Place;
}

/** A comment: `value` without its marks, `start` and `end` with them. */
export interface Comment {
  type: "Block" | "Line";
  value: string;
  start: number;
  end: number;
}

/** One file of the project. */
export interface Source {
  /** Relative to the top of the project, with `/`. */
  path: string;
  text: string;
  /** All comments; for a file that is not TypeScript, its whole text as one comment. */
  comments: readonly Comment[];
  /** The top-level statements. */
  statements: readonly Node[];
  /** Every node, in the order of the text. */
  places: readonly Place[];
}

/** A place where a rule is broken; `line` counts from 1. */
export interface Finding {
  path: string;
  line: number;
  message: string;
}

/** One house rule: a pure function over all files, so that a test can feed it two-line samples. */
export interface Rule {
  name: string;
  /** What is true when the rule finds nothing. */
  about: string;
  check(sources: readonly Source[]): Finding[];
}

/** A finding inside one file: the offset of its place and what is wrong there. */
export type Fault = readonly [offset: number, message: string];

/** Reads files given as path → text. */
export function readSources(files: Readonly<Record<string, string>>): Source[] {
  return Object.entries(files).map(([path, text]) => readSource(path, text));
}

function readSource(path: string, text: string): Source {
  if (!path.endsWith(".ts")) {
    const comments: Comment[] = [{ type: "Block", value: text, start: 0, end: text.length }];
    return { path, text, comments, statements: [], places: [] };
  }
  const { program, comments } = parseSync(path, text, { lang: "ts", astType: "ts" });
  const places: Place[] = [];
  collectPlaces({ node: program }, places);
  return { path, text, comments, statements: program.body, places };
}

function collectPlaces(place: Place, places: Place[]): void {
  places.push(place);
  for (const value of Object.values(place.node).flat()) {
    if (isNode(value)) collectPlaces({ node: value, parent: place }, places);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

/** Makes a rule from a function that checks one file at a time, for the files that `applies` picks. */
export function fileRule(
  name: string,
  about: string,
  applies: (path: string) => boolean,
  find: (source: Source) => Iterable<Fault>,
): Rule {
  const check = (sources: readonly Source[]) =>
    sources.filter((source) => applies(source.path)).flatMap((source) =>
      [...find(source)].map(([offset, message]) => ({
        path: source.path,
        line: lineAt(source, offset),
        message,
      }))
    );
  return { name, about, check };
}

/** The nodes around a place, innermost first. */
export function parentsOf(place: Place): Node[] {
  const parents: Node[] = [];
  for (let above = place.parent; above; above = above.parent) parents.push(above.node);
  return parents;
}

/** The line of an offset, from 1. */
export function lineAt(source: Source, offset: number): number {
  return source.text.slice(0, offset).split("\n").length;
}

/** TypeScript of the project itself. */
export const isSource = (path: string): boolean => path.startsWith("src/") && path.endsWith(".ts");

/** Sources that run on every runtime: all but those of the wire, the runtimes and the command. */
export const isCore = (path: string): boolean =>
  isSource(path) && !/^src\/(?:wire|runtimes|command)\//.test(path);

/** TypeScript of the tests. */
export const isTest = (path: string): boolean => path.startsWith("test/") && path.endsWith(".ts");

/** TypeScript anywhere. */
export const isTypeScript = (path: string): boolean => path.endsWith(".ts");
