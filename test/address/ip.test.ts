/**
 * Addresses: the borders of every range, every disguise of IPv4, and every spelling that the URL parser folds.
 * @module
 */

import { describe, expect, it } from "vitest";
import {
  classifyAddress,
  decodeCidr,
  isAddress,
  isInCidr,
  isLoopbackHost,
  normalizeAddress,
  unpackAddress,
  VERDICT_CLASSES,
} from "../../src/address/ip.ts";

describe("VERDICT_CLASSES", () => {
  it("opens nothing but what is called private", () => {
    expect(VERDICT_CLASSES).toEqual({
      public: "public",
      loopback: "private",
      unspecified: "private",
      private: "private",
      cgnat: "private",
      unique_local: "private",
      benchmarking: "private",
      link_local: "never",
      metadata: "never",
      multicast: "never",
      broadcast: "never",
      documentation: "never",
      reserved: "never",
      invalid: "never",
    });
  });
});

/** One before the range, its first, its last, one after it; the range's verdict, and those beside it. */
const BORDERS = [
  { range: "0.0.0.0/32", at: ["0.0.0.0", "0.0.0.1"], are: ["unspecified", "reserved"] },
  {
    range: "0.0.0.0/8",
    at: ["0.0.0.1", "0.255.255.255", "1.0.0.0"],
    are: ["reserved", "reserved", "public"],
  },
  {
    range: "10.0.0.0/8",
    at: ["9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"],
    are: ["public", "private", "private", "public"],
  },
  {
    range: "100.64.0.0/10",
    at: ["100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"],
    are: ["public", "cgnat", "cgnat", "public"],
  },
  {
    range: "100.100.100.200/32",
    at: ["100.100.100.199", "100.100.100.200", "100.100.100.201"],
    are: ["cgnat", "metadata", "cgnat"],
  },
  {
    range: "127.0.0.0/8",
    at: ["126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"],
    are: ["public", "loopback", "loopback", "public"],
  },
  {
    range: "168.63.129.16/32",
    at: ["168.63.129.15", "168.63.129.16", "168.63.129.17"],
    are: ["public", "metadata", "public"],
  },
  {
    range: "169.254.0.0/16",
    at: ["169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"],
    are: ["public", "link_local", "link_local", "public"],
  },
  {
    range: "172.16.0.0/12",
    at: ["172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"],
    are: ["public", "private", "private", "public"],
  },
  {
    range: "192.0.0.0/24",
    at: ["191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"],
    are: ["public", "reserved", "reserved", "public"],
  },
  {
    range: "192.0.0.192/32",
    at: ["192.0.0.191", "192.0.0.192", "192.0.0.193"],
    are: ["reserved", "metadata", "reserved"],
  },
  {
    range: "192.0.2.0/24",
    at: ["192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"],
    are: ["public", "documentation", "documentation", "public"],
  },
  {
    range: "192.31.196.0/24",
    at: ["192.31.195.255", "192.31.196.0", "192.31.196.255", "192.31.197.0"],
    are: ["public", "reserved", "reserved", "public"],
  },
  {
    range: "192.52.193.0/24",
    at: ["192.52.192.255", "192.52.193.0", "192.52.193.255", "192.52.194.0"],
    are: ["public", "reserved", "reserved", "public"],
  },
  {
    range: "192.88.99.0/24",
    at: ["192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"],
    are: ["public", "reserved", "reserved", "public"],
  },
  {
    range: "192.168.0.0/16",
    at: ["192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"],
    are: ["public", "private", "private", "public"],
  },
  {
    range: "192.175.48.0/24",
    at: ["192.175.47.255", "192.175.48.0", "192.175.48.255", "192.175.49.0"],
    are: ["public", "reserved", "reserved", "public"],
  },
  {
    range: "198.18.0.0/15",
    at: ["198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"],
    are: ["public", "benchmarking", "benchmarking", "public"],
  },
  {
    range: "198.51.100.0/24",
    at: ["198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"],
    are: ["public", "documentation", "documentation", "public"],
  },
  {
    range: "203.0.113.0/24",
    at: ["203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"],
    are: ["public", "documentation", "documentation", "public"],
  },
  {
    range: "224.0.0.0/4",
    at: ["223.255.255.255", "224.0.0.0", "239.255.255.255", "240.0.0.0"],
    are: ["public", "multicast", "multicast", "reserved"],
  },
  {
    range: "240.0.0.0/4",
    at: ["239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255"],
    are: ["multicast", "reserved", "reserved", "broadcast"],
  },
  { range: "::/128", at: ["::", "::1"], are: ["unspecified", "loopback"] },
  { range: "::1/128", at: ["::", "::1", "::2"], are: ["unspecified", "loopback", "reserved"] },
  {
    range: "::/96",
    at: ["::2", "::ffff:ffff", "::1:0:0"],
    are: ["reserved", "broadcast", "reserved"],
  },
  {
    range: "::ffff:0:0/96",
    at: ["::fffe:ffff:ffff", "::ffff:0:0", "::ffff:ffff:ffff", "::1:0:0:0"],
    are: ["reserved", "unspecified", "broadcast", "reserved"],
  },
  {
    range: "::ffff:0:0:0/96",
    at: ["::fffe:ffff:ffff:ffff", "::ffff:0:0:0", "::ffff:0:ffff:ffff", "::ffff:1:0:0"],
    are: ["reserved", "unspecified", "broadcast", "reserved"],
  },
  {
    range: "64:ff9b::/96",
    at: ["64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", "64:ff9b::", "64:ff9b::ffff:ffff", "64:ff9b::1:0:0"],
    are: ["reserved", "unspecified", "broadcast", "reserved"],
  },
  {
    range: "64:ff9b:1::/48",
    at: [
      "64:ff9b:0:ffff:ffff:ffff:ffff:ffff",
      "64:ff9b:1::",
      "64:ff9b:1::ffff:ffff",
      "64:ff9b:1::1:0:0",
      "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
      "64:ff9b:2::",
    ],
    are: ["reserved", "unspecified", "broadcast", "reserved", "reserved", "reserved"],
  },
  { range: "100::/64", at: ["100::", "100::ffff:ffff:ffff:ffff"], are: ["reserved", "reserved"] },
  {
    range: "2000::/3",
    at: [
      "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "2000::",
      "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "4000::",
    ],
    are: ["reserved", "public", "public", "reserved"],
  },
  {
    range: "2001::/32",
    at: [
      "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "2001::",
      "2001:0:ffff:ffff:ffff:ffff:ffff:ffff",
      "2001:1::",
    ],
    are: ["public", "broadcast", "broadcast", "reserved"],
  },
  {
    range: "2001:2::/48",
    at: [
      "2001:1:ffff:ffff:ffff:ffff:ffff:ffff",
      "2001:2::",
      "2001:2:0:ffff:ffff:ffff:ffff:ffff",
      "2001:2:1::",
    ],
    are: ["reserved", "benchmarking", "benchmarking", "reserved"],
  },
  {
    range: "2001::/23",
    at: ["2001:1::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
    are: ["reserved", "reserved", "public"],
  },
  {
    range: "2001:db8::/32",
    at: [
      "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff",
      "2001:db8::",
      "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
      "2001:db9::",
    ],
    are: ["public", "documentation", "documentation", "public"],
  },
  {
    range: "2002::/16",
    at: [
      "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "2002::",
      "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "2003::",
    ],
    are: ["public", "unspecified", "broadcast", "public"],
  },
  {
    range: "2620:4f:8000::/48",
    at: [
      "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff",
      "2620:4f:8000::",
      "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
      "2620:4f:8001::",
    ],
    are: ["public", "reserved", "reserved", "public"],
  },
  {
    range: "3fff::/20",
    at: [
      "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "3fff::",
      "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
      "3fff:1000::",
    ],
    are: ["public", "documentation", "documentation", "public"],
  },
  {
    range: "5f00::/16",
    at: ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    are: ["reserved", "reserved"],
  },
  {
    range: "fc00::/7",
    at: [
      "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "fc00::",
      "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "fe00::",
    ],
    are: ["reserved", "unique_local", "unique_local", "reserved"],
  },
  {
    range: "fd00:42::42/128",
    at: ["fd00:42::41", "fd00:42::42", "fd00:42::43"],
    are: ["unique_local", "metadata", "unique_local"],
  },
  {
    range: "fd00:100::100:200/128",
    at: ["fd00:100::100:1ff", "fd00:100::100:200", "fd00:100::100:201"],
    are: ["unique_local", "metadata", "unique_local"],
  },
  {
    range: "fd00:a9fe:a9fe::1/128",
    at: ["fd00:a9fe:a9fe::", "fd00:a9fe:a9fe::1", "fd00:a9fe:a9fe::2"],
    are: ["unique_local", "metadata", "unique_local"],
  },
  {
    range: "fd00:c1::a9fe:a9fe/128",
    at: ["fd00:c1::a9fe:a9fd", "fd00:c1::a9fe:a9fe", "fd00:c1::a9fe:a9ff"],
    are: ["unique_local", "metadata", "unique_local"],
  },
  {
    range: "fd00:ec2::/32",
    at: [
      "fd00:ec1:ffff:ffff:ffff:ffff:ffff:ffff",
      "fd00:ec2::",
      "fd00:ec2::23",
      "fd00:ec2::254",
      "fd00:ec2:ffff:ffff:ffff:ffff:ffff:ffff",
      "fd00:ec3::",
    ],
    are: ["unique_local", "metadata", "metadata", "metadata", "metadata", "unique_local"],
  },
  {
    range: "fd20:ce::254/128",
    at: ["fd20:ce::253", "fd20:ce::254", "fd20:ce::255"],
    are: ["unique_local", "metadata", "unique_local"],
  },
  {
    range: "fe80::/10",
    at: [
      "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "fe80::",
      "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      "fec0::",
    ],
    are: ["reserved", "link_local", "link_local", "reserved"],
  },
  {
    range: "ff00::/8",
    at: ["feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    are: ["reserved", "multicast", "multicast"],
  },
];

const DISGUISES = [
  {
    form: "mapped, hexadecimal",
    loopback: "::ffff:7f00:1",
    metadata: "::ffff:a9fe:a9fe",
    google: "::ffff:808:808",
  },
  {
    form: "mapped, dotted",
    loopback: "::ffff:127.0.0.1",
    metadata: "::ffff:169.254.169.254",
    google: "::ffff:8.8.8.8",
  },
  {
    form: "mapped, written out",
    loopback: "0:0:0:0:0:FFFF:7F00:0001",
    metadata: "0000:0000:0000:0000:0000:ffff:a9fe:a9fe",
    google: "0:0:0:0:0:ffff:8.8.8.8",
  },
];

/** Forms that a public IPv4 address does not make public. */
const WORSE_DISGUISES = [
  { form: "compatible, hexadecimal", loopback: "::7f00:1", metadata: "::a9fe:a9fe", google: "::808:808" },
  { form: "compatible, dotted", loopback: "::127.0.0.1", metadata: "::169.254.169.254", google: "::8.8.8.8" },
  {
    form: "translated, hexadecimal",
    loopback: "::ffff:0:7f00:1",
    metadata: "::ffff:0:a9fe:a9fe",
    google: "::ffff:0:808:808",
  },
  {
    form: "translated, dotted",
    loopback: "::ffff:0:127.0.0.1",
    metadata: "::ffff:0:169.254.169.254",
    google: "::ffff:0:8.8.8.8",
  },
  {
    form: "local NAT64",
    loopback: "64:ff9b:1::7f00:1",
    metadata: "64:ff9b:1::a9fe:a9fe",
    google: "64:ff9b:1::8.8.8.8",
  },
  {
    form: "6to4",
    loopback: "2002:7f00:1::",
    metadata: "2002:a9fe:a9fe::8.8.8.8",
    google: "2002:808:808:ffff:ffff:ffff:ffff:ffff",
  },
  {
    form: "Teredo client",
    loopback: "2001:0:4136:e378:8000:63bf:80ff:fffe",
    metadata: "2001:0:4136:e378:8000:63bf:5601:5601",
    google: "2001:0:4136:e378:8000:63bf:f7f7:f7f7",
  },
  {
    form: "Teredo server",
    loopback: "2001:0:7f00:1:8000:63bf:f7f7:f7f7",
    metadata: "2001:0:a9fe:a9fe:8000:63bf:f7f7:f7f7",
    google: "2001:0:808:808:8000:63bf:f7f7:f7f7",
  },
];

describe("classifyAddress", () => {
  it.each(BORDERS)("knows where $range ends", ({ at, are }) => {
    expect(at.map(classifyAddress)).toEqual(are);
  });

  it.each([
    ...DISGUISES,
    {
      form: "NAT64",
      loopback: "64:ff9b::7f00:1",
      metadata: "64:ff9b::a9fe:a9fe",
      google: "64:ff9b::808:808",
    },
    {
      form: "NAT64, dotted",
      loopback: "64:ff9b::127.0.0.1",
      metadata: "64:ff9b::169.254.0.1",
      google: "64:ff9b::8.8.8.8",
    },
    {
      form: "brackets, upper case, zeros",
      loopback: "[0064:FF9B:0000:0000:0000:0000:7F00:0001]",
      metadata: "[0064:FF9B::A9FE:A9FE]",
      google: "[64:FF9B:0::0808:0808]",
    },
  ])("judges IPv4 inside IPv6 as that IPv4: $form", ({ loopback, metadata, google }) => {
    expect([loopback, metadata, google].map(classifyAddress)).toEqual(["loopback", "link_local", "public"]);
  });

  it.each(WORSE_DISGUISES)("has no public address in: $form", ({ loopback, metadata, google }) => {
    expect([loopback, metadata, google].map(classifyAddress)).toEqual(["loopback", "link_local", "reserved"]);
  });

  it.each([
    {
      address: "2001:0:7f00:1:0:0:5601:5601",
      verdict: "link_local",
      why: "the worse of server and client counts",
    },
    { address: "2001:0:a9fe:a9fe:0:0:80ff:fffe", verdict: "link_local", why: "whichever of them it is" },
    { address: "::ffff:100.100.100.200", verdict: "metadata", why: "metadata inside" },
    { address: "64:ff9b::a83f:8110", verdict: "metadata", why: "metadata that looks public inside" },
    {
      address: "64:ff9b:1:7f00:0:100:0:0",
      verdict: "reserved",
      why: "a layout of local NAT64 that is not known",
    },
    { address: "[::1]", verdict: "loopback", why: "brackets" },
    { address: "0000:0000:0000:0000:0000:0000:0000:0001", verdict: "loopback", why: "written out" },
    { address: "[2606:4700:4700::1111]", verdict: "public", why: "public IPv6" },
    { address: "FD00:0EC2::0254", verdict: "metadata", why: "upper case, zeros" },
    { address: "fe80::1%eth0", verdict: "link_local", why: "zone id" },
    { address: "[fe80::1%25br-lan.7]", verdict: "link_local", why: "zone id of an address bar" },
    { address: "ff02::1%eth0", verdict: "multicast", why: "zone id" },
    { address: "2606:4700:4700::1111%eth0", verdict: "reserved", why: "zone id where none belongs" },
    { address: "::1%lo", verdict: "reserved", why: "zone id where none belongs" },
  ])("$address is $verdict: $why", ({ address, verdict }) => {
    expect(classifyAddress(address)).toBe(verdict);
  });

  it.each([
    { address: "" },
    { address: "localhost" },
    { address: "0177.0.0.1" },
    { address: "010.0.0.1" },
    { address: "00.0.0.0" },
    { address: "127.1" },
    { address: "127.0.1" },
    { address: "2130706433" },
    { address: "0x7f.0.0.1" },
    { address: "0x7f000001" },
    { address: "256.0.0.1" },
    { address: "1.2.3" },
    { address: "1.2.3.4.5" },
    { address: "1.2.3.4." },
    { address: " 1.2.3.4" },
    { address: "1.2.3.4\n" },
    { address: "1.2.3.4%eth0" },
    { address: "1.2.3.4:80" },
    { address: "[1.2.3.4]" },
    { address: "::ffff:0177.0.0.1" },
    { address: "::ffff:127.1" },
    { address: "::ffff:256.0.0.1" },
    { address: "1.2.3.4::" },
    { address: ":" },
    { address: ":::" },
    { address: "1::2::3" },
    { address: "1:2:3:4:5:6:7" },
    { address: "1:2:3:4:5:6:7:8:9" },
    { address: "1:2:3:4:5:6:7:8::" },
    { address: "1:2:3:4:5:6:7:1.2.3.4" },
    { address: "00001::" },
    { address: "g::" },
    { address: "::1]" },
    { address: "[::1" },
    { address: "[[::1]]" },
    { address: "[::1]:80" },
    { address: "::1/128" },
    { address: "%eth0" },
  ])("$address is invalid", ({ address }) => {
    expect(classifyAddress(address)).toBe("invalid");
    expect(isAddress(address)).toBe(false);
    expect(normalizeAddress(address)).toBe("");
    expect(unpackAddress(address)).toEqual([]);
  });

  it.each([
    { host: "127.0.0.1", verdict: "loopback" },
    { host: "127.0.0.1.", verdict: "loopback" },
    { host: "0177.0.0.1", verdict: "loopback" },
    { host: "017700000001", verdict: "loopback" },
    { host: "2130706433", verdict: "loopback" },
    { host: "0x7f.1", verdict: "loopback" },
    { host: "0X7F000001", verdict: "loopback" },
    { host: "127.1", verdict: "loopback" },
    { host: "127.0.1", verdict: "loopback" },
    { host: "１２７.０.０.１", verdict: "loopback" },
    { host: "①②⑦.⓪.⓪.①", verdict: "loopback" },
    { host: "127。0．0｡1", verdict: "loopback" },
    { host: "%31%32%37.0.0.1", verdict: "loopback" },
    { host: "127.0.0%2e1", verdict: "loopback" },
    { host: "127\u00AD.0\u200B.0.1", verdict: "loopback" },
    { host: "[::ffff:127.0.0.1]", verdict: "loopback" },
    { host: "[::127.0.0.1]", verdict: "loopback" },
    { host: "[0:0:0:0:0:0:0:1]", verdict: "loopback" },
    { host: "0", verdict: "unspecified" },
    { host: "0x0", verdict: "unspecified" },
    { host: "[::]", verdict: "unspecified" },
    { host: "169.254.169.254", verdict: "link_local" },
    { host: "2852039166", verdict: "link_local" },
    { host: "0251.0376.0251.0376", verdict: "link_local" },
    { host: "0xa9.0xfe.0xa9.0xfe", verdict: "link_local" },
    { host: "0xA9FEA9FE", verdict: "link_local" },
    { host: "169.16689662", verdict: "link_local" },
    { host: "169.254.43518", verdict: "link_local" },
    { host: "１６９.２５４.１６９.２５４", verdict: "link_local" },
    { host: "①⑥⑨.②⑤④.①⑥⑨.②⑤④", verdict: "link_local" },
    { host: "169。254。169。254", verdict: "link_local" },
    { host: "%31%36%39.254.169.254", verdict: "link_local" },
    { host: "[::ffff:169.254.169.254]", verdict: "link_local" },
    { host: "[::ffff:a9fe:a9fe]", verdict: "link_local" },
    { host: "[64:ff9b::169.254.169.254]", verdict: "link_local" },
  ])("http://$host/ is $verdict", ({ host, verdict }) => {
    expect(classifyAddress(new URL(`http://${host}/`).hostname)).toBe(verdict);
  });
});

describe("unpackAddress", () => {
  it.each([
    { address: "8.8.8.8", reached: ["8.8.8.8"] },
    { address: "[2606:4700::1]", reached: ["2606:4700::1"] },
    { address: "0.0.0.0", reached: ["0.0.0.0", "127.0.0.1"] },
    { address: "::", reached: ["::", "::1", "127.0.0.1"] },
    { address: "::ffff:10.0.0.1", reached: ["10.0.0.1"] },
    { address: "::10.0.0.1", reached: ["::a00:1", "10.0.0.1"] },
    { address: "64:ff9b::a00:1", reached: ["64:ff9b::a00:1", "10.0.0.1"] },
    { address: "2002:a00:1::5", reached: ["2002:a00:1::5", "10.0.0.1"] },
    {
      address: "2001:0:808:808::f5ff:fffe",
      reached: ["2001:0:808:808::f5ff:fffe", "8.8.8.8", "10.0.0.1"],
    },
  ])("$address reaches $reached", ({ address, reached }) => {
    expect(unpackAddress(address)).toEqual(reached);
  });
});

describe("isAddress", () => {
  it.each([
    { host: "127.0.0.1", is: true },
    { host: "[::1]", is: true },
    { host: "::1", is: true },
    { host: "fe80::1%eth0", is: true },
    { host: "example.com", is: false },
    { host: "1.2.3.4.example.com", is: false },
    { host: "face.b00c", is: false },
    { host: "dead", is: false },
  ])("$host: $is", ({ host, is }) => {
    expect(isAddress(host)).toBe(is);
  });
});

describe("normalizeAddress", () => {
  it.each([
    { address: "10.1.2.3", shown: "10.1.2.3" },
    { address: "::ffff:10.1.2.3", shown: "10.1.2.3" },
    { address: "[::FFFF:0A01:0203]", shown: "10.1.2.3" },
    { address: "::10.1.2.3", shown: "::a01:203" },
    { address: "[::1]", shown: "::1" },
    { address: "fe80::1%eth0.7", shown: "fe80::1" },
    { address: "2001:0DB8:0:0:1:0:0:1", shown: "2001:db8::1:0:0:1" },
    { address: "2001:db8:0:1:1:1:1:1", shown: "2001:db8:0:1:1:1:1:1" },
    { address: "2001:0:0:1:0:0:0:1", shown: "2001:0:0:1::1" },
    { address: "unknown", shown: "" },
  ])("$address is shown as $shown", ({ address, shown }) => {
    expect(normalizeAddress(address)).toBe(shown);
  });
});

describe("isLoopbackHost", () => {
  it.each([
    { host: "localhost", is: true },
    { host: "LocalHost.", is: true },
    { host: "example-com.w.localhost", is: true },
    { host: "a.LOCALHOST", is: true },
    { host: "127.0.0.1", is: true },
    { host: "127.0.0.1.", is: true },
    { host: "127.255.255.255", is: true },
    { host: "[::1]", is: true },
    { host: "[0:0:0:0:0:0:0:1]", is: true },
    { host: "", is: false },
    { host: ".", is: false },
    { host: "localhost..", is: false },
    { host: ".localhost", is: false },
    { host: "a..localhost", is: false },
    { host: "notlocalhost", is: false },
    { host: "localhost.example.com", is: false },
    { host: "127.0.0.1.example.com", is: false },
    { host: "127.example.com", is: false },
    { host: "127.1", is: false },
    { host: "0.0.0.0", is: false },
    { host: "[::]", is: false },
    { host: "[::ffff:127.0.0.1]", is: false },
    { host: "[::127.0.0.1]", is: false },
    { host: "[64:ff9b::7f00:1]", is: false },
    { host: "[127.0.0.1]", is: false },
    { host: "10.0.0.1", is: false },
    { host: "128.0.0.1", is: false },
    { host: "[::2]", is: false },
    { host: "example.com", is: false },
  ])("$host: $is", ({ host, is }) => {
    expect(isLoopbackHost(host)).toBe(is);
  });
});

describe("isInCidr", () => {
  it.each([
    { text: "10.0.0.0/8", inside: ["10.0.0.0", "10.255.255.255"], outside: ["9.255.255.255", "11.0.0.0"] },
    { text: "10.1.2.3/8", inside: ["10.0.0.0", "10.255.255.255"], outside: ["11.0.0.0"] },
    { text: "10.1.2.0/25", inside: ["10.1.2.0", "10.1.2.127"], outside: ["10.1.1.255", "10.1.2.128"] },
    { text: "10.1.2.3", inside: ["10.1.2.3", "::ffff:10.1.2.3"], outside: ["10.1.2.4", "::10.1.2.3"] },
    { text: "0.0.0.0/0", inside: ["0.0.0.0", "255.255.255.255", "::ffff:1.2.3.4"], outside: ["::1"] },
    { text: "::/0", inside: ["::", "ffff::"], outside: ["1.2.3.4", "::ffff:1.2.3.4"] },
    { text: "fd00::/8", inside: ["[fd00::]", "fdff::1"], outside: ["fc00::", "fe00::"] },
    { text: "[fd00::]/8", inside: ["fd00::1"], outside: ["fc00::"] },
    { text: "2001:db8::/33", inside: ["2001:db8:7fff::"], outside: ["2001:db8:8000::"] },
    { text: "::1", inside: ["::1", "[0:0:0:0:0:0:0:1]"], outside: ["::", "::2", "127.0.0.1"] },
    { text: "::ffff:10.0.0.0/104", inside: ["10.9.9.9", "::ffff:a09:909"], outside: ["11.0.0.0"] },
    { text: "::ffff:0:0/96", inside: ["1.2.3.4"], outside: ["::1"] },
  ])("$text", ({ text, inside, outside }) => {
    const cidr = decodeCidr(text)!;
    expect(inside.filter((address) => !isInCidr(address, cidr))).toEqual([]);
    expect([...outside, "", "localhost"].filter((address) => isInCidr(address, cidr))).toEqual([]);
  });

  it.each([
    { text: "" },
    { text: "/8" },
    { text: "10.0.0.0/" },
    { text: "10.0.0.0/33" },
    { text: "10.0.0.0/08" },
    { text: "10.0.0.0/-1" },
    { text: "10.0.0.0/8/8" },
    { text: "10.0.0.0/255.0.0.0" },
    { text: "10.0/8" },
    { text: "010.0.0.0/8" },
    { text: "[10.0.0.0]/8" },
    { text: "fd00::/129" },
    { text: "[fd00::/8]" },
    { text: "fe80::1%eth0" },
    { text: "fe80::%eth0/10" },
    { text: "::ffff:10.0.0.0/95" },
    { text: "example.com" },
    { text: "example.com/8" },
  ])("$text is no range", ({ text }) => {
    expect(decodeCidr(text)).toBeUndefined();
  });
});
