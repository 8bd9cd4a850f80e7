/**
 * What Bun, Deno and Node lend in the same way: which addresses are the proxy's own, and whether only this machine is near.
 */
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { findOwnAddresses } from "../../../src/runtimes/process/own-addresses.ts";
import { grouped } from "../../support/rows.ts";

const PORT = 8080;

/** An address of this machine beside loopback, where it has one; else loopback again. */
const [OWN = "127.0.0.1"] = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  .filter(({ internal, family }) => !internal && family === "IPv4")
  .map(({ address }) => address);

it.each(grouped(["isLocal", "host"], [
  [true, ["127.0.0.1", "127.9.9.9", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "localhost"]],
  [false, ["0.0.0.0", "::", "::0", "10.1.2.3", "::ffff:10.1.2.3", "fe80::1", "93.184.216.34"]],
]))("listening on loopback only: $host: $isLocal", async ({ host, isLocal }) => {
  expect((await findOwnAddresses(host, () => PORT)).listensOnLoopback).toBe(isLocal);
});

describe("the own addresses", () => {
  it.each([
    { host: "127.0.0.1", address: "127.0.0.1", own: true },
    { host: "127.0.0.1", address: "0.0.0.0", own: true },
    { host: "127.0.0.1", address: "127.0.0.2", own: false },
    { host: "127.0.0.1", address: "::1", own: false },
    { host: "127.0.0.1", address: "93.184.216.34", own: false },
    { host: "::ffff:127.0.0.1", address: "127.0.0.1", own: true },
    { host: "::1", address: "::1", own: true },
    { host: "0:0:0:0:0:0:0:1", address: "::1", own: true },
    { host: "localhost", address: "127.0.0.1", own: true },
    { host: "0.0.0.0", address: "127.0.0.1", own: true },
    { host: "0.0.0.0", address: "127.9.9.9", own: true },
    { host: "0.0.0.0", address: "0.0.0.0", own: true },
    { host: "0.0.0.0", address: OWN, own: true },
    { host: "0.0.0.0", address: "93.184.216.34", own: false },
    { host: "::", address: "127.0.0.1", own: true },
    { host: "::", address: "::1", own: true },
    { host: "::", address: OWN, own: true },
    { host: "::0", address: "127.0.0.1", own: true },
    { host: "::", address: "2606:4700::1111", own: false },
  ])("on $host have $address: $own", async ({ host, address, own }) => {
    const { isOwnAddress } = await findOwnAddresses(host, () => PORT);
    expect([isOwnAddress(address, PORT), isOwnAddress(address, PORT + 1)]).toEqual([own, false]);
  });

  it("go by the port that is listened on in the end", async () => {
    let port = 0;
    const { isOwnAddress } = await findOwnAddresses("127.0.0.1", () => port);
    port = 4711;
    expect(isOwnAddress("127.0.0.1", 4711)).toBe(true);
  });
});
