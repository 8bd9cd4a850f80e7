import { describe, expect, it } from "vitest";
import { OwnSends } from "../../../src/console/traffic/own-sends.ts";
import { maskAddress } from "../../../src/parts/console/traffic-message.ts";

const ENTRY = { method: "POST", selector: "arg", address: "https://api.test/order" };

describe("OwnSends", () => {
  it("finds a request by method and address, its query and password left out", () => {
    const sends = new OwnSends<{ url: string; method?: string }>();
    const request = { url: "https://user:pass@api.test/order?draft=1", method: "post" };
    sends.add(request);
    expect(sends.find({ ...ENTRY, key: "a" }, maskAddress)).toBe(request);
  });

  it("gives each entry a request of its own, and the same one again", () => {
    const sends = new OwnSends<{ url: string; method: string; body: string }>();
    sends.add({ url: "https://api.test/order", method: "POST", body: "1" });
    sends.add({ url: "https://api.test/order", method: "POST", body: "2" });
    expect(["a", "b", "a", "c"].map((key) => sends.find({ ...ENTRY, key }, maskAddress)?.body))
      .toEqual(["1", "2", "1", undefined]);
  });

  it.each([
    { what: "another selector", entry: { ...ENTRY, selector: "url" } },
    { what: "another method", entry: { ...ENTRY, method: "GET" } },
    { what: "another address", entry: { ...ENTRY, address: "https://api.test/" } },
  ])("knows nothing of $what", ({ entry }) => {
    const sends = new OwnSends<{ url: string; method: string }>();
    sends.add({ url: "https://api.test/order", method: "POST" });
    expect(sends.find({ ...entry, key: "a" }, maskAddress)).toBeUndefined();
  });
});
