/**
 * Copies what is selected in lines of which only some are elements.
 * @module
 */

import { type LineSource, lineText } from "./line-source.ts";

interface Place {
  line: number;
  column: number;
}

/** Tells of a node whether the selection begins or ends in it: then it must not go. */
export function readHeld(): (node: Node) => boolean {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return () => false;
  const { anchorNode, focusNode } = selection;
  return (node) => node.contains(anchorNode) || node.contains(focusNode);
}

/** Puts the selected text into the clipboard: whole lines as they are, without the breaks of the window. */
export function copySelection(event: ClipboardEvent, space: HTMLElement, source: LineSource): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  if (!space.contains(range.commonAncestorContainer)) return;
  // Ctrl+A means the rows that are no elements too.
  if (selection.anchorNode === space) {
    event.clipboardData?.setData("text/plain", readAll(source));
    return event.preventDefault();
  }
  const start = placeOf(range.startContainer, range.startOffset, source);
  const end = placeOf(range.endContainer, range.endOffset, source);
  if (!start || !end) return;
  event.clipboardData?.setData("text/plain", readLines(source, start, end));
  event.preventDefault();
}

/** The text of all lines. */
export function readAll(source: LineSource): string {
  const line = Math.max(source.count - 1, 0);
  return readLines(source, { line: 0, column: 0 }, { line, column: source.width(line) });
}

/** The text from one place to another, those of folded blocks too. */
export function readLines(source: LineSource, start: Place, end: Place): string {
  if (start.line === end.line) return lineText(source, start.line, start.column, end.column);
  const texts = [lineText(source, start.line, start.column)];
  for (let line = start.line + 1; line < end.line; line += 1) texts.push(lineText(source, line));
  texts.push(lineText(source, end.line, 0, end.column));
  return texts.join("\n");
}

function placeOf(node: Node, offset: number, source: LineSource): Place | undefined {
  const inside = node instanceof Element ? node : node.parentElement;
  const row = inside?.closest<HTMLElement>(".body-row");
  if (!row) return undefined;
  const line = Number(row.dataset["line"]);
  const text = row.querySelector(".text");
  if (!text) return undefined;
  const range = document.createRange();
  range.setStart(text, 0);
  const isBehind = range.comparePoint(node, offset) > 0 && !text.contains(node);
  if (isBehind) return { line, column: Number(row.dataset["from"]) + (text.textContent?.length ?? 0) };
  if (!text.contains(node)) return { line, column: Number(row.dataset["from"]) };
  range.setEnd(node, offset);
  return {
    line,
    column: Math.min(Number(row.dataset["from"]) + range.toString().length, source.width(line)),
  };
}
