/** A command's words, as shells read them. @module */
import { describe, expect, it } from "vitest";
import { splitWords } from "../../../src/console/builder/shell-words.ts";

describe("splitWords", () => {
  it.each<{ text: string; words: string[] }>([
    { text: "curl a  b\tc", words: ["curl", "a", "b", "c"] },
    { text: `curl 'a b' "c d" e\\ f`, words: ["curl", "a b", "c d", "e f"] },
    { text: `curl 'it'\\''s'`, words: ["curl", "it's"] },
    { text: `curl "a\\"b\\\\c\\d\\$"`, words: ["curl", 'a"b\\c\\d$'] },
    { text: "curl a \\\n  b \\\r\n c", words: ["curl", "a", "b", "c"] },
    { text: "curl a\nrm -rf /", words: ["curl", "a"] },
    { text: "curl a | jq .", words: ["curl", "a"] },
    { text: "curl a && b", words: ["curl", "a"] },
    { text: "curl a > out", words: ["curl", "a"] },
    { text: "curl '' \"\"", words: ["curl", "", ""] },
    { text: "curl http://a/?b&c", words: ["curl", "http://a/?b&c"] },
    { text: `curl $'a\\n\\t\\'\\\\\\u00e9\\x41\\101'`, words: ["curl", "a\n\t'\\\u00e9AA"] },
    { text: `curl $'\\U0001F600'`, words: ["curl", "\u{1F600}"] },
    { text: `curl -H 'a'"b"c`, words: ["curl", "-H", "abc"] },
    { text: "curl 'two\nlines'", words: ["curl", "two\nlines"] },
  ])("$text", ({ text, words }) => expect(splitWords(text).words).toEqual(words));

  it("reads what Chrome copies for cmd", () => {
    const text =
      'curl ^"https://a.test/?b=1^&c=^%^20^" ^\r\n  -H ^"x-a: it\'s ^\\^"so^\\^"^" ^\r\n  --data-raw ^"^{^\\^"a^\\^":1^}^"';
    expect(splitWords(text).words)
      .toEqual(["curl", "https://a.test/?b=1&c=%20", "-H", 'x-a: it\'s "so"', "--data-raw", '{"a":1}']);
  });

  it("names what a shell would replace", () =>
    expect(splitWords("curl \"$URL\" $(id) `x` '$NOT'").expands).toEqual(["$URL", "$(id)", "`…`", "`…`"]));

  it.each(["curl 'a", 'curl "a', "curl $'a"])("throws where a quote does not end: %s", (text) => {
    expect(() => splitWords(text)).toThrow(SyntaxError);
  });
});
