/**
 * Fetch arguments of exactly 8 MiB, in the shapes that cost a parser most.
 * @module
 */
import { typedRows } from "./rows.ts";

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
export const REFUSED: readonly Shape[] = typedRows<Shape>(["name", "members", "says"], [
  ["a tree in headers", `"headers":{"a":[${repeat("[],")}0]}`, "headers is too long"],
  ["a long url", `"url":"https://a.test/${repeat("x")}"`, "url is too long"],
  ["unknown fields", names(), "0000000, 0000001"],
  ["a form of many fields", `${FORM},"body":{${names()}}`, "form with too many fields"],
  ["a form of a long list", `${FORM},"body":{"a":[${repeat("1,")}1]}`, "form with too many"],
  ["a fault at the end", `"body":[${repeat("0,")}]`, "Invalid Base64 or JSON format"],
]);

/** The bytes of an argument, filled with blanks. */
export function writeArgument(origin: string, { members }: Shape, size: number = LARGEST): Buffer {
  const json = Buffer.from(`{"url":"${origin}/p","method":"POST",${members}}`);
  return Buffer.concat([json, Buffer.alloc(size - json.length, " ")]);
}
