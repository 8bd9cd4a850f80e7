/** Allow and deny lists: what an entry may be, what it matches, and when it opens private addresses. */
import { describe, expect, it } from "vitest";
import { decodeSomeTargets, decodeTargetList } from "../../../src/core/address/target-lists.ts";
import { formatTargets, hasIpv6Range, judgeAddresses } from "../../../src/core/address/target-lists.ts";
import { judgeName, permitsPrivate, type TargetLists } from "../../../src/core/address/target-lists.ts";
import { listOf } from "../../../src/core/settings/list-values.ts";
import { grouped, rowsOf, words } from "../../support/rows.ts";

const { parse } = listOf(decodeTargetList);

/** The lists of one row; a text that does not decode fails the test. */
function readLists({ allow = "", deny = "" }: { allow?: string; deny?: string }): TargetLists {
  const read = (text: string) => (text ? parse(text)! : []);
  return { allow: read(allow), deny: read(deny) };
}

describe("decodeTargetList", () => {
  it.each(rowsOf(["text", "entries"], [
    ["*", [{ kind: "any" }]],
    ["*:8080", [{ kind: "any", port: 8080 }]],
    ["example.com", [{ kind: "name", host: "example.com" }]],
    ["EXAMPLE.com.", [{ kind: "name", host: "example.com" }]],
    ["example.com:1", [{ kind: "name", host: "example.com", port: 1 }]],
    ["example.com.:65535", [{ kind: "name", host: "example.com", port: 65_535 }]],
    ["localhost", [{ kind: "name", host: "localhost" }]],
    ["my_service-1", [{ kind: "name", host: "my_service-1" }]],
    ["Bücher.example", [{ kind: "name", host: "xn--bcher-kva.example" }]],
    ["*.Example.com", [{ kind: "suffix", suffix: ".example.com" }]],
    ["*.bücher.example:443", [{ kind: "suffix", suffix: ".xn--bcher-kva.example", port: 443 }]],
    [" a.test , *.b.test:80 ", [{ kind: "name", host: "a.test" }, {
      kind: "suffix",
      suffix: ".b.test",
      port: 80,
    }]],
  ]))("reads $text", ({ text, entries }) => expect(parse(text)).toEqual(entries));

  it.each([
    { text: "10.0.0.1", port: undefined, bits: 32 },
    { text: "10.0.0.1:8080", port: 8080, bits: 32 },
    { text: "10.0.0.0/8", port: undefined, bits: 8 },
    { text: "10.0.0.0/8:8080", port: 8080, bits: 8 },
    { text: "::1", port: undefined, bits: 128 },
    { text: "[::1]", port: undefined, bits: 128 },
    { text: "[::1]:8080", port: 8080, bits: 128 },
    { text: "fd00::1:8080", port: undefined, bits: 128 },
    { text: "fd00::/8", port: undefined, bits: 8 },
    { text: "[fd00::]/8", port: undefined, bits: 8 },
    { text: "[fd00::]/8:443", port: 443, bits: 8 },
    { text: "[::ffff:10.0.0.0]/104:443", port: 443, bits: 8 },
  ])("reads the range $text", ({ text, port, bits }) => {
    expect(parse(text)).toEqual([{ kind: "range", cidr: [expect.anything(), bits], port }]);
  });

  it.each(
    words`a.test a.test:80 *.a.test *.a.test:80 * *:80 10.0.0.1 10.0.0.1:80 10.0.0.0/8 10.0.0.0/8:80 [::1]
    [::1]:80 fd00::/8 [fd00::]/8:443`,
  )("writes %s as it was read", (text) => expect(formatTargets(parse(text)!)).toBe(text));

  it("reads an empty list, of targets that are named it is none", () => {
    expect(decodeTargetList([])).toEqual([]);
    expect(decodeSomeTargets([])).toBeUndefined();
    expect(decodeSomeTargets(["a.test"])).toEqual(decodeTargetList(["a.test"]));
  });

  it.each([
    ...words(`
      , a.test, a.test,,b.test a.test;b.test http://a.test a.test/path a.test?x a.test#x user@a.test a%2etest
      a<b .a.test a..test a.test.. . ** *. *.. *.* *.*.a.test *a.test a.* a.*.test *.10.0.0.1 *.1 a.test:
      a.test:0 a.test:080 a.test:65536 a.test:http a.test:80:80 :80 127.1 0177.0.0.1 2130706433 256.0.0.1
      10.0.0.0/33 10.0/16 [::1 ::1] [10.0.0.1] [fd00::/8]:443 fd00::/8:443 fe80::1%eth0
    `),
    "",
    "  ",
    "a.test b.test",
    "a.te\tst",
    "a\\b",
    "１２７.０.０.１",
  ])("refuses %s", (text) => expect(parse(text)).toBeUndefined());
});

it.each(rowsOf(["name", "port", "is", "why", "allow", "deny"], [
  ["a.test", 80, "allowed", "no lists"],
  ["a.test", 80, "allowed", "the name", "a.test"],
  ["A.TEST.", 80, "allowed", "case and one trailing dot do not count", "a.test"],
  ["b.test", 80, "refused", "another name", "a.test"],
  ["x.a.test", 80, "refused", "a name is not its subdomains", "a.test"],
  ["a.test", 80, "allowed", "the port", "a.test:80"],
  ["a.test", 81, "refused", "another port", "a.test:80"],
  ["a.test", 80, "allowed", "any name", "*"],
  ["a.test", 81, "refused", "any name, another port", "*:80"],
  ["x.a.test", 80, "allowed", "a subdomain", "*.a.test"],
  ["x.y.A.test.", 80, "allowed", "a subdomain at any depth", "*.a.test"],
  ["a.test", 80, "refused", "a suffix is not the name itself", "*.a.test"],
  [".a.test", 80, "refused", "nor an empty label before it", "*.a.test"],
  ["xa.test", 80, "refused", "nor a name that ends alike", "*.a.test"],
  ["x.a.test", 81, "refused", "a subdomain, another port", "*.a.test:80"],
  ["xn--bcher-kva.test", 80, "allowed", "an IDN folds as the target's", "bücher.test"],
  ["a.test", 80, "needs_addresses", "a range may allow it", "10.0.0.0/8"],
  ["a.test", 80, "refused", "a range of another port may not", "10.0.0.0/8:81"],
  ["a.test", 80, "allowed", "the name is enough", "a.test,10.0.0.0/8"],
  ["a.test.", 80, "refused", "denied", undefined, "a.test"],
  ["a.test", 80, "allowed", "denied for another port", undefined, "a.test:81"],
  ["x.a.test", 80, "refused", "denied suffix", undefined, "*.a.test"],
  ["a.test", 80, "refused", "everything denied", undefined, "*"],
  ["a.test", 80, "refused", "deny wins", "a.test", "a.test"],
  ["a.test", 80, "refused", "deny wins over the exact entry", "a.test:80", "*"],
  ["a.test", 80, "allowed", "deny of another port", "*", "*:81"],
  ["a.test", 80, "needs_addresses", "a range may deny it", undefined, "10.0.0.0/8"],
  ["a.test", 80, "allowed", "a range of another port may not", undefined, "10.0.0.0/8:81"],
  ["a.test", 80, "refused", "no entry can allow it: no DNS", "b.test", "10.0.0.1"],
  ["a.test", 80, "needs_addresses", "allowed, maybe denied", "a.test", "10.0.0.1"],
  ["10.1.2.3", 80, "allowed", "an address is judged at once", "10.0.0.0/8"],
  ["11.1.2.3", 80, "refused", "an address outside", "10.0.0.0/8"],
  ["[::1]", 80, "allowed", "brackets", "[::1]:80"],
  ["[::ffff:a00:1]", 80, "allowed", "the mapped form", "10.0.0.1"],
  ["10.1.2.3", 80, "allowed", "any address too", "*"],
  ["10.1.2.3", 80, "refused", "a denied address", undefined, "10.0.0.0/8"],
  ["10.1.2.3", 80, "allowed", "denied for another port", undefined, "10.0.0.0/8:81"],
  ["10.1.2.3", 25, "refused", "a denied port", undefined, "*:25"],
]))("judgeName: $why: $name:$port with allow=$allow deny=$deny is $is", ({ name, port, is, ...lists }) => {
  expect(judgeName(readLists(lists), name, port)).toBe(is);
});

it.each(rowsOf(["addresses", "is", "why", "allow", "deny"], [
  [["1.1.1.1"], "allowed", "no lists"],
  [[], "allowed", "no lists, addresses unknown"],
  [["1.1.1.1"], "allowed", "the address", "1.1.1.1"],
  [["1.1.1.1"], "allowed", "the address and port", "1.1.1.1:80"],
  [["1.1.1.1"], "refused", "another port", "1.1.1.1:81"],
  [["::ffff:1.1.1.1"], "allowed", "the mapped form of an address", "1.1.1.1"],
  [["1.1.1.1"], "allowed", "an entry in mapped form", "[::ffff:1.1.1.1]"],
  [["1.1.1.1", "1.1.1.2"], "allowed", "all in the range", "1.1.1.0/24"],
  [["1.1.1.1", "1.1.2.1"], "refused", "one is not in the range", "1.1.1.0/24"],
  [["1.1.1.1", "2606::1"], "allowed", "ranges together have all", "1.1.1.1,[2606::]/16"],
  [[], "refused", "a range has nothing where nothing is known", "1.1.1.0/24"],
  [["nonsense"], "refused", "what is no address is in no range", "1.1.1.0/24"],
  [["64:ff9b::101:101"], "refused", "an allowed address in disguise", "1.1.1.0/24"],
  [["1.1.1.1"], "allowed", "by name, whatever the addresses", "a.test"],
  [["1.1.1.1"], "allowed", "by name, ranges need not match", "a.test,2.2.2.2"],
  [["1.1.1.1"], "allowed", "by range, the name need not match", "b.test,1.1.1.1"],
  [["1.1.1.1"], "refused", "another name", "b.test"],
  [["2.2.2.2", "1.1.1.1"], "refused", "any address denied", undefined, "1.1.1.1"],
  [["1.1.1.1"], "allowed", "denied for another port", undefined, "1.1.1.1:81"],
  [["::ffff:101:101"], "refused", "denied, mapped", undefined, "1.1.1.1"],
  [["64:ff9b::101:101"], "refused", "denied, behind NAT64", undefined, "1.1.1.1"],
  [["2002:101:101::1"], "refused", "denied, behind 6to4", undefined, "1.1.1.1"],
  [["0.0.0.0"], "refused", "unspecified reaches the denied loopback", undefined, "127.0.0.1"],
  [["::"], "refused", "unspecified reaches the denied loopback", undefined, "::1"],
  [["1.1.1.2"], "allowed", "not denied", undefined, "1.1.1.1"],
  [["1.1.1.1"], "refused", "deny wins", "1.1.1.0/24", "1.1.1.1"],
  [["1.1.1.1"], "refused", "deny wins over the exact entry", "1.1.1.1", "1.1.1.0/24"],
  [["1.1.1.1"], "refused", "deny by address wins over name", "a.test", "1.1.1.1"],
  [["1.1.1.1"], "refused", "deny by name wins over address", "1.1.1.1", "a.test"],
]))("judgeAddresses: $why: $addresses with allow=$allow deny=$deny is $is", ({ addresses, is, ...lists }) => {
  expect(judgeAddresses(readLists(lists), "a.test", 80, addresses)).toBe(is);
});

it.each(grouped(["is", "deny"], [
  [false, ["", "*,a.test,*.b.test:80", "10.0.0.0/8,192.0.2.1", "::ffff:10.0.0.1"]],
  [true, ["a.test,2620:fe::/48", "[2620:fe::fe]:443"]],
]))("hasIpv6Range: $deny: $is", ({ deny, is }) => expect(hasIpv6Range(readLists({ deny }).deny)).toBe(is));

describe("permitsPrivate", () => {
  it.each([
    { allow: "", is: false, why: "an empty list allows all, and nothing private" },
    { allow: "*", is: false, why: "any" },
    { allow: "*:80", is: false, why: "any, with the port" },
    { allow: "*.test", is: false, why: "a suffix" },
    { allow: "a.test", is: true, why: "the host" },
    { allow: "A.TEST.:80", is: true, why: "the host and port" },
    { allow: "a.test:81", is: false, why: "the host, another port" },
    { allow: "b.test", is: false, why: "another host" },
    { allow: "10.0.0.1", is: true, why: "the address" },
    { allow: "::ffff:10.0.0.1", is: true, why: "the address in mapped form" },
    { allow: "10.0.0.1:81", is: false, why: "the address, another port" },
    { allow: "10.0.0.0/8:80", is: true, why: "the range and port" },
    { allow: "11.0.0.0/8", is: false, why: "another range" },
    { allow: "*,10.0.0.0/8", is: true, why: "a range beside what allows the name" },
    { allow: "*,a.test:81,10.0.0.2", is: false, why: "entries that each miss" },
  ])("$why ($allow): $is", ({ allow, is }) => {
    expect(permitsPrivate(readLists({ allow }).allow, "a.test", 80, "10.0.0.1")).toBe(is);
  });

  it.each(grouped(["is", "address"], [
    [true, ["127.0.0.1", "::ffff:127.0.0.1"]],
    [false, ["127.0.0.2", "0.0.0.0", "64:ff9b::7f00:1", "2002:7f00:1::"]],
  ]))("takes an address as it is dialled: $address", ({ address, is }) => {
    expect(permitsPrivate(readLists({ allow: "*,127.0.0.1" }).allow, "a.test", 80, address)).toBe(is);
  });
});
