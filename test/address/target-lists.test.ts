/**
 * Allow and deny lists: what an entry may be, what it matches, and when it opens private addresses.
 * @module
 */

import { describe, expect, it } from "vitest";
import {
  decodeSomeTargets,
  decodeTargetList,
  hasIpv6Range,
  judgeAddresses,
  judgeName,
  permitsPrivate,
  type TargetLists,
} from "../../src/address/target-lists.ts";
import { listOf } from "../../src/settings/list-values.ts";

const { parse } = listOf(decodeTargetList);

/** The lists of one row; a text that does not decode fails the test. */
function readLists({ allow = "", deny = "" }: { allow?: string; deny?: string }): TargetLists {
  const read = (text: string) => (text ? parse(text)! : []);
  return { allow: read(allow), deny: read(deny) };
}

describe("decodeTargetList", () => {
  it.each([
    { text: "*", entries: [{ kind: "any" }] },
    { text: "*:8080", entries: [{ kind: "any", port: 8080 }] },
    { text: "example.com", entries: [{ kind: "name", host: "example.com" }] },
    { text: "EXAMPLE.com.", entries: [{ kind: "name", host: "example.com" }] },
    { text: "example.com:1", entries: [{ kind: "name", host: "example.com", port: 1 }] },
    { text: "example.com.:65535", entries: [{ kind: "name", host: "example.com", port: 65_535 }] },
    { text: "localhost", entries: [{ kind: "name", host: "localhost" }] },
    { text: "my_service-1", entries: [{ kind: "name", host: "my_service-1" }] },
    { text: "Bücher.example", entries: [{ kind: "name", host: "xn--bcher-kva.example" }] },
    { text: "*.Example.com", entries: [{ kind: "suffix", suffix: ".example.com" }] },
    {
      text: "*.bücher.example:443",
      entries: [{ kind: "suffix", suffix: ".xn--bcher-kva.example", port: 443 }],
    },
    {
      text: " a.test , *.b.test:80 ",
      entries: [{ kind: "name", host: "a.test" }, { kind: "suffix", suffix: ".b.test", port: 80 }],
    },
  ])("reads $text", ({ text, entries }) => {
    expect(parse(text)).toEqual(entries);
  });

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

  it("reads an empty list, of targets that are named it is none", () => {
    expect(decodeTargetList([])).toEqual([]);
    expect(decodeSomeTargets([])).toBeUndefined();
    expect(decodeSomeTargets(["a.test"])).toEqual(decodeTargetList(["a.test"]));
  });

  it.each([
    { text: "" },
    { text: "  " },
    { text: "," },
    { text: "a.test," },
    { text: "a.test,,b.test" },
    { text: "a.test b.test" },
    { text: "a.test;b.test" },
    { text: "a.te\tst" },
    { text: "http://a.test" },
    { text: "a.test/path" },
    { text: "a.test?x" },
    { text: "a.test#x" },
    { text: "user@a.test" },
    { text: "a\\b" },
    { text: "a%2etest" },
    { text: "a<b" },
    { text: ".a.test" },
    { text: "a..test" },
    { text: "a.test.." },
    { text: "." },
    { text: "**" },
    { text: "*." },
    { text: "*.." },
    { text: "*.*" },
    { text: "*.*.a.test" },
    { text: "*a.test" },
    { text: "a.*" },
    { text: "a.*.test" },
    { text: "*.10.0.0.1" },
    { text: "*.1" },
    { text: "a.test:" },
    { text: "a.test:0" },
    { text: "a.test:080" },
    { text: "a.test:65536" },
    { text: "a.test:http" },
    { text: "a.test:80:80" },
    { text: ":80" },
    { text: "127.1" },
    { text: "0177.0.0.1" },
    { text: "2130706433" },
    { text: "256.0.0.1" },
    { text: "１２７.０.０.１" },
    { text: "10.0.0.0/33" },
    { text: "10.0/16" },
    { text: "[::1" },
    { text: "::1]" },
    { text: "[10.0.0.1]" },
    { text: "[fd00::/8]:443" },
    { text: "fd00::/8:443" },
    { text: "fe80::1%eth0" },
  ])("refuses $text", ({ text }) => {
    expect(parse(text)).toBeUndefined();
  });
});

describe("judgeName", () => {
  it.each([
    { name: "a.test", port: 80, is: "allowed", why: "no lists" },
    { allow: "a.test", name: "a.test", port: 80, is: "allowed", why: "the name" },
    {
      allow: "a.test",
      name: "A.TEST.",
      port: 80,
      is: "allowed",
      why: "case and one trailing dot do not count",
    },
    { allow: "a.test", name: "b.test", port: 80, is: "refused", why: "another name" },
    { allow: "a.test", name: "x.a.test", port: 80, is: "refused", why: "a name is not its subdomains" },
    { allow: "a.test:80", name: "a.test", port: 80, is: "allowed", why: "the port" },
    { allow: "a.test:80", name: "a.test", port: 81, is: "refused", why: "another port" },
    { allow: "*", name: "a.test", port: 80, is: "allowed", why: "any name" },
    { allow: "*:80", name: "a.test", port: 81, is: "refused", why: "any name, another port" },
    { allow: "*.a.test", name: "x.a.test", port: 80, is: "allowed", why: "a subdomain" },
    { allow: "*.a.test", name: "x.y.A.test.", port: 80, is: "allowed", why: "a subdomain at any depth" },
    { allow: "*.a.test", name: "a.test", port: 80, is: "refused", why: "a suffix is not the name itself" },
    { allow: "*.a.test", name: ".a.test", port: 80, is: "refused", why: "nor an empty label before it" },
    { allow: "*.a.test", name: "xa.test", port: 80, is: "refused", why: "nor a name that ends alike" },
    { allow: "*.a.test:80", name: "x.a.test", port: 81, is: "refused", why: "a subdomain, another port" },
    {
      allow: "bücher.test",
      name: "xn--bcher-kva.test",
      port: 80,
      is: "allowed",
      why: "an IDN folds as the target's",
    },
    { allow: "10.0.0.0/8", name: "a.test", port: 80, is: "needs_addresses", why: "a range may allow it" },
    {
      allow: "10.0.0.0/8:81",
      name: "a.test",
      port: 80,
      is: "refused",
      why: "a range of another port may not",
    },
    { allow: "a.test,10.0.0.0/8", name: "a.test", port: 80, is: "allowed", why: "the name is enough" },
    { deny: "a.test", name: "a.test.", port: 80, is: "refused", why: "denied" },
    { deny: "a.test:81", name: "a.test", port: 80, is: "allowed", why: "denied for another port" },
    { deny: "*.a.test", name: "x.a.test", port: 80, is: "refused", why: "denied suffix" },
    { deny: "*", name: "a.test", port: 80, is: "refused", why: "everything denied" },
    { allow: "a.test", deny: "a.test", name: "a.test", port: 80, is: "refused", why: "deny wins" },
    {
      allow: "a.test:80",
      deny: "*",
      name: "a.test",
      port: 80,
      is: "refused",
      why: "deny wins over the exact entry",
    },
    { allow: "*", deny: "*:81", name: "a.test", port: 80, is: "allowed", why: "deny of another port" },
    { deny: "10.0.0.0/8", name: "a.test", port: 80, is: "needs_addresses", why: "a range may deny it" },
    {
      deny: "10.0.0.0/8:81",
      name: "a.test",
      port: 80,
      is: "allowed",
      why: "a range of another port may not",
    },
    {
      allow: "b.test",
      deny: "10.0.0.1",
      name: "a.test",
      port: 80,
      is: "refused",
      why: "no entry can allow it: no DNS",
    },
    {
      allow: "a.test",
      deny: "10.0.0.1",
      name: "a.test",
      port: 80,
      is: "needs_addresses",
      why: "allowed, maybe denied",
    },
    { allow: "10.0.0.0/8", name: "10.1.2.3", port: 80, is: "allowed", why: "an address is judged at once" },
    { allow: "10.0.0.0/8", name: "11.1.2.3", port: 80, is: "refused", why: "an address outside" },
    { allow: "[::1]:80", name: "[::1]", port: 80, is: "allowed", why: "brackets" },
    { allow: "10.0.0.1", name: "[::ffff:a00:1]", port: 80, is: "allowed", why: "the mapped form" },
    { allow: "*", name: "10.1.2.3", port: 80, is: "allowed", why: "any address too" },
    { deny: "10.0.0.0/8", name: "10.1.2.3", port: 80, is: "refused", why: "a denied address" },
    { deny: "10.0.0.0/8:81", name: "10.1.2.3", port: 80, is: "allowed", why: "denied for another port" },
    { deny: "*:25", name: "10.1.2.3", port: 25, is: "refused", why: "a denied port" },
  ])("$why: $name:$port with allow=$allow deny=$deny is $is", ({ name, port, is, ...lists }) => {
    expect(judgeName(readLists(lists), name, port)).toBe(is);
  });
});

describe("judgeAddresses", () => {
  it.each([
    { addresses: ["1.1.1.1"], is: "allowed", why: "no lists" },
    { addresses: [], is: "allowed", why: "no lists, addresses unknown" },
    { allow: "1.1.1.1", addresses: ["1.1.1.1"], is: "allowed", why: "the address" },
    { allow: "1.1.1.1:80", addresses: ["1.1.1.1"], is: "allowed", why: "the address and port" },
    { allow: "1.1.1.1:81", addresses: ["1.1.1.1"], is: "refused", why: "another port" },
    { allow: "1.1.1.1", addresses: ["::ffff:1.1.1.1"], is: "allowed", why: "the mapped form of an address" },
    { allow: "[::ffff:1.1.1.1]", addresses: ["1.1.1.1"], is: "allowed", why: "an entry in mapped form" },
    { allow: "1.1.1.0/24", addresses: ["1.1.1.1", "1.1.1.2"], is: "allowed", why: "all in the range" },
    { allow: "1.1.1.0/24", addresses: ["1.1.1.1", "1.1.2.1"], is: "refused", why: "one is not in the range" },
    {
      allow: "1.1.1.1,[2606::]/16",
      addresses: ["1.1.1.1", "2606::1"],
      is: "allowed",
      why: "ranges together have all",
    },
    { allow: "1.1.1.0/24", addresses: [], is: "refused", why: "a range has nothing where nothing is known" },
    { allow: "1.1.1.0/24", addresses: ["nonsense"], is: "refused", why: "what is no address is in no range" },
    {
      allow: "1.1.1.0/24",
      addresses: ["64:ff9b::101:101"],
      is: "refused",
      why: "an allowed address in disguise",
    },
    { allow: "a.test", addresses: ["1.1.1.1"], is: "allowed", why: "by name, whatever the addresses" },
    { allow: "a.test,2.2.2.2", addresses: ["1.1.1.1"], is: "allowed", why: "by name, ranges need not match" },
    {
      allow: "b.test,1.1.1.1",
      addresses: ["1.1.1.1"],
      is: "allowed",
      why: "by range, the name need not match",
    },
    { allow: "b.test", addresses: ["1.1.1.1"], is: "refused", why: "another name" },
    { deny: "1.1.1.1", addresses: ["2.2.2.2", "1.1.1.1"], is: "refused", why: "any address denied" },
    { deny: "1.1.1.1:81", addresses: ["1.1.1.1"], is: "allowed", why: "denied for another port" },
    { deny: "1.1.1.1", addresses: ["::ffff:101:101"], is: "refused", why: "denied, mapped" },
    { deny: "1.1.1.1", addresses: ["64:ff9b::101:101"], is: "refused", why: "denied, behind NAT64" },
    { deny: "1.1.1.1", addresses: ["2002:101:101::1"], is: "refused", why: "denied, behind 6to4" },
    {
      deny: "127.0.0.1",
      addresses: ["0.0.0.0"],
      is: "refused",
      why: "unspecified reaches the denied loopback",
    },
    { deny: "::1", addresses: ["::"], is: "refused", why: "unspecified reaches the denied loopback" },
    { deny: "1.1.1.1", addresses: ["1.1.1.2"], is: "allowed", why: "not denied" },
    { allow: "1.1.1.0/24", deny: "1.1.1.1", addresses: ["1.1.1.1"], is: "refused", why: "deny wins" },
    {
      allow: "1.1.1.1",
      deny: "1.1.1.0/24",
      addresses: ["1.1.1.1"],
      is: "refused",
      why: "deny wins over the exact entry",
    },
    {
      allow: "a.test",
      deny: "1.1.1.1",
      addresses: ["1.1.1.1"],
      is: "refused",
      why: "deny by address wins over name",
    },
    {
      allow: "1.1.1.1",
      deny: "a.test",
      addresses: ["1.1.1.1"],
      is: "refused",
      why: "deny by name wins over address",
    },
  ])("$why: $addresses with allow=$allow deny=$deny is $is", ({ addresses, is, ...lists }) => {
    expect(judgeAddresses(readLists(lists), "a.test", 80, addresses)).toBe(is);
  });
});

describe("hasIpv6Range", () => {
  it.each([
    { deny: "", is: false },
    { deny: "*,a.test,*.b.test:80", is: false },
    { deny: "10.0.0.0/8,192.0.2.1", is: false },
    { deny: "::ffff:10.0.0.1", is: false },
    { deny: "a.test,2620:fe::/48", is: true },
    { deny: "[2620:fe::fe]:443", is: true },
  ])("$deny: $is", ({ deny, is }) => {
    expect(hasIpv6Range(readLists({ deny }).deny)).toBe(is);
  });
});

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

  it.each([
    { address: "127.0.0.1", is: true },
    { address: "::ffff:127.0.0.1", is: true },
    { address: "127.0.0.2", is: false },
    { address: "0.0.0.0", is: false },
    { address: "64:ff9b::7f00:1", is: false },
    { address: "2002:7f00:1::", is: false },
  ])("takes an address as it is dialled: $address", ({ address, is }) => {
    expect(permitsPrivate(readLists({ allow: "*,127.0.0.1" }).allow, "a.test", 80, address)).toBe(is);
  });
});
