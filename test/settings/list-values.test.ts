/**
 * Lists as text, as arrays and as objects (labels: see config.options.test.ts, too).
 * @module
 */
import { describe, expect, it } from "vitest";
import { formatAddress } from "../../src/address/address.ts";
import { isInCidr } from "../../src/address/ip.ts";
import {
  findLabelsFault,
  listOf,
  parseCidrs,
  parseForms,
  parseLabels,
  recordOf,
} from "../../src/settings/list-values.ts";

const { parse: cidrs } = listOf(parseCidrs);
const { parse: forms } = listOf(parseForms);
const echo = listOf((entries) => entries);
const echoPairs = recordOf((pairs) => pairs);

describe("listOf", () => {
  it.each([
    { about: "text", read: () => echo.parse(" a,b c ,,d"), entries: ["a", "b c", "", "d"] },
    { about: "no text", read: () => echo.parse(""), entries: [""] },
    { about: "an array", read: () => echo.parseEntries([" a,b ", "c"]), entries: ["a,b", "c"] },
    { about: "an empty array", read: () => echo.parseEntries([]), entries: [] },
  ])("gives the entries of $about without blanks around them", ({ read, entries }) => {
    expect(read()).toEqual(entries);
  });
});

describe("recordOf", () => {
  it.each([
    {
      about: "text",
      read: () => echoPairs.parse(" a=b,,c=d=e ,f"),
      pairs: [["a", "b"], ["c", "d=e"], ["", "f"]],
    },
    { about: "an array", read: () => echoPairs.parseEntries(["a=b,c=d"]), pairs: [["a", "b,c=d"]] },
    {
      about: "an object",
      read: () => echoPairs.parsePairs([[" a=b", " c,d=e "]]),
      pairs: [["a=b", "c,d=e"]],
    },
  ])("cuts $about into keys and values", ({ read, pairs }) => {
    expect(read()).toEqual(pairs);
  });
});

describe("parseCidrs", () => {
  it.each([
    { text: "127.0.0.1", address: "127.0.0.1", is: true },
    { text: "127.0.0.1", address: "127.0.0.2", is: false },
    { text: "10.0.0.0/8, ::1", address: "10.255.0.1", is: true },
    { text: "10.0.0.0/8,::1", address: "::1", is: true },
    { text: "2001:db8::/32", address: "2001:db9::", is: false },
    { text: "[::1]", address: "::1", is: true },
  ])("$text holds $address: $is", ({ text, address, is }) => {
    expect(cidrs(text)?.some((cidr) => isInCidr(address, cidr))).toBe(is);
  });

  it.each([
    { text: "" },
    { text: "localhost" },
    { text: "*" },
    { text: "10.0.0.0/33" },
    { text: "10.0.0" },
    { text: "127.0.0.1:80" },
    { text: "127.0.0.1,,::1" },
    { text: "fe80::1%eth0" },
  ])("refuses $text", ({ text }) => {
    expect(cidrs(text)).toBeUndefined();
  });
});

describe("parseForms", () => {
  it.each([
    { text: "git", list: ["git"] },
    { text: "cors-anywhere, corsproxy,SCALAR", list: ["cors-anywhere", "corsproxy", "scalar"] },
  ])("reads $text", ({ text, list }) => {
    expect(forms(text)).toEqual(list);
  });

  it.each([{ text: "" }, { text: "url" }, { text: "git,url" }, { text: "git," }, { text: "*" }])(
    "refuses $text",
    ({ text }) => {
      expect(forms(text)).toBeUndefined();
    },
  );
});

describe("parseLabels", () => {
  it("reads labels and bases", () => {
    const labels = parseLabels([["Api", "https://a.test/v1"], ["b", "http://b.test:81"]]);
    expect([...labels ?? []].map(([label, base]) => [label, formatAddress(base)])).toEqual([
      ["api", "https://a.test/v1"],
      ["b", "http://b.test:81"],
    ]);
  });
});

describe("findLabelsFault", () => {
  it.each([
    { text: "api", fault: "has an entry without =" },
    {
      text: "a_b=https://a.test",
      fault: "has a label that is not 1 to 63 letters, digits and inner hyphens",
    },
    {
      text: "api =https://a.test",
      fault: "has a label that is not 1 to 63 letters, digits and inner hyphens",
    },
    { text: "=https://a.test", fault: "has a label that is not 1 to 63 letters, digits and inner hyphens" },
    { text: "api=https://a.test,API=https://b.test", fault: "has the label api twice" },
    { text: "a=https://a.test, b=localhost:3000", fault: "has a base for b that has no scheme" },
    { text: "a=https://a.test?x=1", fault: "has a base for a that has a query" },
    { text: "a=", fault: "has a base for a that is empty" },
  ])("$text $fault", ({ text, fault }) => {
    expect(recordOf(parseLabels).parse(text)).toBeUndefined();
    expect(findLabelsFault(text)).toBe(fault);
  });
});
