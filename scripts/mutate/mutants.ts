/**
 * Ways to break a file in one place.
 * @module
 */
import { type Node, type Place, readSources } from "../check/source.ts";

/** A file that is broken in one place. */
export interface Mutant {
  path: string;
  /** From 1. */
  line: number;
  /** The whole file. */
  text: string;
  /** The text at that place, before and after. */
  what: string;
}

const OPERATORS = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["+", "-"],
  ["-", "+"],
  ["&&", "||"],
  ["||", "&&"],
  ["??", "&&"],
]);

/** All mutants of a file. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const [source] = readSources({ [path]: text });
  return source!.places.flatMap((place) => {
    const change = changeOf(place, text);
    if (!change || isType(place)) return [];
    const [start, end, by] = change;
    const line = text.slice(0, start).split("\n").length;
    const before = text.slice(start, end);
    return [{
      path,
      line,
      text: text.slice(0, start) + by + text.slice(end),
      what: `${shorten(before)} → ${shorten(by)}`,
    }];
  });
}

type Change = readonly [start: number, end: number, by: string];

/** Another text for a part of a node; `undefined` for nodes that are not changed. */
function changeOf({ node }: Place, text: string): Change | undefined {
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
    const other = OPERATORS.get(node.operator);
    const start = text.indexOf(node.operator, node.left.end);
    return other === undefined ? undefined : [start, start + node.operator.length, other];
  }
  if (
    node.type === "IfStatement" || node.type === "ConditionalExpression" || node.type === "WhileStatement"
  ) {
    const { start, end } = node.test;
    return [start, end, `!(${text.slice(start, end)})`];
  }
  if (node.type === "UnaryExpression" && node.operator === "!") return [node.start, node.start + 1, ""];
  if (node.type === "Literal") return changeLiteral(node);
  return undefined;
}

function changeLiteral({ value, start, end }: Node & { value?: unknown }): Change | undefined {
  if (typeof value === "boolean") return [start, end, String(!value)];
  if (typeof value === "number") return [start, end, String(value + 1)];
  return undefined;
}

/** True inside of types and imports, which do not exist at run time. */
function isType(place: Place | undefined): boolean {
  return place !== undefined &&
    (/^TS|^Import|^Export.*From/.test(place.node.type) &&
        !/^TS(?:As|NonNull|Satisfies)/.test(place.node.type) ||
      isType(place.parent));
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text.replaceAll("\n", " ");
}
