/** Addresses: the borders of every range, every disguise of IPv4, and every spelling that the URL parser folds. */
import { describe, expect, it } from "vitest";
import { classifyAddress, decodeCidr, isAddress, isInCidr } from "../../../src/core/address/ip.ts";
import { isLoopbackHost, normalizeAddress } from "../../../src/core/address/ip.ts";
import { unpackAddress, VERDICT_CLASSES } from "../../../src/core/address/ip.ts";
import { grouped, rowsOf, textRows, words } from "../../support/rows.ts";

it("VERDICT_CLASSES opens nothing but what is called private", () =>
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
  }));

/** One before the range, its first, its last, one after it; the range's verdict, and those beside it. */
const BORDERS = textRows(["range", "at", "are"])`
  0.0.0.0/32 | 0.0.0.0 0.0.0.1 | unspecified reserved
  0.0.0.0/8 | 0.0.0.1 0.255.255.255 1.0.0.0 | reserved reserved public
  10.0.0.0/8 | 9.255.255.255 10.0.0.0 10.255.255.255 11.0.0.0 | public private private public
  100.64.0.0/10 | 100.63.255.255 100.64.0.0 100.127.255.255 100.128.0.0 | public cgnat cgnat public
  100.100.100.200/32 | 100.100.100.199 100.100.100.200 100.100.100.201 | cgnat metadata cgnat
  127.0.0.0/8 | 126.255.255.255 127.0.0.0 127.255.255.255 128.0.0.0 | public loopback loopback public
  168.63.129.16/32 | 168.63.129.15 168.63.129.16 168.63.129.17 | public metadata public
  169.254.0.0/16 | 169.253.255.255 169.254.0.0 169.254.255.255 169.255.0.0 | public link_local link_local public
  172.16.0.0/12 | 172.15.255.255 172.16.0.0 172.31.255.255 172.32.0.0 | public private private public
  192.0.0.0/24 | 191.255.255.255 192.0.0.0 192.0.0.255 192.0.1.0 | public reserved reserved public
  192.0.0.192/32 | 192.0.0.191 192.0.0.192 192.0.0.193 | reserved metadata reserved
  192.0.2.0/24 | 192.0.1.255 192.0.2.0 192.0.2.255 192.0.3.0 | public documentation documentation public
  192.31.196.0/24 | 192.31.195.255 192.31.196.0 192.31.196.255 192.31.197.0 | public reserved reserved public
  192.52.193.0/24 | 192.52.192.255 192.52.193.0 192.52.193.255 192.52.194.0 | public reserved reserved public
  192.88.99.0/24 | 192.88.98.255 192.88.99.0 192.88.99.255 192.88.100.0 | public reserved reserved public
  192.168.0.0/16 | 192.167.255.255 192.168.0.0 192.168.255.255 192.169.0.0 | public private private public
  192.175.48.0/24 | 192.175.47.255 192.175.48.0 192.175.48.255 192.175.49.0 | public reserved reserved public
  198.18.0.0/15 | 198.17.255.255 198.18.0.0 198.19.255.255 198.20.0.0 | public benchmarking benchmarking public
  198.51.100.0/24 | 198.51.99.255 198.51.100.0 198.51.100.255 198.51.101.0 | public documentation documentation public
  203.0.113.0/24 | 203.0.112.255 203.0.113.0 203.0.113.255 203.0.114.0 | public documentation documentation public
  224.0.0.0/4 | 223.255.255.255 224.0.0.0 239.255.255.255 240.0.0.0 | public multicast multicast reserved
  240.0.0.0/4 | 239.255.255.255 240.0.0.0 255.255.255.254 255.255.255.255 | multicast reserved reserved broadcast
  ::/128 | :: ::1 | unspecified loopback
  ::1/128 | :: ::1 ::2 | unspecified loopback reserved
  ::/96 | ::2 ::ffff:ffff ::1:0:0 | reserved broadcast reserved
  ::ffff:0:0/96 | ::fffe:ffff:ffff ::ffff:0:0 ::ffff:ffff:ffff ::1:0:0:0 | reserved unspecified broadcast reserved
  ::ffff:0:0:0/96 | ::fffe:ffff:ffff:ffff ::ffff:0:0:0 ::ffff:0:ffff:ffff ::ffff:1:0:0 | reserved unspecified broadcast reserved
  64:ff9b::/96 | 64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff 64:ff9b:: 64:ff9b::ffff:ffff 64:ff9b::1:0:0 | reserved unspecified broadcast reserved
  64:ff9b:1::/48 | 64:ff9b:0:ffff:ffff:ffff:ffff:ffff 64:ff9b:1:: 64:ff9b:1::ffff:ffff 64:ff9b:1::1:0:0 64:ff9b:1:ffff:ffff:ffff:ffff:ffff 64:ff9b:2:: | reserved unspecified broadcast reserved reserved reserved
  100::/64 | 100:: 100::ffff:ffff:ffff:ffff | reserved reserved
  2000::/3 | 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2000:: 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: | reserved public public reserved
  2001::/32 | 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2001:1:: | public broadcast broadcast reserved
  2001:2::/48 | 2001:1:ffff:ffff:ffff:ffff:ffff:ffff 2001:2:: 2001:2:0:ffff:ffff:ffff:ffff:ffff 2001:2:1:: | reserved benchmarking benchmarking reserved
  2001::/23 | 2001:1:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff 2001:200:: | reserved reserved public
  2001:db8::/32 | 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2001:db9:: | public documentation documentation public
  2002::/16 | 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2003:: | public unspecified broadcast public
  2620:4f:8000::/48 | 2620:4f:7fff:ffff:ffff:ffff:ffff:ffff 2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff 2620:4f:8001:: | public reserved reserved public
  3fff::/20 | 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:1000:: | public documentation documentation public
  5f00::/16 | 5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff | reserved reserved
  fc00::/7 | fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe00:: | reserved unique_local unique_local reserved
  fd00:42::42/128 | fd00:42::41 fd00:42::42 fd00:42::43 | unique_local metadata unique_local
  fd00:100::100:200/128 | fd00:100::100:1ff fd00:100::100:200 fd00:100::100:201 | unique_local metadata unique_local
  fd00:a9fe:a9fe::1/128 | fd00:a9fe:a9fe:: fd00:a9fe:a9fe::1 fd00:a9fe:a9fe::2 | unique_local metadata unique_local
  fd00:c1::a9fe:a9fe/128 | fd00:c1::a9fe:a9fd fd00:c1::a9fe:a9fe fd00:c1::a9fe:a9ff | unique_local metadata unique_local
  fd00:ec2::/32 | fd00:ec1:ffff:ffff:ffff:ffff:ffff:ffff fd00:ec2:: fd00:ec2::23 fd00:ec2::254 fd00:ec2:ffff:ffff:ffff:ffff:ffff:ffff fd00:ec3:: | unique_local metadata metadata metadata metadata unique_local
  fd20:ce::254/128 | fd20:ce::253 fd20:ce::254 fd20:ce::255 | unique_local metadata unique_local
  fe80::/10 | fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff fec0:: | reserved link_local link_local reserved
  ff00::/8 | feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff | reserved multicast multicast`;

const DISGUISES = textRows(["form", "loopback", "metadata", "google"])`
  mapped, hexadecimal | ::ffff:7f00:1 | ::ffff:a9fe:a9fe | ::ffff:808:808
  mapped, dotted | ::ffff:127.0.0.1 | ::ffff:169.254.169.254 | ::ffff:8.8.8.8
  mapped, written out | 0:0:0:0:0:FFFF:7F00:0001 | 0000:0000:0000:0000:0000:ffff:a9fe:a9fe | 0:0:0:0:0:ffff:8.8.8.8`;

/** Forms that a public IPv4 address does not make public. */
const WORSE_DISGUISES = textRows(["form", "loopback", "metadata", "google"])`
  compatible, hexadecimal | ::7f00:1 | ::a9fe:a9fe | ::808:808
  compatible, dotted | ::127.0.0.1 | ::169.254.169.254 | ::8.8.8.8
  translated, hexadecimal | ::ffff:0:7f00:1 | ::ffff:0:a9fe:a9fe | ::ffff:0:808:808
  translated, dotted | ::ffff:0:127.0.0.1 | ::ffff:0:169.254.169.254 | ::ffff:0:8.8.8.8
  local NAT64 | 64:ff9b:1::7f00:1 | 64:ff9b:1::a9fe:a9fe | 64:ff9b:1::8.8.8.8
  6to4 | 2002:7f00:1:: | 2002:a9fe:a9fe::8.8.8.8 | 2002:808:808:ffff:ffff:ffff:ffff:ffff
  Teredo client | 2001:0:4136:e378:8000:63bf:80ff:fffe | 2001:0:4136:e378:8000:63bf:5601:5601 | 2001:0:4136:e378:8000:63bf:f7f7:f7f7
  Teredo server | 2001:0:7f00:1:8000:63bf:f7f7:f7f7 | 2001:0:a9fe:a9fe:8000:63bf:f7f7:f7f7 | 2001:0:808:808:8000:63bf:f7f7:f7f7`;

describe("classifyAddress", () => {
  it.each(BORDERS)(
    "knows where $range ends",
    ({ at, are }) => expect(words(at).map(classifyAddress)).toEqual(words(are)),
  );

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

  it.each(rowsOf(["address", "verdict", "why"], [
    ["2001:0:7f00:1:0:0:5601:5601", "link_local", "the worse of server and client counts"],
    ["2001:0:a9fe:a9fe:0:0:80ff:fffe", "link_local", "whichever of them it is"],
    ["::ffff:100.100.100.200", "metadata", "metadata inside"],
    ["64:ff9b::a83f:8110", "metadata", "metadata that looks public inside"],
    ["64:ff9b:1:7f00:0:100:0:0", "reserved", "a layout of local NAT64 that is not known"],
    ["[::1]", "loopback", "brackets"],
    ["0000:0000:0000:0000:0000:0000:0000:0001", "loopback", "written out"],
    ["[2606:4700:4700::1111]", "public", "public IPv6"],
    ["FD00:0EC2::0254", "metadata", "upper case, zeros"],
    ["fe80::1%eth0", "link_local", "zone id"],
    ["[fe80::1%25br-lan.7]", "link_local", "zone id of an address bar"],
    ["ff02::1%eth0", "multicast", "zone id"],
    ["2606:4700:4700::1111%eth0", "reserved", "zone id where none belongs"],
    ["::1%lo", "reserved", "zone id where none belongs"],
  ]))("$address is $verdict: $why", ({ address, verdict }) => expect(classifyAddress(address)).toBe(verdict));

  it.each([
    ...words(`
      localhost 0177.0.0.1 010.0.0.1 00.0.0.0 127.1 127.0.1 2130706433 0x7f.0.0.1 0x7f000001 256.0.0.1 1.2.3
      1.2.3.4.5 1.2.3.4. 1.2.3.4%eth0 1.2.3.4:80 [1.2.3.4] ::ffff:0177.0.0.1 ::ffff:127.1 ::ffff:256.0.0.1
      1.2.3.4:: : ::: 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:8:: 1:2:3:4:5:6:7:1.2.3.4 00001::
      g:: ::1] [::1 [[::1]] [::1]:80 ::1/128 %eth0
    `),
    "",
    " 1.2.3.4",
    "1.2.3.4\n",
  ])("%s is invalid", (address) => {
    expect([classifyAddress(address), isAddress(address)]).toEqual(["invalid", false]);
    expect(normalizeAddress(address)).toBe("");
    expect(unpackAddress(address)).toEqual([]);
  });
});

it.each([
  { address: "8.8.8.8", reached: ["8.8.8.8"] },
  { address: "[2606:4700::1]", reached: ["2606:4700::1"] },
  { address: "0.0.0.0", reached: ["0.0.0.0", "127.0.0.1"] },
  { address: "::", reached: ["::", "::1", "127.0.0.1"] },
  { address: "::ffff:10.0.0.1", reached: ["10.0.0.1"] },
  { address: "::10.0.0.1", reached: ["::a00:1", "10.0.0.1"] },
  { address: "64:ff9b::a00:1", reached: ["64:ff9b::a00:1", "10.0.0.1"] },
  { address: "2002:a00:1::5", reached: ["2002:a00:1::5", "10.0.0.1"] },
  { address: "2001:0:808:808::f5ff:fffe", reached: ["2001:0:808:808::f5ff:fffe", "8.8.8.8", "10.0.0.1"] },
])(
  "unpackAddress: $address reaches $reached",
  ({ address, reached }) => expect(unpackAddress(address)).toEqual(reached),
);

it.each(grouped(["is", "host"], [
  [true, ["127.0.0.1", "[::1]", "::1", "fe80::1%eth0"]],
  [false, ["example.com", "1.2.3.4.example.com", "face.b00c", "dead"]],
]))("isAddress: $host: $is", ({ host, is }) => expect(isAddress(host)).toBe(is));

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
])(
  "normalizeAddress: $address is shown as $shown",
  ({ address, shown }) => expect(normalizeAddress(address)).toBe(shown),
);

it.each(grouped(["is", "host"], [
  [
    true,
    words(`
      localhost LocalHost. example-com.w.localhost a.LOCALHOST 127.0.0.1 127.0.0.1. 127.255.255.255 [::1]
      [0:0:0:0:0:0:0:1]
    `),
  ],
  [false, [
    ...words(`
      . localhost.. .localhost a..localhost notlocalhost localhost.example.com 127.0.0.1.example.com
      127.example.com 127.1 0.0.0.0 [::] [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1] [127.0.0.1]
      10.0.0.1 128.0.0.1 [::2] example.com
    `),
    "",
  ]],
]))("isLoopbackHost: $host: $is", ({ host, is }) => expect(isLoopbackHost(host)).toBe(is));

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
    ...words(`
      /8 10.0.0.0/ 10.0.0.0/33 10.0.0.0/08 10.0.0.0/-1 10.0.0.0/8/8 10.0.0.0/255.0.0.0 10.0/8 010.0.0.0/8
      [10.0.0.0]/8 fd00::/129 [fd00::/8] fe80::1%eth0 fe80::%eth0/10 ::ffff:10.0.0.0/95 example.com
      example.com/8
    `),
    "",
  ])("%s is no range", (text) => expect(decodeCidr(text)).toBeUndefined());
});
