/**
 * Look-ups of names: the hosts file comes first, and what no server may be asked stays here.
 * @module
 */
import { describe, expect, it } from "vitest";
import { lookUp, parseHosts } from "../src/runtimes/look-up.ts";
import { NOWHERE } from "./support/nowhere.ts";

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
