/**
 * Fetch arguments of exactly 8 MiB, in the shapes that cost a parser most.
 * @module
 */

/** How long a posted argument may be. */
export const LARGEST: number = 8 * 1024 * 1024;

/** An argument without its end, and what it does. */
export interface Shape {
  name: string;
  /** The members behind `url` and `method`. */
  members: string;
  /** What is sent to the target; absent where the argument is refused. */
  sent?: string;
  /** What the refusal says. */
  says?: string;
}

const FORM = '"headers":{"content-type":"application/x-www-form-urlencoded"}';
/** What is left beside the address. */
const ROOM = LARGEST - 300;

/** @param room how many characters of it */
function repeat(unit: string, room = ROOM): string {
  return unit.repeat(Math.floor(room / unit.length));
}

/** Members of so many different names, each with its colon and value. */
function names(): string {
  return Array.from({ length: Math.floor(ROOM / 12) }, (_, at) => `"${String(at).padStart(7, "0")}":0`).join(
    ",",
  );
}

function withBody(name: string, body: string, sent = body): Shape {
  return { name, members: `"body":${body}`, sent };
}

/** Trees of many small values. */
export const TREES: readonly Shape[] = [
  withBody("deep arrays", "[".repeat(ROOM / 2) + "]".repeat(ROOM / 2)),
  withBody("numbers", `[${repeat("0,")}0]`),
  withBody("empty objects", `[${repeat("{},")}0]`),
  withBody("many names", `{${names()}}`),
];

/** Texts that are written anew on their way. */
export const TEXTS: readonly Shape[] = [
  withBody("escapes", `"${repeat("\\n")}"`, repeat("\\n").replaceAll("\\n", "\n")),
  withBody("pairs of escapes", `"${repeat("\\ud83d\\ude80")}"`, "🚀".repeat(Math.floor(ROOM / 12))),
  {
    name: "a form",
    members: `${FORM},"body":{"a":"${repeat("éabc", ROOM * 4 / 5)}"}`,
    sent: `a=${repeat("éabc", ROOM * 4 / 5).replaceAll("é", "%C3%A9")}`,
  },
];

/** What is refused. */
export const REFUSED: readonly Shape[] = [
  { name: "a tree in headers", members: `"headers":{"a":[${repeat("[],")}0]}`, says: "headers is too long" },
  { name: "a long url", members: `"url":"https://a.test/${repeat("x")}"`, says: "url is too long" },
  { name: "unknown fields", members: names(), says: "0000000, 0000001" },
  {
    name: "a form of many fields",
    members: `${FORM},"body":{${names()}}`,
    says: "form with too many fields",
  },
  {
    name: "a form of a long list",
    members: `${FORM},"body":{"a":[${repeat("1,")}1]}`,
    says: "form with too many",
  },
  { name: "a fault at the end", members: `"body":[${repeat("0,")}]`, says: "Invalid Base64 or JSON format" },
];

/** The bytes of an argument, filled with blanks. */
export function writeArgument(origin: string, { members }: Shape, size: number = LARGEST): Buffer {
  const json = Buffer.from(`{"url":"${origin}/p","method":"POST",${members}}`);
  return Buffer.concat([json, Buffer.alloc(size - json.length, " ")]);
}
