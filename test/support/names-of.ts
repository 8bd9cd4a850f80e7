/**
 * Lists the names that a pattern of names stands for, so that tests plant whatever is added to it.
 * @module
 */

/** An alternative's sign: a group, a class (its first sign stands for all), anything, an end, or a sign. */
const ATOM = /\(\?:|\[([^\]])[^\]]*\]|\.\*|[$^]|\\?([^|)])/y;

/** Each alternative of a pattern as a name; what is optional is there and not there. */
export function namesOf({ source }: RegExp): string[] {
  let at = 0;
  const take = (sign: string) => source[at] === sign && (at += 1) > 0;
  const readAtom = (): string[] => {
    ATOM.lastIndex = at;
    const [text = "", ofClass, sign] = ATOM.exec(source) ?? [];
    at += text.length;
    const inner = text === "(?:" ? readAlternatives() : [text === ".*" ? "x" : ofClass ?? sign ?? ""];
    return take("?") ? [...inner, ""] : inner;
  };
  const readSequence = (): string[] => {
    let made = [""];
    while (at < source.length && !"|)".includes(source[at] ?? "")) {
      const next = readAtom();
      made = made.flatMap((start) => next.map((end) => start + end));
    }
    return made;
  };
  const readAlternatives = (): string[] => {
    const all = readSequence();
    while (take("|")) all.push(...readSequence());
    take(")");
    return all;
  };
  return [...new Set(readAlternatives())];
}
