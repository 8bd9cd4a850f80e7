/**
 * The report: Markdown that reads in a terminal too.
 * @module
 */
import type { Scene, Seen } from "./scene.ts";

/** A scene and what was seen. */
export interface Row {
  scene: Scene;
  seen: Seen;
}

/** Characters that a cell shows at most. */
const MAX_CELL = 90;

/** The table of all scenes. */
export function formatTable(rows: readonly Row[]): string {
  const head = ["#", "scene", "before", "now", "wanted", ""];
  const body = rows.map(({ scene, seen }) => [
    ...[String(scene.number), scene.title, scene.before, seen.figure, scene.wanted].map(shorten),
    seen.isOk ? "ok" : "FAIL",
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...body.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

function shorten(text: string): string {
  const plain = text.replace(/\s+/g, " ").replaceAll("|", "\\|");
  return plain.length > MAX_CELL ? `${plain.slice(0, MAX_CELL - 1)}…` : plain;
}
