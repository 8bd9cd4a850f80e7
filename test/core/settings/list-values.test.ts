/** Lists as text, as arrays and as objects (labels: see config.options.test.ts, too). */
import { describe, expect, it } from "vitest";
import { formatAddress } from "../../../src/core/address/address.ts";
import { isInCidr } from "../../../src/core/address/ip.ts";
import { findLabelsFault, listOf, parseCidrs } from "../../../src/core/settings/list-values.ts";
import { parseForms, parseLabels, recordOf } from "../../../src/core/settings/list-values.ts";
import { rowsOf } from "../../support/rows.ts";

const { parse: cidrs } = listOf(parseCidrs);
const { parse: forms } = listOf(parseForms);
const echo = listOf((entries) => entries);
const echoPairs = recordOf((pairs) => pairs);

it.each([
  { about: "text", read: () => echo.parse(" a,b c ,,d"), entries: ["a", "b c", "", "d"] },
  { about: "no text", read: () => echo.parse(""), entries: [""] },
  { about: "an array", read: () => echo.parseEntries([" a,b ", "c"]), entries: ["a,b", "c"] },
  { about: "an empty array", read: () => echo.parseEntries([]), entries: [] },
])("listOf gives the entries of $about without blanks around them", ({ read, entries }) => {
  expect(read()).toEqual(entries);
});

it.each(rowsOf(["about", "read", "pairs"], [
  ["text", () => echoPairs.parse(" a=b,,c=d=e ,f"), [["a", "b"], ["c", "d=e"], ["", "f"]]],
  ["an array", () => echoPairs.parseEntries(["a=b,c=d"]), [["a", "b,c=d"]]],
  ["an object", () => echoPairs.parsePairs([[" a=b", " c,d=e "]]), [["a=b", "c,d=e"]]],
]))("recordOf cuts $about into keys and values", ({ read, pairs }) => expect(read()).toEqual(pairs));

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

  it.each(["", "localhost", "*", "10.0.0.0/33", "10.0.0", "127.0.0.1:80", "127.0.0.1,,::1", "fe80::1%eth0"])(
    "refuses %s",
    (text) => expect(cidrs(text)).toBeUndefined(),
  );
});

describe("parseForms", () => {
  it.each([
    { text: "git", list: ["git"] },
    { text: "cors-anywhere, corsproxy,SCALAR", list: ["cors-anywhere", "corsproxy", "scalar"] },
  ])("reads $text", ({ text, list }) => expect(forms(text)).toEqual(list));

  it.each(["", "url", "git,url", "git,", "*"])("refuses %s", (text) => expect(forms(text)).toBeUndefined());
});

it("parseLabels reads labels and bases", () => {
  const labels = parseLabels([["Api", "https://a.test/v1"], ["b", "http://b.test:81"]]);
  expect([...labels ?? []].map(([label, base]) => [label, formatAddress(base)]))
    .toEqual([["api", "https://a.test/v1"], ["b", "http://b.test:81"]]);
});

it.each(rowsOf(["text", "fault"], [
  ["api", "has an entry without ="],
  ["a_b=https://a.test", "has a label that is not 1 to 63 letters, digits and inner hyphens"],
  ["api =https://a.test", "has a label that is not 1 to 63 letters, digits and inner hyphens"],
  ["=https://a.test", "has a label that is not 1 to 63 letters, digits and inner hyphens"],
  ["api=https://a.test,API=https://b.test", "has the label api twice"],
  ["a=https://a.test, b=localhost:3000", "has a base for b that has no scheme"],
  ["a=https://a.test?x=1", "has a base for a that has a query"],
  ["a=", "has a base for a that is empty"],
]))("findLabelsFault: $text $fault", ({ text, fault }) => {
  expect(recordOf(parseLabels).parse(text)).toBeUndefined();
  expect(findLabelsFault(text)).toBe(fault);
});
