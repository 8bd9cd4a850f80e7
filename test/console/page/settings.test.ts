/** What the settings list. @module */
import { expect, it } from "vitest";
import { listFacts, listStored } from "../../../src/console/page/settings.ts";

const DRAFT = { method: "GET", address: "https://a.test/", headers: [], kind: "none", body: "", fields: [] };
const STORED = {
  "fetchvia.saved": {
    requests: [{ name: "cups", draft: DRAFT }, { name: "pots", draft: DRAFT }, { name: 7 }],
    variables: [["*", [["base", "https://a.test"], ["key", ""]]], ["https://a.test", [["id", "1"]]]],
  },
  "fetchvia.filters": ["status:404", "body:s3cret"],
  "fetchvia.hosts": ["https://a.test", "javascript:alert(1)"],
  "fetchvia-inspector": { tab: "Timing", width: 400 },
};
const KEPT = [
  ["Saved requests", "cups, pots"],
  ["Variables", "base, key, id"],
  ["Saved filters", "status:404"],
  ["Last filters", ">1s, 5xx"],
  ["Recent hosts", "https://a.test"],
  ["Colours", "dark"],
  ["Request pane", "tab, width"],
];

const shelfOf = (stored: object, theme?: string) => {
  const texts = Object.entries(stored).map(([key, value]): [string, string] => [key, JSON.stringify(value)]);
  const kept = new Map([...texts, ["fetchvia.theme", theme ?? ""]]);
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: () => {} };
};

it.each([
  { about: "everything", shelf: shelfOf(STORED, "dark"), filters: [">1s", "5xx"], expected: KEPT },
  { about: "nothing", shelf: shelfOf({}), filters: [], expected: [] },
  { about: "no storage", shelf: undefined, filters: [], expected: [] },
  {
    about: "what a target's page wrote",
    shelf: shelfOf({ "fetchvia.hosts": 7, "fetchvia.saved": [1], "fetchvia.filters": {} }, "<b>"),
    filters: [],
    expected: [],
  },
])("of $about it lists $expected", ({ shelf, filters, expected }) => {
  expect(listStored(shelf, filters)).toEqual(expected);
});

it.each([
  {
    facts: { version: "1.2.3", domain: "localhost", labels: [], needsToken: false },
    capture: "",
    expected: ["1.2.3", "to nowhere", "localhost", "none", "need no token", "cannot be seen from here"],
  },
  {
    facts: {
      version: "1.2.3",
      domain: "p.test",
      labels: [["a", "https://a.test"], ["b", "https://b.test/x"]] as [string, string][],
      needsToken: true,
    },
    capture: "Capture is off.",
    expected: [
      "1.2.3",
      "to nowhere",
      "p.test",
      "a: https://a.test, b: https://b.test/x",
      "need a token",
      "Capture is off.",
    ],
  },
])("of the proxy at $facts.domain it tells $expected", ({ facts, capture, expected }) => {
  const told = listFacts(facts, "to nowhere", capture);
  expect(told.map(([, value]) => value)).toEqual(expected);
  expect(told.map(([name]) => name))
    .toEqual(["Version", "Requests go", "Domain", "Labels", "Callers", "Capture"]);
});
