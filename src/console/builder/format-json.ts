/**
 * Indents JSON. Only the blanks between its tokens change: numbers, escapes and doubled members stay as typed.
 * @module
 */

const INDENT = "  ";

/**
 * Indents a JSON text by two blanks a level.
 *
 * @throws {SyntaxError} if it is no JSON
 */
export function formatJson(text: string): string {
  JSON.parse(text);
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let written = "";
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === "{" || token === "[") {
      const isEmpty = next === "}" || next === "]";
      depth += 1;
      written += isEmpty ? token : token + breakLine(depth);
    } else if (token === "}" || token === "]") {
      depth -= 1;
      const before = tokens[index - 1];
      written += before === "{" || before === "[" ? token : breakLine(depth) + token;
    } else if (token === ",") written += token + breakLine(depth);
    else written += token === ":" ? ": " : token;
  }
  return written;
}

function breakLine(depth: number): string {
  return `\n${INDENT.repeat(depth)}`;
}
