/**
 * Finds where a text stops being JSON (RFC 8259). Engines word that differently, and some name no place.
 * @module
 */

/** One token: a string, a number or word, or a mark. Blanks before it are skipped. */
const TOKEN =
  /[ \t\r\n]*(?:"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)|[{}[\]:,])/y;

/** A place in a text. */
export interface Place {
  /** From 1 on. */
  readonly line: number;
  /** From 1 on, in UTF-16 code units. */
  readonly column: number;
}

/** A place in a text, and what JSON would have there. */
export interface JsonFault extends Place {
  readonly expected: string;
}

/** What may come next; the texts continue "expected …". */
const VALUE = "a value";
const NAME = "a name in double quotes";
const FIRST_NAME = `${NAME}, or }`;
const FIRST_VALUE = "a value, or ]";
const COLON = "a colon";
const END = "nothing more";
const NEXT = { "{": "a comma, or }", "[": "a comma, or ]" } as const;

/** Finds the first fault; `undefined` for JSON. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ("{" | "[")[] = [];
  let expected = VALUE;
  for (let at = 0;;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0] ?? "";
    const next = token && take(token.trimStart(), expected, open);
    if (!next) {
      return expected === END && /^[ \t\r\n]*$/.test(text.slice(at))
        ? undefined
        : placeFault(text, at, expected);
    }
    expected = next;
    at += token.length;
  }
}

/** What comes after a token; `undefined` if the token is not expected. */
function take(token: string, expected: string, open: ("{" | "[")[]): string | undefined {
  const isString = token.startsWith('"');
  if (expected === COLON) return token === ":" ? VALUE : undefined;
  if ((expected === NAME || expected === FIRST_NAME) && isString) return COLON;
  const inner = open.at(-1);
  const isNext = inner !== undefined && expected === NEXT[inner];
  if (token === "," && isNext) return inner === "{" ? NAME : VALUE;
  if (
    (token === "}" && inner === "{" && (isNext || expected === FIRST_NAME)) ||
    (token === "]" && inner === "[" && (isNext || expected === FIRST_VALUE))
  ) {
    open.pop();
    return after(open);
  }
  if (expected !== VALUE && expected !== FIRST_VALUE) return undefined;
  if (token === "{" || token === "[") {
    open.push(token);
    return token === "{" ? FIRST_NAME : FIRST_VALUE;
  }
  return /^[}\],:]/.test(token) ? undefined : after(open);
}

/** What comes after a value. */
function after(open: readonly ("{" | "[")[]): string {
  const inner = open.at(-1);
  return inner === undefined ? END : NEXT[inner];
}

function placeFault(text: string, from: number, expected: string): JsonFault {
  const [blanks = ""] = /^[ \t\r\n]*/.exec(text.slice(from)) ?? [];
  return { ...findPlace(text, from + blanks.length), expected };
}

/** The line and column of an index. */
export function findPlace(text: string, at: number): Place {
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
