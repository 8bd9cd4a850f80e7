/** Look-ups of names: the hosts file comes first, and what no server may be asked stays here. */
import type { RecordWithTtl } from "node:dns";
import { describe, expect, it } from "vitest";
import { joinAnswers, lookUp, parseHosts } from "../../../src/runtimes/process/look-up.ts";
import { rowsOf } from "../../support/rows.ts";
import { NOWHERE } from "../../support/nowhere.ts";

const HOSTS = `# a comment
127.0.0.1\tlocalhost  Alias.Test # another
::1 localhost
10.1.2.3 two.test\r
10.1.2.3 two.test
10.1.2.4 two.test
fe80::1%lo0 zone.test
nonsense bad.test
  192.168.0.1 indented.test
10.9.9.9`;

it.each([
  { name: "localhost", addresses: ["127.0.0.1", "::1"] },
  { name: "alias.test", addresses: ["127.0.0.1"] },
  { name: "two.test", addresses: ["10.1.2.3", "10.1.2.4"] },
  { name: "indented.test", addresses: ["192.168.0.1"] },
  { name: "zone.test", addresses: undefined },
  { name: "bad.test", addresses: undefined },
  { name: "another", addresses: undefined },
  { name: "toString", addresses: undefined },
])(
  "the hosts file: $name: $addresses",
  ({ name, addresses }) => expect(parseHosts(HOSTS).get(name)).toEqual(addresses),
);

describe("the answers to both questions", () => {
  const recordsOf = (addresses: string[], ttl = 60) => addresses.map((address) => ({ address, ttl }));
  const found = (...addresses: string[]) => Promise.resolve(recordsOf(addresses));
  const failed = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  const never = new Promise<RecordWithTtl[]>(() => {});
  const later = (answer: string[], ms = 50) =>
    new Promise<RecordWithTtl[]>((resolve) => setTimeout(() => resolve(recordsOf(answer)), ms));

  it.each(rowsOf(["about", "a", "aaaa", "all"], [
    ["both", () => found("192.0.2.1"), () => found("2001:db8::1"), ["192.0.2.1", "2001:db8::1"]],
    ["a late AAAA", () => found("192.0.2.1"), () => later(["::2"]), ["192.0.2.1", "::2"]],
    ["a late A", () => later(["192.0.2.1"]), () => found("::2"), ["192.0.2.1", "::2"]],
    ["no AAAA", () => found("192.0.2.1"), () => failed("ENODATA"), ["192.0.2.1"]],
    ["a silent AAAA", () => found("192.0.2.1"), () => never, ["192.0.2.1"]],
    ["AAAA alone", () => failed("ENODATA"), () => later(["::2"]), ["::2"]],
    ["A that timed out", () => failed("ETIMEOUT"), () => found("::2"), ["::2"]],
    ["neither", () => failed("ENOTFOUND"), () => failed("ENODATA"), []],
  ]))("are joined: $about", async ({ a, aaaa, all }) => {
    expect([...await joinAnswers(a(), aaaa())]).toEqual(all);
  });

  it.each([
    { about: "a late AAAA", aaaa: () => later(["::2"], 400), all: ["192.0.2.1", "::2"] },
    { about: "no AAAA", aaaa: () => failed("ENODATA"), all: ["192.0.2.1"] },
    { about: "no name for AAAA", aaaa: () => failed("ENOTFOUND"), all: ["192.0.2.1"] },
  ])("are joined in full: $about", async ({ aaaa, all }) => {
    expect([...await joinAnswers(found("192.0.2.1"), aaaa(), true)]).toEqual(all);
  });

  it("hold as long as the first of them", async () => {
    const a = Promise.resolve(recordsOf(["192.0.2.1"], 300));
    const aaaa = Promise.resolve(recordsOf(["::2"], 7));
    expect((await joinAnswers(a, aaaa)).ttlMs).toBe(7_000);
  });

  it.each(["ETIMEOUT", "ESERVFAIL", "EREFUSED"])("are not in full after %s", async (code) => {
    await expect(joinAnswers(found("192.0.2.1"), failed(code), true)).rejects.toMatchObject({ code });
    expect([...await joinAnswers(found("192.0.2.1"), failed(code))]).toEqual(["192.0.2.1"]);
  });

  it.each([
    { a: () => failed("ETIMEOUT"), aaaa: () => failed("ENODATA") },
    { a: () => failed("ENODATA"), aaaa: () => failed("ETIMEOUT") },
  ])("that say nothing are a silence", async ({ a, aaaa }) => {
    await expect(joinAnswers(a(), aaaa())).rejects.toMatchObject({ code: "ETIMEOUT" });
  });
});

describe("a look-up", () => {
  it.each(["localhost", "LocalHost", "localhost."])("of %s gives loopback", async (name) => {
    const found = await lookUp(name);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((address) => !/^127\.|^::1$/.test(address))).toEqual([]);
  });

  it.each(["127.0.0.1", "::1"])("of %s gives itself", async (address) => {
    expect(await lookUp(address)).toEqual([address]);
  });

  it("of a name without an address fails with its code", () =>
    expect(lookUp(NOWHERE)).rejects.toMatchObject({ code: "ENOTFOUND" }));
});
