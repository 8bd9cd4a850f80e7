/** The caller's address on a Worker. */
import { describe, expect, it } from "vitest";
import { readAddress } from "../../../src/runtimes/worker/worker-caller.ts";

const CLAIMED = "203.0.113.7";

describe("the address of a Worker's caller", () => {
  it.each([
    { about: "the edge", cf: { colo: "FRA" }, address: CLAIMED },
    { about: "the edge, which tells no peer", cf: { colo: "FRA", clientIp: "10.0.0.1:1" }, address: CLAIMED },
    { about: "workerd alone", cf: { clientIp: "127.0.0.2:49944" }, address: "127.0.0.2" },
    { about: "workerd alone, by IPv6", cf: { clientIp: "[::1]:49944" }, address: "::1" },
    { about: "workerd on a socket of Unix", cf: { clientIp: "unix:/run/proxy" }, address: "" },
    { about: "workerd that tells nothing", cf: {}, address: "" },
    { about: "something else", cf: undefined, address: "" },
  ])("comes from $about: $address", ({ cf, address }) => {
    const headers = new Headers({ "cf-connecting-ip": CLAIMED });
    expect(readAddress({ cf, headers })).toBe(address);
  });

  it("is none where the edge does not tell it", () =>
    expect(readAddress({ cf: { colo: "FRA" }, headers: new Headers() })).toBe(""));
});
