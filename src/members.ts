/**
 * The members of a JSON object as they were written: what `JSON.parse` makes of a number may be another one.
 * @module
 */

/**
 * The text of each member of an object by its name, the last one where a name comes twice, as `JSON.parse` has it; of an
 * array, that of each item by its index.
 *
 * @param json a text that `JSON.parse` reads as an object or an array
 */
export function readMembers(json: string): Map<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let start = 0;
  let name: string | undefined;
  const isArray = json.trimStart().startsWith("[");
  const marks = /["[\]{}:,]/g;
  for (let found = marks.exec(json); found; found = marks.exec(json)) {
    const [mark] = found;
    const at = found.index;
    if (mark === '"') {
      marks.lastIndex = endString(json, at);
    } else if (mark === "[" || mark === "{") {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (mark === ":") {
      if (depth === 1) {
        name = JSON.parse(json.slice(start, at)) as string;
        start = at + 1;
      }
    } else if (depth > 1) {
      if (mark !== ",") depth -= 1;
    } else {
      const text = json.slice(start, at).trim();
      if (text) members.set(isArray ? String(members.size) : name ?? "", text);
      start = at + 1;
    }
  }
  return members;
}

/** Where the text goes on behind a string. */
function endString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1);; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
}
