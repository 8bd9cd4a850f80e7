/**
 * Look-ups of names: the hosts file comes first, and what no server may be asked stays here.
 * @module
 */
import type { RecordWithTtl } from "node:dns";
import { describe, expect, it } from "vitest";
import { joinAnswers, lookUp, parseHosts } from "../../../src/runtimes/process/look-up.ts";
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

describe("the hosts file", () => {
  it.each([
    { name: "localhost", addresses: ["127.0.0.1", "::1"] },
    { name: "alias.test", addresses: ["127.0.0.1"] },
    { name: "two.test", addresses: ["10.1.2.3", "10.1.2.4"] },
    { name: "indented.test", addresses: ["192.168.0.1"] },
    { name: "zone.test", addresses: undefined },
    { name: "bad.test", addresses: undefined },
    { name: "another", addresses: undefined },
    { name: "toString", addresses: undefined },
  ])("$name: $addresses", ({ name, addresses }) => {
    expect(parseHosts(HOSTS).get(name)).toEqual(addresses);
  });
});

describe("the answers to both questions", () => {
  const recordsOf = (addresses: string[], ttl = 60) => addresses.map((address) => ({ address, ttl }));
  const found = (...addresses: string[]) => Promise.resolve(recordsOf(addresses));
  const failed = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  const never = new Promise<RecordWithTtl[]>(() => {});
  const later = (answer: string[], ms = 50) =>
    new Promise<RecordWithTtl[]>((resolve) => setTimeout(() => resolve(recordsOf(answer)), ms));

  it.each([
    {
      about: "both",
      a: () => found("192.0.2.1"),
      aaaa: () => found("2001:db8::1"),
      all: ["192.0.2.1", "2001:db8::1"],
    },
    {
      about: "a late AAAA",
      a: () => found("192.0.2.1"),
      aaaa: () => later(["::2"]),
      all: ["192.0.2.1", "::2"],
    },
    { about: "a late A", a: () => later(["192.0.2.1"]), aaaa: () => found("::2"), all: ["192.0.2.1", "::2"] },
    { about: "no AAAA", a: () => found("192.0.2.1"), aaaa: () => failed("ENODATA"), all: ["192.0.2.1"] },
    { about: "a silent AAAA", a: () => found("192.0.2.1"), aaaa: () => never, all: ["192.0.2.1"] },
    { about: "AAAA alone", a: () => failed("ENODATA"), aaaa: () => later(["::2"]), all: ["::2"] },
    { about: "A that timed out", a: () => failed("ETIMEOUT"), aaaa: () => found("::2"), all: ["::2"] },
    { about: "neither", a: () => failed("ENOTFOUND"), aaaa: () => failed("ENODATA"), all: [] },
  ])("are joined: $about", async ({ a, aaaa, all }) => {
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

  it.each([{ code: "ETIMEOUT" }, { code: "ESERVFAIL" }, { code: "EREFUSED" }])(
    "are not in full after $code",
    async ({ code }) => {
      await expect(joinAnswers(found("192.0.2.1"), failed(code), true)).rejects.toMatchObject({ code });
      expect([...await joinAnswers(found("192.0.2.1"), failed(code))]).toEqual(["192.0.2.1"]);
    },
  );

  it.each([
    { a: () => failed("ETIMEOUT"), aaaa: () => failed("ENODATA") },
    { a: () => failed("ENODATA"), aaaa: () => failed("ETIMEOUT") },
  ])("that say nothing are a silence", async ({ a, aaaa }) => {
    await expect(joinAnswers(a(), aaaa())).rejects.toMatchObject({ code: "ETIMEOUT" });
  });
});

describe("a look-up", () => {
  it.each([{ name: "localhost" }, { name: "LocalHost" }, { name: "localhost." }])(
    "of $name gives loopback",
    async ({ name }) => {
      const found = await lookUp(name);
      expect(found.length).toBeGreaterThan(0);
      expect(found.filter((address) => !/^127\.|^::1$/.test(address))).toEqual([]);
    },
  );

  it.each([{ address: "127.0.0.1" }, { address: "::1" }])("of $address gives itself", async ({ address }) => {
    expect(await lookUp(address)).toEqual([address]);
  });

  it("of a name without an address fails with its code", async () => {
    await expect(lookUp(NOWHERE)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });
});
